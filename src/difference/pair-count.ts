/** Counts the pairs of lines or words that are compared, so that comparing ends by a count and not by the clock. */

/** Thrown when the limit is reached. Libraries pass it through to {@link PairCount.within}. */
class LimitReached extends Error {}

export class PairCount {
  #left: number
  #isReached = false

  /** @param most  pairs that may be compared */
  constructor(most: number) {
    this.#left = most
  }

  /** Pairs that may still be compared. */
  get left(): number {
    return this.#left
  }

  /** True once more pairs were needed than were left. */
  get isReached(): boolean {
    return this.#isReached
  }

  /** True if so many pairs may still be compared. */
  suffices(count: number): boolean {
    if (count > this.#left) this.#isReached = true
    return count <= this.#left
  }

  /** Compares a pair. Pass it to a library as its comparator, inside of {@link within}. */
  readonly areEqual = <T>(one: T, other: T): boolean => {
    if (!this.suffices(1)) throw new LimitReached()
    this.#left--
    return one === other
  }

  /** Returns the result of work that compares pairs; undefined if it needs more of them than are left. */
  within<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (error instanceof LimitReached) return undefined
      throw error
    }
  }
}
