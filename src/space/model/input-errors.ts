/** Collects the errors of one input, so that one answer lists them all. */
import { type FieldError, invalidFields, ScriptoriumError } from '../../base/errors.ts'
import { MAX_FIELD_ERRORS } from '../../base/limits.ts'

/** Keeps one error more than are reported, to know whether there are more. */
export class InputErrors {
  readonly #errors: FieldError[] = []

  /** True if there are more errors than are reported. Callers can stop looking for further ones. */
  get hasTooMany(): boolean {
    return this.#errors.length > MAX_FIELD_ERRORS
  }

  /** @param path  where in the input the error is, such as `blocks[2].color` */
  add(path: string, message: string): void {
    if (!this.hasTooMany) this.#errors.push({ path, message })
  }

  /** Returns the result of `work`. If it throws a validation error, adds that at `path` and returns undefined. */
  attempt<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.addError(path, error)
      return undefined
    }
  }

  /** Adds the message of a validation error. Rethrows any other error. */
  addError(path: string, error: unknown): void {
    if (!(error instanceof ScriptoriumError)) throw error
    this.add(path, error.message)
  }

  /** The errors so far. */
  get found(): readonly FieldError[] {
    return this.#errors
  }

  /** @throws VALIDATION_ERROR with all reported errors, if there are any */
  throwIfAny(): void {
    if (this.#errors.length > 0) throw invalidFields(this.#errors)
  }
}
