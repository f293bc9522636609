/** Letter case: which characters are the same to a pattern that does not tell cases apart. */
import { holds, members, NOTHING, type Ranges, size, united } from './ranges.ts'
import { rangesMatching } from './unicode.ts'

/**
 * The set, with every character that differs from one of its own by case alone: Unicode's simple folding, one
 * character for one. So `k` brings `K` and the Kelvin sign, and `ß` brings `ẞ` but never `ss`.
 */
export function folded(set: Ranges): Ranges {
  const more: number[] = []
  const add = (others: readonly number[]): void => {
    for (const other of others) more.push(other, other)
  }
  if (size(set) < FEW) {
    for (const codePoint of members(set)) add(orbits().get(codePoint) ?? [])
  } else {
    // Of the letters of a long range, nearly all have their other cases in it: few are left to be sorted in.
    const lacking = (others: readonly number[]): number[] => others.filter((other) => !holds(set, other))
    for (const [codePoint, others] of orbits()) if (holds(set, codePoint)) add(lacking(others))
  }
  return more.length > 0 ? united([...set, ...more]) : set
}

/** Characters whose cases are sought one by one; for more, all that have cases are gone through. */
const FEW = 100

/** Letters that a language's own upper case joins, and simple folding does not: the dotted and the dotless i. */
const APART = new Set([0x130, 0x131])
/** Letters that simple folding joins, though neither is the upper or lower case of the other. */
const TOGETHER: readonly (readonly [number, number])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
]

let made: Map<number, readonly number[]> | undefined

/** For each character with a case, all that are the same but for case. Made once, in some milliseconds. */
function orbits(): Map<number, readonly number[]> {
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
  for (const codePoint of members(rangesMatching('\\p{Changes_When_Casemapped}') ?? NOTHING)) {
    if (APART.has(codePoint)) continue
    const text = String.fromCodePoint(codePoint)
    joinText(codePoint, text.toLowerCase())
    joinText(codePoint, text.toUpperCase())
  }
  for (const [one, other] of TOGETHER) join(one, other)
  made = groups
  return made
}
