/** Limits the number of streams and waiting requests per link. */
import { STREAMS_PER_LINK } from '../base/limits.ts'

export class StreamLimit {
  /** The count of each link that has any. */
  readonly #open = new Map<string, number>()

  /** How many are open, over all links. */
  get count(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0)
  }

  /**
   * Counts one for a link.
   *
   * @returns a function that ends it; undefined if the link already has {@link STREAMS_PER_LINK}
   */
  open(linkId: string): (() => void) | undefined {
    const count = this.#open.get(linkId) ?? 0
    if (count >= STREAMS_PER_LINK) return undefined
    this.#open.set(linkId, count + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = (this.#open.get(linkId) ?? 1) - 1
      if (left === 0) this.#open.delete(linkId)
      else this.#open.set(linkId, left)
    }
  }
}
