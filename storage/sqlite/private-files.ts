/**
 * Files that are for their owner alone, 0600, in folders of 0700: what a space keeps is nobody else's to read. They are
 * made so, since what is closed a moment after it was made can have been opened in that moment.
 */
import { chmodSync, closeSync, openSync, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite, { type Database, type Options } from 'better-sqlite3'

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/** What SQLite keeps beside a database. It gives them the mode of the database when it makes them. */
const SIDES = ['', '-wal', '-shm', '-journal']

/**
 * Opens a database that is for its owner alone: a new one is made so, and one that is there is closed to others if it
 * is this user's. `:memory:` is opened as it is.
 *
 * @throws as better-sqlite3 does
 */
export function openPrivateDatabase(file: string, options: Options = {}): Database {
  if (file === ':memory:') return new Sqlite(file, options)
  restrictToOwner(file)
  makeEmpty(file)
  const sqlite = new Sqlite(file, options)
  // A link that led nowhere has led SQLite to a new file.
  restrictToOwner(file)
  return sqlite
}

/** Closes a database and what lies beside it to others. Files of another user stay as they are. */
export function restrictToOwner(database: string): void {
  for (const side of SIDES) restrict(`${database}${side}`)
}

/** Of a database, what lies beside it, and a folder: the paths of this user's that others can do anything with. */
export function pathsReadableByOthers(database: string, folder?: string): string[] {
  const paths = [...SIDES.map((side) => `${database}${side}`), ...(folder === undefined ? [] : [folder])]
  return paths.filter((path) => readableByOthers(path) !== undefined)
}

/**
 * Closes a folder and all that is in it to others; nothing is looked at in one that is closed already, since nobody
 * gets in. The folder itself comes last, so that what was cut off is done again.
 */
export async function restrictFolderToOwner(folder: string): Promise<void> {
  if (readableByOthers(folder)?.isDirectory() !== true) return
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await restrictFolderToOwner(path)
    else if (entry.isFile()) restrict(path)
  }
  restrict(folder)
}

/**
 * SQLite takes an empty file for a new database. Only a file that was not there is ever opened here: to close another
 * descriptor of a database would drop the locks that SQLite holds on it in this process.
 */
function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE))
  } catch {
    // It is there, or cannot be made, which SQLite says better.
  }
}

function restrict(path: string): void {
  const found = readableByOthers(path)
  if (found === undefined) return
  try {
    chmodSync(path, found.mode & 0o700)
  } catch {
    // A disk that keeps no modes, or is read-only, is not a reason to serve nothing.
  }
}

/** What is there, if it is this user's and others can do anything with it. Windows has no modes. */
function readableByOthers(path: string): Stats | undefined {
  if (process.platform === 'win32') return undefined
  try {
    const found = statSync(path)
    return found.uid === process.geteuid?.() && (found.mode & 0o077) !== 0 ? found : undefined
  } catch {
    return undefined
  }
}
