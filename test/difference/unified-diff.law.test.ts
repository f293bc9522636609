/** Diffs of random texts are applied again, and must give the later text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PairCount } from '../../src/difference/pair-count.ts'
import { parseUnifiedDiff } from '../../src/difference/read-diff.ts'
import { writeUnifiedDiff } from '../../src/difference/unified-diff.ts'
import { runs } from '../support/runs.ts'

const line = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '- a', '-- a', '++ a', '', '@@ -1,1 +1,1 @@', '\\ x', '=========='),
  fc.string(),
)
const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.filter((one) => !one.includes('\n')))

/** Carries out the hunks of a diff. Their first lines say where they begin. */
function applied(before: readonly string[], diff: string): string[] {
  const starts = diff.split('\n').flatMap((one) => /^@@ -(\d+),(\d+) /.exec(one)?.slice(1, 3) ?? [])
  const [document] = parseUnifiedDiff(diff)
  const after: string[] = []
  let at = 0
  for (const [index, { lines }] of (document?.hunks ?? []).entries()) {
    const [start, count] = [Number(starts[2 * index]), Number(starts[2 * index + 1])]
    const first = count === 0 ? start : start - 1
    after.push(...before.slice(at, first))
    at = first
    for (const { sign, text } of lines) {
      if (sign !== '+') expect(before[at++]).toBe(text)
      if (sign !== '-') after.push(text)
    }
  }
  return [...after, ...before.slice(at)]
}

test('a diff has all that changed, however few pairs may be compared', () => {
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 300 }), (before, after, most) => {
      const pairs = new PairCount(most)
      const diff = writeUnifiedDiff(
        {
          title: 'Plan',
          before: before.map((one) => `${one}\n`).join(''),
          after: after.map((one) => `${one}\n`).join(''),
        },
        pairs,
      )
      expect(pairs.left).toBeGreaterThanOrEqual(0)
      expect(applied(before, diff)).toEqual(after)
    }),
    { numRuns: runs(300, 20_000) },
  )
})
