/** Faults of a database that are neither the caller's nor a bug of this program. */
import { type ErrorCode, ScriptoriumError } from '../src/base/errors.ts'

/**
 * A fault of the database or the file storage. Its message is for the caller and has no details of the machine. Its
 * cause is the original error.
 */
export class StorageFault extends ScriptoriumError {
  /** For the log: the message of the error from the database or the file storage. */
  readonly reason: string

  constructor(code: ErrorCode, message: string, cause: Error) {
    super(code, message)
    this.name = 'StorageFault'
    this.cause = cause
    this.reason = cause.message
  }
}

/**
 * The connection was lost before the database confirmed a COMMIT, so the changes may or may not be written. The next
 * write of the space begins only once that is decided.
 */
export class CommitUnknown extends StorageFault {
  constructor(cause: Error) {
    super(
      'CONFLICT',
      'Expected the database to confirm the write, found the connection lost before it did, so the write may or may not have happened; read what is there before trying again. If calls have an idempotency key, the server finds out by itself.',
      cause,
    )
    this.name = 'CommitUnknown'
  }
}
