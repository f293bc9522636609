/**
 * Groups characters into equivalence classes that a pattern cannot tell apart. The automata run over classes, so a
 * transition table has a few columns instead of a million.
 */
import { LAST_CODE_POINT, type Ranges } from './ranges.ts'

export class Alphabet {
  /** Number of character classes. The next number denotes the end of the text. */
  readonly size: number
  /** The class of each UTF-16 code unit, lone surrogates included. */
  readonly units: Uint16Array
  /** Code points where the class changes, and the class from there on. */
  readonly #bounds: Int32Array
  readonly #classes: Int32Array
  /** 1 if the set contains the characters of the class. Each set has a row of {@link size} + 1 entries. */
  readonly sets: Uint8Array
  readonly #indices = new Map<Ranges, number>()

  constructor(sets: Iterable<Ranges>) {
    const groups = [...Map.groupBy(new Set(sets), (set) => set.join()).values()]
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

  /** The set's row in {@link sets}. The set must be one of those that the alphabet was built from. */
  indexOf(set: Ranges): number {
    return this.#indices.get(set) ?? 0
  }

  /**
   * For each class, 1 if the set contains its characters. The set must be one of those that the alphabet was built
   * from.
   */
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

  /** The class of any code point; needed only beyond the code units. */
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

/** 0 and every code point where a set begins or has just ended. */
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

/** Refines the classes set by set: each class is split into the part inside the set and the rest. */
function classesOf(bounds: Int32Array, sets: readonly Ranges[]): { classes: Int32Array; size: number } {
  const classes = new Int32Array(bounds.length)
  let nextClass = 1
  for (const set of sets) {
    const inside = new Map<number, number>()
    let at = 0
    for (let index = 0; index < bounds.length && at < set.length; index++) {
      const bound = bounds[index] ?? 0
      while (at < set.length && (set[at + 1] ?? 0) < bound) at += 2
      if (at >= set.length || (set[at] ?? 0) > bound) continue
      const old = classes[index] ?? 0
      const split = inside.get(old) ?? nextClass++
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
