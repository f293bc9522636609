/**
 * Files with mode 0600 in folders with mode 0700, since only the owner may read the data of a space. They are created
 * with these modes: a file restricted after its creation could have been opened in between.
 */
import { chmodSync, closeSync, openSync, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite, { type Database, type Options } from 'better-sqlite3'

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/** Suffixes of SQLite's side files. SQLite creates them with the mode of the database. */
const DATABASE_SUFFIXES = ['', '-wal', '-shm', '-journal']

/**
 * Opens a database that only its owner can access. A new one is created that way; an existing one is restricted if it
 * belongs to this user. For `:memory:`, no file is touched.
 *
 * @throws the errors of better-sqlite3
 */
export function openPrivateDatabase(file: string, options: Options = {}): Database {
  if (file === ':memory:') return new Sqlite(file, options)
  restrictToOwner(file)
  createEmptyFile(file)
  const sqlite = new Sqlite(file, options)
  // Through a dangling symbolic link, SQLite has created a new file.
  restrictToOwner(file)
  return sqlite
}

/** Restricts a database and its side files to their owner. Files of another user are left alone. */
export function restrictToOwner(database: string): void {
  for (const side of DATABASE_SUFFIXES) restrictPath(`${database}${side}`)
}

/**
 * The paths of a database, its side files and a folder that belong to this user and that others can access in any way.
 */
export function pathsReadableByOthers(database: string, folder?: string): string[] {
  const paths = [...DATABASE_SUFFIXES.map((side) => `${database}${side}`), ...(folder === undefined ? [] : [folder])]
  return paths.filter((path) => readableByOthers(path) !== undefined)
}

/**
 * Restricts a folder and its contents to the owner. A folder that is already restricted is skipped, since others cannot
 * enter it. The folder itself comes last, so that an interrupted run is repeated.
 */
export async function restrictFolderToOwner(folder: string): Promise<void> {
  if (readableByOthers(folder)?.isDirectory() !== true) return
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await restrictFolderToOwner(path)
    else if (entry.isFile()) restrictPath(path)
  }
  restrictPath(folder)
}

/**
 * Creates an empty file, which SQLite treats as a new database. Only a new file is ever opened here: closing another
 * descriptor of a database would drop the locks that SQLite holds on it in this process.
 */
function createEmptyFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE))
  } catch {
    // The file exists, or cannot be created. SQLite reports the latter better.
  }
}

function restrictPath(path: string): void {
  const stats = readableByOthers(path)
  if (stats === undefined) return
  try {
    chmodSync(path, stats.mode & 0o700)
  } catch {
    // The disk has no file modes or is read-only. That is no reason to refuse service.
  }
}

/** Stats of the file if it belongs to this user and others can access it in any way. Windows has no modes. */
function readableByOthers(path: string): Stats | undefined {
  if (process.platform === 'win32') return undefined
  try {
    const stats = statSync(path)
    return stats.uid === process.geteuid?.() && (stats.mode & 0o077) !== 0 ? stats : undefined
  } catch {
    return undefined
  }
}
