/** Bounds how many streams and waiting requests one link has at once. */
import { STREAMS_PER_LINK } from '../base/limits.ts'

export class StreamLimit {
  /** How many each link has that has any. */
  readonly #open = new Map<string, number>()

  /** Counts one of a link; what it returns ends it. Undefined where the link has {@link STREAMS_PER_LINK} already. */
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
