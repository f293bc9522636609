/** `scriptorium backup`: a verified copy of the space, with its files. */

import { type Backup, createBackup, removeOldBackups } from '../../../storage/sqlite/copies/backup.ts'
import type { SpaceCopy } from '../../../storage/sqlite/copies/space-copy.ts'
import { formatBytes } from '../../base/byte-sizes.ts'
import { invalid } from '../../base/errors.ts'
import { formatCount } from '../../base/format-number.ts'
import type { Options } from '../options.ts'
import type { CommandResult } from '../printing.ts'
import { logBackup } from './log-backup.ts'

/**
 * @param now  milliseconds since 1970
 * @returns the result, and whether the backup is complete
 * @throws VALIDATION_ERROR if it cannot be created
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

/** The input of the backup thread, and its result. */
export interface BackupRequest {
  file: string
  to: string
  keep?: number
  now: number
}
export interface BackupReport {
  succeeded: boolean
  /** Lines for the log. */
  sentences: string[]
}

/**
 * Backs up a space and removes older backups of it. If the new backup lacks files, older ones are kept, since they may
 * contain these files.
 *
 * @param keep  number of backups to keep in the folder `to`; all if absent
 */
export async function backUpAndPrune(
  file: string,
  to: string,
  keep: number | undefined,
  now: number,
): Promise<{ backup: Backup; removed: string[] }> {
  const backup = await createBackup(file, to, now)
  await logBackup(file, backup.path, now)
  const isComplete = backup.damagedFiles.length === 0
  const removed = keep !== undefined && isComplete ? removeOldBackups(file, to, keep, now) : []
  return { backup, removed }
}

export const formatBackup = (file: string, { path, documents, blocks, files, size }: Backup): string =>
  `Backed up ${file} to ${path}: ${formatCount(documents, 'document')}, ${formatCount(blocks, 'block')}, ${formatCount(files, 'file')}, ${formatBytes(size)}, verified.`

/** Advice about files that a backup lacks. */
export const formatDamage = ({ damagedFiles: [first, ...others] }: SpaceCopy): string =>
  `Expected the bytes of every file, found those of ${first}${others.length > 0 ? ` and ${others.length} more` : ''} missing or damaged, so that the copy lacks them; an older backup may have them.`
