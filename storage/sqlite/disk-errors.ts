/**
 * Translates disk errors into messages. They are neither the caller's fault nor a bug in this program, and a caller can
 * act only if the message names the cause. Details of the machine go to the log, not to the caller.
 */
import Sqlite from 'better-sqlite3'
import { type ErrorCode, ScriptoriumError } from '../../src/base/errors.ts'
import { UnusableFile } from './unusable-file.ts'

/** An error of the disk or its contents. `cause` is the error of SQLite or of the system. */
export class DiskError extends ScriptoriumError {
  /** For the log: the underlying error, such as `SQLITE_FULL: database or disk is full`. */
  readonly reason: string

  constructor({ code, message }: DiskErrorKind, cause: Error, reason: string) {
    super(code, message)
    this.name = 'DiskError'
    this.cause = cause
    this.reason = reason
  }
}

interface DiskErrorKind {
  code: ErrorCode
  message: string
}

const FULL: DiskErrorKind = {
  code: 'STORAGE_FULL',
  message:
    "Expected room on the server's disk, found it full; nothing was written. Ask the person who runs the server to free some, then try again.",
}
const FAILING: DiskErrorKind = {
  code: 'STORAGE_UNAVAILABLE',
  message:
    "Expected the server's disk to work, found that it fails to read or write. Ask the person who runs the server to check the disk, and before a write is tried again read whether it was done.",
}
const READ_ONLY: DiskErrorKind = {
  code: 'STORAGE_UNAVAILABLE',
  message:
    'Expected a space that can be written, found its file, its folder or its disk read-only; nothing was written. Ask the person who runs the server to make them writable, then try again.',
}
const NOT_OPENED: DiskErrorKind = {
  code: 'STORAGE_UNAVAILABLE',
  message:
    'Expected to open the files of the space, found that the system refuses it; nothing was written. Ask the person who runs the server to look at permissions and at the limit of open files, then try again.',
}
const DAMAGED: DiskErrorKind = {
  code: 'STORAGE_UNAVAILABLE',
  message:
    'Expected a sound space, found its file damaged; nothing was written. Ask the person who runs the server to run `scriptorium doctor`, and restore a backup.',
}
const UNUSABLE_FILE: DiskErrorKind = {
  code: 'STORAGE_UNAVAILABLE',
  message:
    'Expected to open the space, found that its file cannot be used; nothing was written. Ask the person who runs the server to read its log, which says why, then try again.',
}
const LOCKED: DiskErrorKind = {
  code: 'STORAGE_UNAVAILABLE',
  message: 'Expected the space to be free, found it held by another program; nothing was written, try again soon.',
}

/** By prefix of SQLite's error codes. */
const SQLITE_ERRORS: readonly (readonly [prefix: string, kind: DiskErrorKind])[] = [
  ['SQLITE_FULL', FULL],
  ['SQLITE_IOERR', FAILING],
  ['SQLITE_READONLY', READ_ONLY],
  ['SQLITE_PERM', READ_ONLY],
  ['SQLITE_CANTOPEN', NOT_OPENED],
  ['SQLITE_CORRUPT', DAMAGED],
  ['SQLITE_NOTADB', DAMAGED],
  ['SQLITE_BUSY', LOCKED],
  ['SQLITE_LOCKED', LOCKED],
]

/** By system error code. */
const SYSTEM_ERRORS: ReadonlyMap<string, DiskErrorKind> = new Map(
  Object.entries({
    ENOSPC: FULL,
    EDQUOT: FULL,
    EFBIG: FULL,
    EIO: FAILING,
    EROFS: READ_ONLY,
    EACCES: READ_ONLY,
    EPERM: READ_ONLY,
    EMFILE: NOT_OPENED,
    ENFILE: NOT_OPENED,
  }),
)
/** System calls on files. Sockets fail with some of the same codes. */
const FILE_ERRORS =
  /^(?:access|statfs|open|read|write|close|mkdir|rename|unlink|rm|rmdir|link|f?stat|lstat|scandir|f(?:data)?sync|f?truncate|copyfile|chmod)/

/** The disk error behind an error, either the error itself or one of its causes; undefined for any other error. */
export function toDiskError(error: unknown): DiskError | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DiskError) return error
  const kind = diskErrorKind(error)
  if (kind === undefined) return toDiskError(error.cause)
  const { code = error.name } = error as NodeJS.ErrnoException
  return new DiskError(kind, error, error.message.startsWith(code) ? error.message : `${code}: ${error.message}`)
}

function diskErrorKind(error: Error): DiskErrorKind | undefined {
  if (error instanceof Sqlite.SqliteError) return SQLITE_ERRORS.find(([prefix]) => error.code.startsWith(prefix))?.[1]
  if (error instanceof UnusableFile) return UNUSABLE_FILE
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  return FILE_ERRORS.test(syscall) ? SYSTEM_ERRORS.get(code) : undefined
}
