/** Numbers list items, for consecutive blocks with a level each. Also runs in browsers. */

import { MAX_LIST_NUMBER } from './block.ts'

/** The fields that numbering needs. */
export interface CountedBlock {
  level: number
  isNumbered: boolean
  /** The number of the block, if counting would give another one. */
  number?: number | undefined
}

/** The number of an item. */
export interface ItemNumber {
  count: number
  /** True if its list has a number that counting would not give. */
  isOwn: boolean
}

export class ListNumbers {
  /** By level: the last item of the open list. */
  readonly #lists: (ItemNumber | undefined)[] = []

  /** The number that counting gives the next item at a level. After nine digits it begins again. */
  automatic(level: number): number {
    return (this.count(level) % MAX_LIST_NUMBER) + 1
  }

  /** The number of the last item of the open list at a level; 0 for none. */
  count(level: number): number {
    return this.#lists[level]?.count ?? 0
  }

  /** True if an item at this level would continue a list. */
  isOpen(level: number): boolean {
    return this.#lists[level] !== undefined
  }

  /** Counts the next block. Returns undefined for a block without a number. */
  next({ level, isNumbered, number }: CountedBlock): ItemNumber | undefined {
    const list = this.#lists[level]
    this.#lists.length = Math.min(this.#lists.length, level + 1)
    const item = isNumbered
      ? { count: number ?? this.automatic(level), isOwn: number !== undefined || list?.isOwn === true }
      : undefined
    this.#lists[level] = item
    return item
  }

  /** Counts the next block, and returns its number if counting gives another one. */
  nextOwn(block: CountedBlock): number | undefined {
    const number = block.number === this.automatic(block.level) ? undefined : block.number
    return this.next({ ...block, number })?.count === number ? number : undefined
  }
}

/** How an item is shown: `3.`, or `c.` one level deeper unless its list has a number of its own. */
export function itemLabel(level: number, { count, isOwn }: ItemNumber): string {
  return `${level % 2 === 1 && !isOwn && count <= 26 ? String.fromCharCode(96 + count) : count}.`
}
