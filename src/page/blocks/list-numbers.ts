/** Numbers list items, for consecutive blocks with a level each. Also runs in browsers. */

/** The fields that numbering needs. */
export interface CountedBlock {
  level: number
  isNumbered: boolean
}

export class ListNumbers {
  /** By level: the number of items so far in the open list. */
  readonly #counts: number[] = []

  /** The number of the next block, such as `3.`, or `c.` one level deeper; empty for a block without a number. */
  next({ level, isNumbered }: CountedBlock): string {
    this.#counts.length = Math.min(this.#counts.length, level + 1)
    if (!isNumbered) {
      this.#counts[level] = 0
      return ''
    }
    const count = (this.#counts[level] ?? 0) + 1
    this.#counts[level] = count
    return `${level % 2 === 1 && count <= 26 ? String.fromCharCode(96 + count) : count}.`
  }
}
