/** The error for files that are no use as spaces, on its own so that all that open files can throw it. */
import { ScriptoriumError } from '../../src/base/errors.ts'

/** A file that cannot be served, in one sentence for the person who named it. Nothing was changed. */
export class UnusableFile extends ScriptoriumError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message)
    this.name = 'UnusableFile'
  }
}
