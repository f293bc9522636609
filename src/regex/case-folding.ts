/** Case folding: which characters are equal to a case-insensitive pattern. */
import { codePointsIn, includesCodePoint, NO_CHARACTERS, type Ranges, rangesSize, unionRanges } from './ranges.ts'
import { rangesMatching } from './unicode-properties.ts'

/**
 * Adds every character that differs from one in the set only by case, by Unicode's simple folding (one character to
 * one). So `k` includes `K` and the Kelvin sign, and `ß` includes `ẞ` but never `ss`.
 */
export function foldCase(set: Ranges): Ranges {
  const added: number[] = []
  if (rangesSize(set) < MAX_SCANNED_ORBITS) {
    const { others } = orbits()
    for (const codePoint of codePointsIn(set)) for (const other of others.get(codePoint) ?? []) added.push(other, other)
  } else {
    // In a long range, nearly all letters already have their other cases in it, so few are added.
    const { pairs } = orbits()
    const [low = 0, high = 0] = set
    const isIn =
      set.length === 2 ? (one: number) => one >= low && one <= high : (one: number) => includesCodePoint(set, one)
    for (let at = 0; at < pairs.length; at += 2) {
      const other = pairs[at + 1] ?? 0
      if (isIn(pairs[at] ?? 0) && !isIn(other)) added.push(other, other)
    }
  }
  return added.length > 0 ? unionRanges([...set, ...added]) : set
}

/** Sets smaller than this are looked up character by character. For larger sets, all cased characters are scanned. */
const MAX_SCANNED_ORBITS = 100

/** Letters that language-specific casing joins and simple folding does not: the dotted and the dotless i. */
const NOT_FOLDED = new Set([0x130, 0x131])
/** Pairs that simple folding joins, although neither is the upper or lower case of the other. */
const EXTRA_PAIRS: readonly (readonly [number, number])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
]

/** Orbits of characters that differ only by case. */
interface Orbits {
  /** For each cased character, its whole orbit, including itself. */
  others: ReadonlyMap<number, readonly number[]>
  /** All ordered pairs of different characters of an orbit, flattened. */
  pairs: Int32Array
}

let cachedOrbits: Orbits | undefined

/** Built once, in a few milliseconds. */
function orbits(): Orbits {
  if (cachedOrbits !== undefined) return cachedOrbits
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
    // The upper case of ß is SS: two characters never equal one.
    if (other !== codePoint && text.length === String.fromCodePoint(other).length) join(codePoint, other)
  }
  const cased = [...codePointsIn(rangesMatching('\\p{Changes_When_Casemapped}') ?? NO_CHARACTERS)].filter(
    (one) => !NOT_FOLDED.has(one),
  )
  // One call for all is many times faster than one call each. The line feeds have no case, and keep Σ from being
  // treated as the end of a word.
  const lines = cased.map((codePoint) => String.fromCodePoint(codePoint)).join('\n')
  const lower = lines.toLowerCase().split('\n')
  const upper = lines.toUpperCase().split('\n')
  for (const [index, codePoint] of cased.entries()) {
    joinText(codePoint, lower[index] ?? '')
    joinText(codePoint, upper[index] ?? '')
  }
  for (const [one, other] of EXTRA_PAIRS) join(one, other)
  const pairs = [...groups].flatMap(([one, group]) => group.flatMap((other) => (other === one ? [] : [one, other])))
  cachedOrbits = { others: groups, pairs: Int32Array.from(pairs) }
  return cachedOrbits
}
