/** How what others wrote comes to what stands on a page, as functions of values alone. */

/** A stretch of a text, and what takes its place. */
export interface TextChange {
  from: number
  to: number
  insert: string
}

/** The one change that makes a text another: what both begin and end with stays, so that a caret there does. */
export function textChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}

/** What is to be done with a text that may have changed on both sides. */
export type Merged = 'keep' | 'take' | 'choose'

/**
 * @param base  what both sides began with
 * @param mine  what stands on the page, whether it was sent or not
 * @param theirs  what the server has
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  if (theirs === base || theirs === mine) return 'keep'
  return mine === base ? 'take' : 'choose'
}

/**
 * Which of these have to move so that they stand in another order: all but the longest run that is in order already.
 *
 * @param current  as they stand, without what is gone
 * @param wanted  as they are to stand; may have more
 */
export function movedIds(current: readonly string[], wanted: readonly string[]): Set<string> {
  const places = new Map(wanted.map((id, index) => [id, index]))
  const known = current.filter((id) => places.has(id))
  // Longest increasing subsequence: `ends[n]` is where the best run of n + 1 ends.
  const ends: number[] = []
  const before: (number | undefined)[] = []
  const placeAt = (index: number): number => places.get(known[index] ?? '') ?? 0
  for (const index of known.keys()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (placeAt(ends[middle] ?? 0) < placeAt(index)) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? undefined : ends[low - 1]
    ends[low] = index
  }
  const staying = new Set<string>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) staying.add(known[index] ?? '')
  return new Set(known.filter((id) => !staying.has(id)))
}
