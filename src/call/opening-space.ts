/** A space that is being opened, for requests that need it. */
import { describeMigration, type MigrationProgress } from '../../storage/migration-progress.ts'
import { ScriptoriumError } from '../base/errors.ts'

/** Seconds after which a client tries again while a space is migrated. */
const RETRY_SECONDS = 5

/** What opens a space reports here whether it is migrated first. */
export class Opening {
  readonly #stop = new AbortController()
  readonly #waiting = new Set<(error: unknown) => void>()
  #progress: MigrationProgress | undefined

  /** Aborted if the space is no longer needed. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get isMigrating(): boolean {
    return this.#progress !== undefined
  }

  /** Is called before a migration that takes long, and with each of its steps. */
  readonly onMigration = (progress: MigrationProgress): void => {
    this.#progress = progress
    for (const reject of this.#waiting) reject(this.#migrating(progress))
    this.#waiting.clear()
  }

  /**
   * Waits until the space is open, but not for a long migration.
   *
   * @throws MIGRATING, with the progress; what opening throws
   */
  async wait<T>(opening: Promise<T>): Promise<T> {
    if (this.#progress !== undefined) throw this.#migrating(this.#progress)
    const { promise, reject } = Promise.withResolvers<never>()
    this.#waiting.add(reject)
    try {
      return await Promise.race([opening, promise])
    } finally {
      this.#waiting.delete(reject)
    }
  }

  end(): void {
    this.#progress = undefined
  }

  stop(): void {
    this.#stop.abort(new Error('Expected a space to open, found the server ending.'))
  }

  #migrating(progress: MigrationProgress): ScriptoriumError {
    return new ScriptoriumError(
      'MIGRATING',
      `Expected a space of this version of Scriptorium, found that it is being migrated to it: ${describeMigration(progress)}. Nothing was done; try again in ${RETRY_SECONDS} seconds.`,
      [],
      RETRY_SECONDS,
    )
  }
}
