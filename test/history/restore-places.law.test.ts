/** Places among siblings, compared with a simple list. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ReturningBlock, SiblingOrder } from '../../src/space/history/restore-places.ts'
import { runs } from '../support/runs.ts'

interface Place {
  n: number
  position: number
}

/** The rule in words: after the block before it, or before the first one with a later position. */
function insertInList(list: Place[], { n, position, previous }: Pick<ReturningBlock, 'n' | 'position' | 'previous'>) {
  const before = previous === null ? -1 : list.findIndex((place) => place.n === previous)
  const isUnknown = previous !== null && before < 0
  const next = isUnknown ? list.findIndex((place) => place.position > position) : before + 1
  list.splice(next < 0 ? list.length : next, 0, { n, position })
}

test('blocks return to the same places as in a list', () => {
  const staying = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 12 })
  const returning = fc.array(
    fc.record({
      position: fc.integer({ min: 0, max: 99 }),
      previous: fc.option(fc.integer({ min: 0, max: 30 })),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(staying, returning, (positions, blocks) => {
      const list = positions.toSorted((one, other) => one - other).map((position, n) => ({ n, position }))
      const order = new SiblingOrder(list)
      for (const [index, block] of blocks.entries()) {
        const inserted = { n: 12 + index, ...block }
        order.insert(inserted)
        insertInList(list, inserted)
      }
      expect([...order.numbers()]).toEqual(list.map(({ n }) => n))
    }),
    { numRuns: runs(500, 20_000) },
  )
})
