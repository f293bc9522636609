/**
 * Runs one piece of work after another, and lets those that it is done for take turns: if one of them asks for much at
 * once, each of the others waits for one piece of it, and not for all.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const currentOwner = new AsyncLocalStorage<string>()

/** Runs work whose requests to a {@link FairQueue} count for an owner, such as a link. */
export const forOwner = <T>(owner: string, work: () => T): T => currentOwner.run(owner, work)

/** The owner that work counts for here; empty outside of {@link forOwner}. */
export const ownerOfWork = (): string => currentOwner.getStore() ?? ''

type Start = () => void

export class FairQueue {
  /** By owner, in the order of their turns. */
  readonly #waiting = new Map<string, Start[]>()
  #isBusy = false

  /** Runs work when it is the turn of its owner. The work of one owner runs in the order in which it came. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait()
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const owner = ownerOfWork()
    const waiting = this.#waiting.get(owner) ?? []
    waiting.push(resolve)
    this.#waiting.set(owner, waiting)
    return promise
  }

  /** The queue stays busy until the work has started, so that nothing that comes meanwhile overtakes it. */
  #startNext(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#isBusy = false
      return
    }
    const [owner, waiting] = next
    const start = waiting.shift()
    this.#waiting.delete(owner)
    if (waiting.length > 0) this.#waiting.set(owner, waiting)
    start?.()
  }
}
