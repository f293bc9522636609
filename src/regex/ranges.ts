/** Sets of characters, as sorted ranges of code points. */

/** First and last code point of each range, alternating. Ranges are sorted, not adjacent and never empty. */
export type Ranges = readonly number[]

export const LAST_CODE_POINT = 0x10ffff
export const ALL_CHARACTERS: Ranges = [0, LAST_CODE_POINT]
export const NO_CHARACTERS: Ranges = []

/** Merges ranges in any order, overlapping or not, into one set. */
export function unionRanges(ranges: Ranges): Ranges {
  const pairs: [from: number, to: number][] = []
  for (let at = 0; at + 1 < ranges.length; at += 2) pairs.push([ranges[at] ?? 0, ranges[at + 1] ?? 0])
  pairs.sort(([one], [other]) => one - other)
  const result: number[] = []
  for (const [from, to] of pairs) {
    const last = result.at(-1)
    if (last === undefined || from > last + 1) result.push(from, to)
    else if (to > last) result[result.length - 1] = to
  }
  return result
}

/** The complement: all code points not in the set. */
export function negateRanges(set: Ranges): Ranges {
  const result: number[] = []
  let from = 0
  for (let at = 0; at < set.length; at += 2) {
    const start = set[at] ?? 0
    if (start > from) result.push(from, start - 1)
    from = (set[at + 1] ?? 0) + 1
  }
  if (from <= LAST_CODE_POINT) result.push(from, LAST_CODE_POINT)
  return result
}

/** True if the set contains the code point. Binary search. */
export function includesCodePoint(set: Ranges, codePoint: number): boolean {
  let low = 0
  let high = set.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (codePoint < (set[middle * 2] ?? 0)) high = middle - 1
    else if (codePoint > (set[middle * 2 + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}

/** Number of code points in the set. */
export function rangesSize(set: Ranges): number {
  let count = 0
  for (let at = 0; at < set.length; at += 2) count += (set[at + 1] ?? 0) - (set[at] ?? 0) + 1
  return count
}

/** The code points of the set in ascending order. */
export function* codePointsIn(set: Ranges): Generator<number> {
  for (let at = 0; at < set.length; at += 2) {
    for (let codePoint = set[at] ?? 0; codePoint <= (set[at + 1] ?? 0); codePoint++) yield codePoint
  }
}
