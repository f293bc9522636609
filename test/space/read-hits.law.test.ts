/** Which documents match all entries of a search, however little of the index is read at once. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DOCUMENTS_PER_SEARCH } from '../../src/base/limits.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { rankDocuments } from '../../src/space/search/rank-documents.ts'
import { HIT_LIMITS, type HitLimits } from '../../src/space/search/read-term-hits.ts'
import { resolveScope } from '../../src/space/search/search-scope.ts'
import { parseEntry } from '../../src/space/search/search-terms.ts'
import { connect } from '../connect.ts'
import { runs } from '../support/runs.ts'

/** Later words are in fewer documents. */
const WORDS = 'alder birch cedar dogwood elder figtree gingko hazel ivory juniper kapok larch maple nutmeg oaken'.split(
  ' ',
)
const DOCUMENTS = 150

/** Small enough that nearly every search needs further reads. */
const limits: fc.Arbitrary<HitLimits> = fc.record({
  first: fc.integer({ min: 1, max: 60 }),
  perTerm: fc.integer({ min: 1, max: 20 }),
  maxProbed: fc.integer({ min: 0, max: 5 }),
  batchSize: fc.integer({ min: 1, max: 40 }),
})
const include = fc.array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }), {
  minLength: 2,
  maxLength: 5,
})

/** A space in which each word is in fewer documents than the one before, in separate blocks. */
async function filled(): Promise<OpenSpace> {
  const { call, space } = await connect()
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => {
    const lines = WORDS.filter((_, rank) => (n * 7919 + rank * 104_729) % (rank + 2) === 0)
    return { title: `Document ${n}`, markdown: lines.join('\n\n') }
  })
  await call('documents_add', { documents })
  return space
}

test('the weight of a word is about the same however few of its hits are read', async () => {
  const space = await filled()
  await space.read(OPERATOR_LINK, async (view) => {
    const scope = await resolveScope(view, {})
    const weights = async (entries: readonly string[], limits: HitLimits) => {
      const ranking = await rankDocuments(view, scope, entries.map(parseEntry), limits)
      return [...ranking.weights.values()]
    }
    const little: HitLimits = { first: 20, perTerm: 20, maxProbed: 64, batchSize: 40 }
    for (const entries of [['alder oaken'], ['alder', 'birch', 'oaken'], ['alder', 'cedar', 'dogwood', 'elder']]) {
      const all = await weights(entries, HIT_LIMITS)
      for (const [index, weight] of (await weights(entries, little)).entries()) {
        expect(weight / (all[index] ?? 0), `${entries} ${index}`).toBeGreaterThan(0.75)
        expect(weight / (all[index] ?? 0), `${entries} ${index}`).toBeLessThan(1.25)
      }
    }
  })
})

test('reading some hits finds the same documents as reading all or enough of them', { timeout: 60_000 }, async () => {
  const space = await filled()
  const isInTheFirst = (n: number, count: number) => n <= count
  await fc.assert(
    fc.asyncProperty(include, limits, fc.boolean(), async (words, little, isNarrow) => {
      await space.read(OPERATOR_LINK, async (view) => {
        const whole = await resolveScope(view, {})
        const scope = isNarrow ? { ...whole, has: (n: number) => isInTheFirst(n, 600) } : whole
        const entries = words.map((some) => parseEntry(some.join(' ')))
        const all = await rankDocuments(view, scope, entries, { ...HIT_LIMITS, first: 1e6 })
        const found = await rankDocuments(view, scope, entries, little)
        const [expected, numbers] = [all, found].map(({ ranked }) => new Set(ranked.map(({ n }) => n)))
        expect(expected?.isSupersetOf(numbers ?? new Set())).toBe(true)
        expect(numbers?.size).toBeGreaterThanOrEqual(Math.min(DOCUMENTS_PER_SEARCH, expected?.size ?? 0))
      })
    }),
    { numRuns: runs(30, 200) },
  )
})
