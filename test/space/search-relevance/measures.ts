/** Measures the quality of a ranking by the grades of judged documents. */

/** The number of results that count. */
const CUTOFF = 10

/**
 * Normalized discounted cumulative gain of the first ten: 1 for the best possible order, 0 if nothing relevant is among
 * them. A grade g gains 2^g - 1, at position i (from 1) divided by log2(i + 1).
 *
 * @param found  names in the order of the results
 */
export function ndcg(found: readonly string[], relevant: Readonly<Record<string, number>>): number {
  const best = Object.values(relevant).toSorted((one, other) => other - one)
  const ideal = discountedGain(best)
  return ideal === 0 ? 0 : discountedGain(found.map((name) => relevant[name] ?? 0)) / ideal
}

const discountedGain = (grades: readonly number[]): number =>
  grades.slice(0, CUTOFF).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

/** The reciprocal rank of the first relevant result; 0 if there is none. */
export function reciprocalRank(found: readonly string[], relevant: Readonly<Record<string, number>>): number {
  const place = found.findIndex((name) => (relevant[name] ?? 0) > 0)
  return place < 0 ? 0 : 1 / (place + 1)
}

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
