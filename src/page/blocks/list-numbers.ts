/** The numbers of list items, for blocks that stand one after another with a level each. Runs in browsers, too. */

/** What of a block counts. */
export interface CountedBlock {
  level: number
  isNumbered: boolean
}

export class ListNumbers {
  /** By level, how many of the list that is open there came already. */
  readonly #counts: number[] = []

  /** The number of the next block as it is shown: `3.`, `c.` one level deeper; empty for a block without. */
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
