/** Reads for many webhooks: what those of one link wait for is read in one transaction. */

import { inBackground } from '../base/background.ts'

/** Transactions at the same time, so that other calls find free connections to the database. */
const READS_AT_ONCE = 2

type Read<T> = (numbers: readonly number[], give: (n: number, found: T | undefined) => void) => Promise<void>

export class ReadsTogether<T> {
  readonly #read: Read<T>
  /** Those that wait, by link and by number. */
  readonly #waiting = new Map<string, Map<number, PromiseWithResolvers<T | undefined>>>()
  #running = 0

  /** @param read  gives what it found for each number, or nothing */
  constructor(read: Read<T>) {
    this.#read = read
  }

  /** Asks for a webhook, which asks again only once it was answered. */
  read(linkId: string, n: number): Promise<T | undefined> {
    const waiting = this.#waiting.get(linkId) ?? new Map()
    this.#waiting.set(linkId, waiting)
    const answer = Promise.withResolvers<T | undefined>()
    waiting.set(n, answer)
    // Those that ask now are read together.
    queueMicrotask(() => this.#begin())
    return answer.promise
  }

  #begin(): void {
    const [next] = this.#waiting
    if (next === undefined || this.#running >= READS_AT_ONCE) return
    const [linkId, asking] = next
    this.#waiting.delete(linkId)
    this.#running++
    inBackground('read what subscriptions wait for', () => this.#answer(asking))
  }

  /** What was not found is answered as well. */
  async #answer(asking: ReadonlyMap<number, PromiseWithResolvers<T | undefined>>): Promise<void> {
    try {
      await this.#read([...asking.keys()], (n, found) => asking.get(n)?.resolve(found))
      for (const { resolve } of asking.values()) resolve(undefined)
    } catch (error) {
      for (const { reject } of asking.values()) reject(error)
    } finally {
      this.#running--
      this.#begin()
    }
  }
}
