/**
 * The classes of characters that a pattern cannot tell apart. The machines run over classes: a table of their moves
 * then has a few columns and not a million.
 */
import { LAST_CODE_POINT, type Ranges } from './ranges.ts'

export class Alphabet {
  /** Classes of characters; the class after the last of them stands for the end of the text. */
  readonly size: number
  /** The class of each code unit, lone surrogates included. */
  readonly units: Uint16Array
  /** Where classes change beyond the units, and the class from there on. */
  readonly #bounds: Int32Array
  readonly #classes: Int32Array
  /** For each set and class whether the set holds its characters: a row of {@link size} and 1 for a set. */
  readonly sets: Uint8Array
  readonly #indices = new Map<Ranges, number>()

  constructor(sets: Iterable<Ranges>) {
    const distinct = new Map<string, Ranges[]>()
    for (const set of new Set(sets)) {
      const key = set.join()
      distinct.set(key, [...(distinct.get(key) ?? []), set])
    }
    const groups = [...distinct.values()]
    const firsts = groups.map(([first]) => first ?? [])
    this.#bounds = boundsOf(firsts)
    const { classes, size } = classesOf(this.#bounds, firsts)
    this.#classes = classes
    this.size = size
    this.units = new Uint16Array(0x10000)
    for (let index = 0; index < classes.length; index++) {
      this.units.fill(classes[index] ?? 0, this.#bounds[index], this.#bounds[index + 1])
    }
    this.sets = new Uint8Array(groups.length * (this.size + 1))
    for (const [index, group] of groups.entries()) {
      this.sets.set(this.classesIn(group[0] ?? []), index * (this.size + 1))
      for (const set of group) this.#indices.set(set, index)
    }
  }

  /** Which row of {@link sets} is the set's; it must be one of those that the alphabet was made of. */
  indexOf(set: Ranges): number {
    return this.#indices.get(set) ?? 0
  }

  /** For each class, 1 if the set holds its characters. The set must be one of those that the alphabet was made of. */
  classesIn(set: Ranges): Uint8Array {
    const result = new Uint8Array(this.size + 1)
    let at = 0
    for (let index = 0; index < this.#classes.length; index++) {
      const bound = this.#bounds[index] ?? 0
      while (at < set.length && (set[at + 1] ?? 0) < bound) at += 2
      if (at < set.length && (set[at] ?? 0) <= bound) result[this.#classes[index] ?? 0] = 1
    }
    return result
  }

  /** The class of an astral character. */
  classOf(codePoint: number): number {
    let low = 0
    let high = this.#bounds.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#bounds[middle] ?? 0) <= codePoint) low = middle
      else high = middle - 1
    }
    return this.#classes[low] ?? 0
  }
}

/** Where any of the sets begins or has ended, and 0. */
function boundsOf(sets: readonly Ranges[]): Int32Array {
  const bounds = new Set([0])
  for (const set of sets) {
    for (let at = 0; at < set.length; at += 2) {
      bounds.add(set[at] ?? 0)
      bounds.add((set[at + 1] ?? 0) + 1)
    }
  }
  bounds.delete(LAST_CODE_POINT + 1)
  return Int32Array.from(bounds).sort()
}

/** One set after another splits each class into what it holds of it and what it does not. */
function classesOf(bounds: Int32Array, sets: readonly Ranges[]): { classes: Int32Array; size: number } {
  const classes = new Int32Array(bounds.length)
  let fresh = 1
  for (const set of sets) {
    const inside = new Map<number, number>()
    let at = 0
    for (let index = 0; index < bounds.length && at < set.length; index++) {
      const bound = bounds[index] ?? 0
      while (at < set.length && (set[at + 1] ?? 0) < bound) at += 2
      if (at >= set.length || (set[at] ?? 0) > bound) continue
      const old = classes[index] ?? 0
      const split = inside.get(old) ?? fresh++
      inside.set(old, split)
      classes[index] = split
    }
  }
  const dense = new Map<number, number>()
  for (let index = 0; index < classes.length; index++) {
    const old = classes[index] ?? 0
    const number = dense.get(old) ?? dense.size
    dense.set(old, number)
    classes[index] = number
  }
  return { classes, size: dense.size }
}
