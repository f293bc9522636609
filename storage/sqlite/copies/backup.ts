/**
 * Backups: copies of a space, verified before they get their final name. A backup is a space like any other: its file,
 * and its files next to it in `.files`. Its checksums are in `.sha256`. It does not include sign-ins (`.sign-in`) or
 * rate-limit usage (`.usage`).
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describeSystemError } from '../../../src/base/system-error.ts'
import { createPrivateFolder, syncFolder } from '../../bytes/file-store.ts'
import { assertWritableTime } from '../../clock-fault.ts'
import { UnusableFile } from '../unusable-file.ts'
import { checksumsPath, writeChecksums } from './checksums.ts'
import { copySpace, removeSpace, type SpaceCopy } from './space-copy.ts'

export interface Backup extends SpaceCopy {
  path: string
}

/**
 * Backs up the space in a file, which may be in use. An incomplete backup never has the final name.
 *
 * @param to  a file that does not exist, or a folder, in which the backup is named after the space and the time
 * @param now  milliseconds since 1970
 * @throws {UnusableFile} for a file that is not a space or is damaged, for a name that is in use, and if the copy
 * fails; nothing is left then
 * @throws CLOCK_WRONG if the backup cannot be named after the time
 */
export async function createBackup(file: string, to: string, now: number): Promise<Backup> {
  assertWritableTime(now)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UnusableFile(`Expected the file of a space, found none at ${file}; name one with --space.`)
  }
  const path = isFolder(to) ? freeName(resolve(to), backupName(file, now)) : resolve(to)
  for (const target of [path, `${path}.files`, checksumsPath(path)]) {
    if (!existsSync(target)) continue
    throw new UnusableFile(`Expected a name for the backup that is free, found ${target}; name another, or a folder.`)
  }
  const unfinished = `${path}${UNFINISHED_SUFFIX}`
  try {
    await createPrivateFolder(dirname(path))
    removeSpace(unfinished)
    const copy = await copySpace(file, unfinished)
    await writeChecksums(unfinished, basename(path))
    // The database comes last: without it, the files are not yet a backup.
    if (existsSync(`${unfinished}.files`)) await rename(`${unfinished}.files`, `${path}.files`)
    await rename(checksumsPath(unfinished), checksumsPath(path))
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return { path, ...copy }
  } catch (error) {
    removeSpace(unfinished)
    if (error instanceof UnusableFile) throw error
    const sentence = describeSystemError(error)
    throw new UnusableFile(
      sentence === undefined
        ? `Expected to back up ${file} to ${path}, found this: ${backupFailureReason(error)}; nothing was kept.`
        : `${sentence} Nothing of the backup was kept.`,
    )
  }
}

const UNFINISHED_SUFFIX = '.unfinished'

/** True if a path is a folder, ends with a separator, or names neither a file nor one to come: `backups`. */
function isFolder(path: string): boolean {
  if (/[\\/]$/.test(path)) return true
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? extname(path) === '' : found.isDirectory()
}

/** A second backup within a second gets a number. */
function freeName(folder: string, name: string): string {
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? name : name.replace(/\.sqlite$/, `-${number}.sqlite`))
    if (![path, `${path}.files`, checksumsPath(path)].some((one) => existsSync(one))) return path
  }
}

/** `notes-2026-11-23T071614Z.sqlite` for `notes.sqlite`. */
const backupName = (file: string, now: number): string =>
  `${spaceName(file)}-${new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.sqlite`

const spaceName = (file: string): string => basename(file).replace(/\.sqlite$/, '')

export interface BackupFile {
  path: string
  /** Milliseconds since 1970. */
  at: number
}

/**
 * The backups of a space in a folder up to a time, oldest first, recognized by name.
 *
 * @param until  milliseconds since 1970
 */
export function listBackups(file: string, folder: string, until = Infinity): BackupFile[] {
  const start = `${spaceName(file)}-`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .flatMap((name) => {
      const [, day, hour, minute, second] =
        /^(\d{4}-\d{2}-\d{2}T)(\d{2})(\d{2})(\d{2})Z(?:-\d+)?\.sqlite$/.exec(name.slice(start.length)) ?? []
      const at = Date.parse(`${day}${hour}:${minute}:${second}Z`)
      return Number.isNaN(at) || at > until ? [] : [{ path: join(folder, name), at }]
    })
    .sort((one, other) => one.at - other.at || one.path.length - other.path.length)
}

/**
 * Removes all but the last `keep` backups of a space in a folder. Backups that were named by a clock that was ahead stay
 * until their time has come, and do not count.
 *
 * @param now  milliseconds since 1970
 * @returns the removed paths
 */
export function removeOldBackups(file: string, folder: string, keep: number, now: number): string[] {
  const old = listBackups(file, folder, now).slice(0, -keep)
  for (const { path } of old) removeSpace(path)
  return old.map(({ path }) => path)
}

/** The reason for a failed copy, as text. */
function backupFailureReason(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return 'the disk is full, free some room and try again'
  if (error instanceof Sqlite.SqliteError && code.startsWith('SQLITE_CORRUPT')) {
    return 'the space is damaged, run `scriptorium doctor`'
  }
  return message
}
