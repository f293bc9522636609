/**
 * Opens a database for reading and leaves its folder unchanged. The database may not be open in any process.
 *
 * SQLite creates a log (`-wal` and `-shm`) next to a database in WAL mode, even for readers. The last connection that
 * could write removes it on close. A read-only one cannot, and would leave it there.
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
  /** Closes the connection and removes temporary files. */
  close(): void
}

export interface ReadOptions {
  /** Milliseconds to wait for a lock. */
  timeout: number
  /** Returns true if this user can write to a file or folder; replaceable in tests. */
  canWrite?: (path: string) => boolean
}

/**
 * Opens a connection that cannot write.
 *
 * An existing log is left alone, since it may belong to another process, or be left over from a killed one. If no log
 * could be created, or removed again, a copy of the file is read: without a log no process has the file open.
 *
 * @throws SqliteError for a file that is missing or cannot be opened; file system errors of a copy
 */
export function openReadOnly(file: string, { timeout, canWrite = canWriteTo }: ReadOptions): ReadConnection {
  const options = { fileMustExist: true, timeout }
  if (!existsSync(file) || hasLog(file)) return readConnection(new Sqlite(file, { ...options, readonly: true }))
  if (canWrite(file) && canWrite(dirname(file))) return readConnection(new Sqlite(file, options))
  const copy = isInWalMode(file) ? copyTemporarily(file) : undefined
  if (copy === undefined) return readConnection(new Sqlite(file, { ...options, readonly: true }))
  const remove = () => rmSync(dirname(copy), { recursive: true, force: true })
  try {
    return readConnection(new Sqlite(copy, options), remove)
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

function readConnection(sqlite: Database, remove = () => {}): ReadConnection {
  // Also for a connection that could write.
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

/** Offset of the read version in the header: 2 for a database in WAL mode. */
const READ_VERSION_OFFSET = 19

/**
 * True for a database that SQLite writes to by way of a write-ahead log, as it does to every space but not to backups.
 *
 * Only for a file that this process does not have open. Closing a descriptor of a database drops the locks that SQLite
 * holds on it in this process.
 */
export function isInWalMode(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const version = Buffer.alloc(1)
    return readSync(descriptor, version, 0, 1, READ_VERSION_OFFSET) === 1 && version[0] === 2
  } finally {
    closeSync(descriptor)
  }
}

/** Maximum number of attempts to copy a file that changes during the copy. */
const MAX_ATTEMPTS = 3

/** @returns the path of a copy in a new folder; undefined if another process has opened the file in the meantime */
function copyTemporarily(file: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-read-'))
  const copy = join(folder, basename(file))
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
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
