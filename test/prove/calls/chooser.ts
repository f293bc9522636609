/** Choices by chance, the same for the same seed. */
import { chance } from '../proof.ts'

export class Chooser {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = chance(seed)
  }

  /** Whether something that is so once in `times` is so now. */
  once(times: number): boolean {
    return this.#next() * times < 1
  }

  /** From 0 up to `below`. */
  number(below: number): number {
    return Math.floor(this.#next() * below)
  }

  one<T>(list: readonly T[]): T {
    const found = list[this.number(list.length)]
    if (found === undefined) throw new Error('Expected something to choose from.')
    return found
  }

  /** None where there is nothing to choose from. */
  any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.one(list)
  }

  /** Different ones, at most `most`, at least one if there are any. */
  some<T>(list: readonly T[], most = 3): T[] {
    const found = new Set<T>()
    const count = 1 + this.number(most)
    for (let times = 0; list.length > 0 && times < count; times++) found.add(this.one(list))
    return [...found]
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.number(most) }, make)
  }
}
