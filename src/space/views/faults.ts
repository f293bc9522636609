/** The faults of one input, each with its path, so that one answer names them all. */
import { type Fault, invalid, ScriptoriumError } from '../../errors.ts'

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

  /** @throws VALIDATION_ERROR with all faults, the first in its sentence, when there are any */
  refuse(): void {
    const [first, ...more] = this.#found
    if (first === undefined) return
    const rest = more.length > 0 ? ` (${more.length} more in details)` : ''
    throw invalid(`At ${first.path}: ${first.message}${rest}`, this.#found)
  }
}
