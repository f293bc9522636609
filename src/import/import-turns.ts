/**
 * Which imports of this process may have a thread. Each thread may take much memory, so only a few run, and the others
 * wait for their turn. An import that does not use its thread for a while, as while it waits for a rate limit, loses its
 * turn if another one waits.
 */
import { IMPORTS_AT_ONCE } from '../base/limits.ts'

/** Milliseconds after which an unused thread can be ended. */
const IDLE_MS = 5_000
const CHECK_MS = 1_000

/** An import that has a thread, or waits for one. */
export interface TurnHolder {
  /** Ends its thread, which is not answering anything. The next work starts another. */
  giveUp(): void
}

interface Turn {
  /** The number of answers that it waits for. */
  working: number
  /** The time of the last answer, in terms of performance.now(). */
  usedAt: number
}

export class ImportTurns {
  readonly #most: number
  readonly #turns = new Map<TurnHolder, Turn>()
  readonly #waiting = new Map<TurnHolder, PromiseWithResolvers<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** True if another import would not have to wait. */
  get isFree(): boolean {
    return this.#waiting.size === 0 && (this.#turns.size < this.#most || this.#idle() !== undefined)
  }

  /** Runs work that needs the thread of an import, once it is its turn. */
  async run<T>(holder: TurnHolder, work: () => Promise<T>): Promise<T> {
    const turn = await this.#turnOf(holder)
    turn.working++
    try {
      return await work()
    } finally {
      turn.working--
      turn.usedAt = performance.now()
    }
  }

  /** The import needs no thread any more. */
  end(holder: TurnHolder): void {
    this.#turns.delete(holder)
    this.#startWaiting()
  }

  async #turnOf(holder: TurnHolder): Promise<Turn> {
    for (;;) {
      const turn = this.#turns.get(holder)
      if (turn !== undefined) return turn
      const waiting = this.#waiting.get(holder) ?? Promise.withResolvers<void>()
      this.#waiting.set(holder, waiting)
      this.#startWaiting()
      await waiting.promise
    }
  }

  /** Those that have waited for longest go first. */
  #startWaiting(): void {
    for (const [holder, { resolve }] of this.#waiting) {
      if (this.#turns.size >= this.#most && !this.#endIdle()) break
      this.#waiting.delete(holder)
      this.#turns.set(holder, { working: 0, usedAt: performance.now() })
      resolve()
    }
    if (this.#waiting.size > 0) {
      this.#timer ??= setInterval(() => this.#startWaiting(), CHECK_MS).unref()
    } else {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  /** @returns whether there was an unused thread */
  #endIdle(): boolean {
    const holder = this.#idle()
    if (holder === undefined) return false
    this.#turns.delete(holder)
    holder.giveUp()
    return true
  }

  /** An import that has not used its thread for a while. */
  #idle(): TurnHolder | undefined {
    const now = performance.now()
    for (const [holder, { working, usedAt }] of this.#turns) {
      if (working === 0 && now - usedAt >= IDLE_MS) return holder
    }
    return undefined
  }
}

/** The turns of all imports of this process. */
export const importTurns = new ImportTurns(IMPORTS_AT_ONCE)
