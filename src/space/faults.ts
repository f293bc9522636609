/** The faults of one input, gathered so that one answer names them all. */
import { type Fault, faultsFound, ScriptoriumError } from '../errors.ts'
import { FAULTS_TOLD } from '../limits.ts'

/** No more of them are kept than it takes to see that there are more than are told. */
export class Faults {
  readonly #found: Fault[] = []

  /** Whether there are more than are told: further ones change nothing, and need not be looked for. */
  get areMany(): boolean {
    return this.#found.length > FAULTS_TOLD
  }

  /** @param path  where in the input it stands, such as `blocks[2].color` */
  add(path: string, message: string): void {
    if (!this.areMany) this.#found.push({ path, message })
  }

  /** What `rule` returns; what it throws is a fault at `path`. */
  attempt<T>(path: string, rule: () => T): T | undefined {
    try {
      return rule()
    } catch (error) {
      this.take(path, error)
      return undefined
    }
  }

  /** Of an error its words, where it says that the input is wrong; another is thrown on. */
  take(path: string, error: unknown): void {
    if (!(error instanceof ScriptoriumError)) throw error
    this.add(path, error.message)
  }

  /** @throws VALIDATION_ERROR with all faults that are told, when there are any */
  refuse(): void {
    if (this.#found.length > 0) throw faultsFound(this.#found)
  }
}
