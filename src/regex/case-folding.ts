/** Letter case: which characters are the same to a pattern that does not tell cases apart. */
import { codePointsIn, includesCodePoint, NO_CHARACTERS, type Ranges, rangesSize, unionRanges } from './ranges.ts'
import { rangesMatching } from './unicode-properties.ts'

/**
 * The set, with every character that differs from one of its own by case alone: Unicode's simple folding, one
 * character for one. So `k` brings `K` and the Kelvin sign, and `ß` brings `ẞ` but never `ss`.
 */
export function foldCase(set: Ranges): Ranges {
  const more: number[] = []
  if (rangesSize(set) < MAX_SCANNED_ORBITS) {
    const { others } = orbits()
    for (const codePoint of codePointsIn(set)) for (const other of others.get(codePoint) ?? []) more.push(other, other)
  } else {
    // Of the letters of a long range, nearly all have their other cases in it: few are left to be sorted in.
    const { pairs } = orbits()
    const [low = 0, high = 0] = set
    const isIn =
      set.length === 2 ? (one: number) => one >= low && one <= high : (one: number) => includesCodePoint(set, one)
    for (let at = 0; at < pairs.length; at += 2) {
      const other = pairs[at + 1] ?? 0
      if (isIn(pairs[at] ?? 0) && !isIn(other)) more.push(other, other)
    }
  }
  return more.length > 0 ? unionRanges([...set, ...more]) : set
}

/** Characters whose cases are sought one by one; for more, all that have cases are gone through. */
const MAX_SCANNED_ORBITS = 100

/** Letters that a language's own upper case joins, and simple folding does not: the dotted and the dotless i. */
const NOT_FOLDED = new Set([0x130, 0x131])
/** Letters that simple folding joins, though neither is the upper or lower case of the other. */
const EXTRA_PAIRS: readonly (readonly [number, number])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
]

/** Characters that are the same but for case. */
interface Orbits {
  /** Of each character with a case, all of them, itself included. */
  others: ReadonlyMap<number, readonly number[]>
  /** Each with each other, one after another. */
  pairs: Int32Array
}

let made: Orbits | undefined

/** Made once, in some milliseconds. */
function orbits(): Orbits {
  if (made !== undefined) return made
  const groups = new Map<number, number[]>()
  const join = (one: number, other: number): void => {
    const group = groups.get(one) ?? [one]
    const joined = groups.get(other) ?? [other]
    if (group === joined) return
    group.push(...joined)
    for (const codePoint of group) groups.set(codePoint, group)
  }
  const joinText = (codePoint: number, text: string): void => {
    const other = text.codePointAt(0) ?? codePoint
    // ß is SS in upper case: two characters are never one.
    if (other !== codePoint && text.length === String.fromCodePoint(other).length) join(codePoint, other)
  }
  const cased = [...codePointsIn(rangesMatching('\\p{Changes_When_Casemapped}') ?? NO_CHARACTERS)].filter(
    (one) => !NOT_FOLDED.has(one),
  )
  // All in one go, which is many times quicker than one by one; a line feed has no case, and gives Σ no end of a word.
  const lines = cased.map((codePoint) => String.fromCodePoint(codePoint)).join('\n')
  const lower = lines.toLowerCase().split('\n')
  const upper = lines.toUpperCase().split('\n')
  for (const [index, codePoint] of cased.entries()) {
    joinText(codePoint, lower[index] ?? '')
    joinText(codePoint, upper[index] ?? '')
  }
  for (const [one, other] of EXTRA_PAIRS) join(one, other)
  const pairs = [...groups].flatMap(([one, group]) => group.flatMap((other) => (other === one ? [] : [one, other])))
  made = { others: groups, pairs: Int32Array.from(pairs) }
  return made
}
