/** Finds which elements of two sequences are the same, in the same order. */

/** How many pairs of elements are compared at most, beyond the same beginning and end. */
const PAIRS = 2_000_000

/**
 * Returns for each element of the first sequence the index of its partner in the second; -1 if it has none. As many as
 * possible have one, unless too many would have to be compared.
 */
export function matchSequences<One, Other>(
  first: readonly One[],
  second: readonly Other[],
  isSame: (one: One | undefined, other: Other | undefined) => boolean,
): number[] {
  const partners = new Array<number>(first.length).fill(-1)
  let start = 0
  while (start < first.length && start < second.length && isSame(first[start], second[start])) partners[start] = start++
  let [firstEnd, secondEnd] = [first.length, second.length]
  while (firstEnd > start && secondEnd > start && isSame(first[firstEnd - 1], second[secondEnd - 1])) {
    partners[--firstEnd] = --secondEnd
  }
  const [rows, columns] = [firstEnd - start, secondEnd - start]
  if (rows === 0 || columns === 0 || rows * columns > PAIRS) return partners
  // The length of the longest common part of what follows each pair.
  const width = columns + 1
  const common = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number): number => common[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      common[row * width + column] = isSame(first[start + row], second[start + column])
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isSame(first[start + row], second[start + column])) partners[start + row++] = start + column++
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return partners
}
