/**
 * The error for files that cannot be used as spaces, in its own module so that every module that opens files can throw
 * it.
 */
import { ScriptoriumError } from '../../src/base/errors.ts'

/** A file that cannot be used. The message is one sentence for the person who named the file. Nothing was changed. */
export class UnusableFile extends ScriptoriumError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message)
    this.name = 'UnusableFile'
  }
}
