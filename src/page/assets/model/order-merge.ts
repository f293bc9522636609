/** Pure functions that merge changes of others into the page. */
import { longestIncreasingSubsequence } from '../../../base/increasing-subsequence.ts'

/** A range of a text, and its replacement. */
export interface TextChange {
  from: number
  to: number
  insert: string
}

/**
 * The single replacement that turns one text into another. The common prefix and suffix stay, so that a caret there
 * keeps its place.
 */
export function textChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}

/**
 * Finds the blocks that must move to reach the wanted order: all except the longest run that is in order already.
 *
 * @param current  the current order, without deleted blocks
 * @param wanted  the wanted order; may contain further blocks
 */
export function movedIds(current: readonly string[], wanted: readonly string[]): Set<string> {
  const places = new Map(wanted.map((id, index) => [id, index]))
  const known = current.filter((id) => places.has(id))
  const staying = longestIncreasingSubsequence(known.map((id) => places.get(id) ?? 0))
  return new Set(known.filter((_, index) => !staying.has(index)))
}
