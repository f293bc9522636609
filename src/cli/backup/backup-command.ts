/** `scriptorium backup`: a verified copy of the space, with its files. */
import { type Backup, createBackup, removeOldBackups } from '../../../storage/sqlite/copies/backup.ts'
import type { SpaceCopy } from '../../../storage/sqlite/copies/space-copy.ts'
import { invalid } from '../../base/errors.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'

/**
 * @param now  milliseconds since 1970
 * @returns what was done, and whether the backup has everything
 * @throws VALIDATION_ERROR when it cannot be made
 */
export async function runBackup(
  file: string,
  { to, keep }: Pick<Options, 'to' | 'keep'>,
  now: number,
): Promise<CommandResult & { isComplete: boolean }> {
  if (to === undefined) throw invalid('Expected where to put the backup as --to, found none; name a file or a folder.')
  const { backup, removed } = await backUpAndPrune(file, to, keep, now)
  const isComplete = backup.damagedFiles.length === 0
  const lines = [
    [formatBackup(file, backup)],
    ...removed.map((path) => [`Removed ${path}: the last ${keep} are kept.`]),
    ...(isComplete ? [] : [[formatDamage(backup)]]),
  ]
  return { value: { ...backup, removed }, lines, isComplete }
}

/** What a server asks its thread for, and what comes of it. */
export interface BackupRequest {
  file: string
  to: string
  keep?: number
  now: number
}
export interface BackupReport {
  succeeded: boolean
  /** For the log. */
  sentences: string[]
}

/**
 * Back up a space and remove older backups of it. Those stay while the new one lacks files: an older one may have them.
 *
 * @param keep  how many backups stay in the folder `to`; all without
 */
export async function backUpAndPrune(
  file: string,
  to: string,
  keep: number | undefined,
  now: number,
): Promise<{ backup: Backup; removed: string[] }> {
  const backup = await createBackup(file, to, now)
  const isComplete = backup.damagedFiles.length === 0
  const removed = keep !== undefined && isComplete ? removeOldBackups(file, to, keep) : []
  return { backup, removed }
}

export const formatBackup = (file: string, { path, documents, blocks, files, size }: Backup): string =>
  `Backed up ${file} to ${path}: ${documents} documents, ${blocks} blocks, ${files} files, ${formatMebibytes(size)}, verified.`

/** What to do about files that a backup lacks. */
export const formatDamage = ({ damagedFiles: [first, ...others] }: SpaceCopy): string =>
  `Expected the bytes of every file, found those of ${first}${others.length > 0 ? ` and ${others.length} more` : ''} missing or damaged, so that the copy lacks them; an older backup may have them.`

export const formatMebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
