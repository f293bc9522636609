/**
 * Backups: copies of a space under a name of their own, verified before they get it. A backup is a space like any other:
 * its file, and its files beside it in `.files`. Sign-ins (`.sign-in`) and used limits (`.usage`) are not part of it.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { makeFolder, syncFolder } from '../bytes/file-store.ts'
import { copySpace, removeSpace, type SpaceCopy } from './space-copy.ts'
import { UnusableFile } from './unusable-file.ts'

export interface Backup extends SpaceCopy {
  path: string
}

/**
 * Back up the space in a file, whoever has it open meanwhile. What is not complete never has the backup's name.
 *
 * @param to  a file that is not there, or a folder: there the backup is named after the space and the time
 * @param now  milliseconds since 1970
 * @throws {UnusableFile} for what is no space or is damaged, for a name that is taken, and where the copy cannot be made;
 *   nothing is left then
 */
export async function createBackup(file: string, to: string, now: number): Promise<Backup> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new UnusableFile(`Expected the file of a space, found none at ${file}; name one with --space.`)
  }
  const path = isFolder(to) ? join(resolve(to), backupName(file, now)) : resolve(to)
  for (const taken of [path, `${path}.files`]) {
    if (!existsSync(taken)) continue
    throw new UnusableFile(`Expected a name for the backup that is free, found ${taken}; name another, or a folder.`)
  }
  const unfinished = `${path}${UNFINISHED}`
  try {
    await makeFolder(dirname(path))
    removeSpace(unfinished)
    const copy = await copySpace(file, unfinished)
    // The database comes last: files alone are no backup.
    if (existsSync(`${unfinished}.files`)) await rename(`${unfinished}.files`, `${path}.files`)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return { path, ...copy }
  } catch (error) {
    removeSpace(unfinished)
    if (error instanceof UnusableFile) throw error
    throw new UnusableFile(`Expected to back up ${file} to ${path}, found this: ${reasonOf(error)}; nothing was kept.`)
  }
}

const UNFINISHED = '.unfinished'

/** Whether a path is a folder, or is written as one. */
const isFolder = (path: string): boolean =>
  /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** `notes-2026-11-23T071614Z.sqlite` for `notes.sqlite`. */
const backupName = (file: string, now: number): string =>
  `${spaceName(file)}-${new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.sqlite`

const spaceName = (file: string): string => basename(file).replace(/\.sqlite$/, '')

export interface KnownBackup {
  path: string
  /** Milliseconds since 1970. */
  at: number
}

/** The backups of a space in a folder, the oldest first, by their names. */
export function listBackups(file: string, folder: string): KnownBackup[] {
  const start = `${spaceName(file)}-`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .flatMap((name) => {
      const [, day, hour, minute, second] =
        /^(\d{4}-\d{2}-\d{2}T)(\d{2})(\d{2})(\d{2})Z\.sqlite$/.exec(name.slice(start.length)) ?? []
      const at = Date.parse(`${day}${hour}:${minute}:${second}Z`)
      return Number.isNaN(at) ? [] : [{ path: join(folder, name), at }]
    })
    .sort((one, other) => one.at - other.at)
}

/**
 * Remove the oldest backups of a space in a folder, but for the last `keep`.
 *
 * @returns the paths of what was removed
 */
export function removeOldBackups(file: string, folder: string, keep: number): string[] {
  const old = listBackups(file, folder).slice(0, -keep)
  for (const { path } of old) removeSpace(path)
  return old.map(({ path }) => path)
}

/** Why a copy could not be made, in words. */
function reasonOf(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return 'the disk is full, free some room and try again'
  if (error instanceof Sqlite.SqliteError && code.startsWith('SQLITE_CORRUPT')) {
    return 'the space is damaged, run `scriptorium doctor`'
  }
  return message
}
