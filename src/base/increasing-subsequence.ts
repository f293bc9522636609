/** Used by the rules and by scripts of the page. */

/**
 * Returns the indexes of the longest increasing subsequence: what can stay in place while everything else moves (patience
 * sorting, O(n log n)).
 */
export function longestIncreasingSubsequence(numbers: readonly number[]): Set<number> {
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? ends[low - 1] : undefined
    ends[low] = index
  }
  const indexes = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) indexes.add(index)
  return indexes
}
