import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestIncreasingSubsequence } from '../../src/base/increasing-subsequence.ts'

const numbersOf = (numbers: readonly number[]): number[] =>
  [...longestIncreasingSubsequence(numbers)].sort((one, other) => one - other).map((index) => numbers[index] as number)

test('what is in order stays', () => {
  expect(numbersOf([3, 1, 2, 5, 4])).toEqual([1, 2, 4])
  expect(numbersOf([1, 2, 3])).toEqual([1, 2, 3])
  expect(numbersOf([3, 2, 1])).toEqual([1])
  expect(numbersOf([])).toEqual([])
})

/** The length of the longest one, by trying all endings. */
function longestBySquares(numbers: readonly number[]): number {
  const best = numbers.map(() => 1)
  for (const [index, number] of numbers.entries())
    for (let before = 0; before < index; before++)
      if ((numbers[before] as number) < number)
        best[index] = Math.max(best[index] as number, (best[before] as number) + 1)
  return Math.max(0, ...best)
}

test('it increases, and none is longer', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 }), (numbers) => {
      const found = numbersOf(numbers)
      expect(found).toEqual([...new Set(found)].sort((one, other) => one - other))
      expect(found).toHaveLength(longestBySquares(numbers))
    }),
  )
})
