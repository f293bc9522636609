/**
 * Opens a database that nobody may have open, to read it, and leaves its folder as it was.
 *
 * SQLite makes a log (`-wal` and `-shm`) beside a database in WAL mode, also for whoever only reads. The last connection
 * that could write removes it as it closes; one that is read-only cannot, and would leave it there.
 */
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'

export interface ReadConnection {
  sqlite: Database
  /** Closes it, and removes what was made to read the file. */
  close(): void
}

export interface ReadOptions {
  /** Milliseconds to wait for a lock. */
  timeout: number
  /** Whether this user can write a file or to a folder; a test chooses. */
  canWrite?: (path: string) => boolean
}

/**
 * A connection that refuses to write.
 *
 * A log that is there already is left as it is, since it may be another process's, or what a killed one has left. Where
 * none could be made, or none removed again, a copy of the file is read: without a log nobody has the file open.
 *
 * @throws SqliteError for a file that is not there or cannot be opened; what the file system says of a copy
 */
export function openReadOnly(file: string, { timeout, canWrite = canWriteTo }: ReadOptions): ReadConnection {
  const options = { fileMustExist: true, timeout }
  if (!existsSync(file) || hasLog(file)) return connection(new Sqlite(file, { ...options, readonly: true }))
  if (canWrite(file) && canWrite(dirname(file))) return connection(new Sqlite(file, options))
  const copy = isInWalMode(file) ? copyTemporarily(file) : undefined
  if (copy === undefined) return connection(new Sqlite(file, { ...options, readonly: true }))
  const remove = () => rmSync(dirname(copy), { recursive: true, force: true })
  try {
    return connection(new Sqlite(copy, options), remove)
  } catch (error) {
    remove()
    throw error
  }
}

export function canWriteTo(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

function connection(sqlite: Database, remove = () => {}): ReadConnection {
  // Also of one that could write.
  sqlite.pragma('query_only = 1')
  return {
    sqlite,
    close() {
      sqlite.close()
      remove()
    },
  }
}

const hasLog = (file: string): boolean => ['-wal', '-shm', '-journal'].some((side) => existsSync(`${file}${side}`))

/** Where the header says which version of the format a reader must know: 2 for a database in WAL mode. */
const READ_VERSION_AT = 19

/**
 * Only for a file that this process cannot have open, since it has no log and none can be made: to close a descriptor of
 * a database drops the locks that SQLite holds on it in this process.
 */
function isInWalMode(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const version = Buffer.alloc(1)
    return readSync(descriptor, version, 0, 1, READ_VERSION_AT) === 1 && version[0] === 2
  } finally {
    closeSync(descriptor)
  }
}

/** How often a copy is begun again when the file changes meanwhile. */
const ATTEMPTS = 3

/** @returns the path of a copy in a folder of its own; none where somebody else has opened the file meanwhile */
function copyTemporarily(file: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-read-'))
  const copy = join(folder, basename(file))
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const before = fileStamp(file)
      copyFileSync(file, copy, constants.COPYFILE_FICLONE)
      if (hasLog(file)) break
      if (fileStamp(file) === before) return copy
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

function fileStamp(file: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}
