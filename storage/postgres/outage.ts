/**
 * Notices a database that does not answer. As soon as one connection is lost, one task tries to reach the database on a
 * new connection, on behalf of all callers. If it succeeds, only old connections were broken. If it does not for a
 * while, callers get an error at once, until the database answers again.
 */

/** A connection attempt. Rejects if the database cannot be reached. */
type Reach = () => Promise<void>

export interface OutageOptions {
  /** Milliseconds for which callers wait for a database that does not answer, as while a standby takes over. */
  patience: number
  /** Milliseconds between two attempts to reach it. */
  pause: number
  /** Called when the database has not answered for as long as callers wait. */
  onDeclared(): void
}

export class Outage {
  readonly #reach: Reach
  readonly #options: OutageOptions
  /** Rejects once callers have waited for long enough; undefined while the database answers. */
  #declared: PromiseWithResolvers<never> | undefined
  #isClosed = false
  #trying: Promise<void> | undefined

  constructor(reach: Reach, options: OutageOptions) {
    this.#reach = reach
    this.#options = options
  }

  /** Begins to reach for the database. No effect while it does already. @param error  how the connection was lost */
  notice(error: unknown): void {
    if (this.#trying !== undefined || this.#isClosed) return
    const declared = Promise.withResolvers<never>()
    // There may be no caller that waits.
    declared.promise.catch(() => {})
    this.#declared = declared
    let last = error
    const timer = setTimeout(() => {
      this.#options.onDeclared()
      declared.reject(last)
    }, this.#options.patience)
    this.#trying = this.#try((failure) => {
      last = failure
    }).finally(() => {
      clearTimeout(timer)
      this.#trying = undefined
      this.#declared = undefined
    })
  }

  /** Waits for work that needs the database. @throws how the database was lost, once it is declared unreachable */
  async during<T>(work: Promise<T>): Promise<T> {
    if (this.#declared === undefined) return work
    return Promise.race([work, this.#declared.promise])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#trying
  }

  async #try(failed: (error: unknown) => void): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#reach()
        return
      } catch (error) {
        failed(error)
        await new Promise((resolve) => setTimeout(resolve, this.#options.pause).unref())
      }
    }
  }
}
