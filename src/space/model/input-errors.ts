/** The faults of one input, gathered so that one answer names them all. */
import { type FieldError, invalidFields, ScriptoriumError } from '../../base/errors.ts'
import { MAX_FIELD_ERRORS } from '../../base/limits.ts'

/** Keeps just enough of them to know that there are more than are reported. */
export class InputErrors {
  readonly #errors: FieldError[] = []

  /** Whether there are more than are reported: further ones change nothing and need not be looked for. */
  get hasTooMany(): boolean {
    return this.#errors.length > MAX_FIELD_ERRORS
  }

  /** @param path  where in the input it stands, such as `blocks[2].color` */
  add(path: string, message: string): void {
    if (!this.hasTooMany) this.#errors.push({ path, message })
  }

  /** What `rule` returns; what it throws is a fault at `path`. */
  attempt<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.addError(path, error)
      return undefined
    }
  }

  /** Of an error its words, where it says that the input is wrong; another is thrown on. */
  addError(path: string, error: unknown): void {
    if (!(error instanceof ScriptoriumError)) throw error
    this.add(path, error.message)
  }

  /** @throws VALIDATION_ERROR with all reported faults, when there are any */
  throwIfAny(): void {
    if (this.#errors.length > 0) throw invalidFields(this.#errors)
  }
}
