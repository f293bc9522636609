/** Where the fences of code and formulas are in a text, so that each run of signs is looked at only once. */
export class FencePlaces {
  /** The indexes of the fences of each length, from left to right. */
  readonly #starts = new Map<number, number[]>()

  constructor(fences: Iterable<{ at: number; length: number }>) {
    for (const { at, length } of fences) {
      const starts = this.#starts.get(length)
      if (starts === undefined) this.#starts.set(length, [at])
      else starts.push(at)
    }
  }

  /** The next fence of this length that is at `from` or behind. */
  next(length: number, from: number): number | undefined {
    const starts = this.#starts.get(length) ?? []
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) < from) low = middle + 1
      else high = middle
    }
    return starts[low]
  }
}
