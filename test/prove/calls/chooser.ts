/** Random choices, which are the same for the same seed. */
import { chance } from '../proof.ts'

export class Chooser {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = chance(seed)
  }

  /** Returns true with a probability of 1 in `times`. */
  once(times: number): boolean {
    return this.#next() * times < 1
  }

  /** Returns an integer from 0 up to but not including `below`. */
  number(below: number): number {
    return Math.floor(this.#next() * below)
  }

  one<T>(list: readonly T[]): T {
    const found = list[this.number(list.length)]
    if (found === undefined) throw new Error('Expected something to choose from.')
    return found
  }

  /** Returns undefined if the list is empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.one(list)
  }

  /** Returns different entries: at most `most`, and at least one unless the list is empty. */
  some<T>(list: readonly T[], most = 3): T[] {
    const found = new Set<T>()
    const count = 1 + this.number(most)
    for (let times = 0; list.length > 0 && times < count; times++) found.add(this.one(list))
    return [...found]
  }

  /** Returns all entries in another order. */
  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list]
    const found: T[] = []
    while (left.length > 0) found.push(...left.splice(this.number(left.length), 1))
    return found
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.number(most) }, make)
  }
}
