/** The faults of one input, gathered so that one answer names them all. */
import { type Fault, faultsFound, ScriptoriumError } from '../../errors.ts'

export class Faults {
  readonly #found: Fault[] = []

  add(path: string, message: string): void {
    this.#found.push({ path, message })
  }

  /** What `rule` returns; what it throws is a fault at `path`. */
  attempt<T>(path: string, rule: () => T): T | undefined {
    try {
      return rule()
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) throw error
      this.add(path, error.message)
      return undefined
    }
  }

  /** @throws VALIDATION_ERROR with all faults, when there are any */
  refuse(): void {
    if (this.#found.length > 0) throw faultsFound(this.#found)
  }
}
