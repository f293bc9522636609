/** Pure functions that merge changes of others into the page. */
import { longestIncreasingSubsequence } from '../../../base/increasing-subsequence.ts'

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
