/** Merging concurrent edits: no text is lost silently, and the order is that of the server. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { movedIds } from '../../src/page/assets/model/order-merge.ts'
import { runs } from '../support/runs.ts'

describe('reordered blocks', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 30 })

  test('get into order when the named ones are put behind their predecessors', () => {
    fc.assert(
      fc.property(ids, ids, (current, wanted) => {
        const moved = movedIds(current, wanted)
        const staying = current.filter((id) => wanted.includes(id) && !moved.has(id))
        // The remaining ones are in order already.
        expect(staying).toEqual(wanted.filter((id) => staying.includes(id)))
        // And no more could stay: there is no longer ordered run.
        expect(staying.length).toBe(
          longestRun(current.filter((id) => wanted.includes(id)).map((id) => wanted.indexOf(id))),
        )
      }),
      { numRuns: runs(200, 20_000) },
    )
  })

  test('stay if others were only added between them', () => {
    expect(movedIds(['1', '2', '3'], ['0', '1', '9', '2', '3'])).toEqual(new Set())
    expect(movedIds(['1', '2', '3', '4'], ['4', '1', '2', '3'])).toEqual(new Set(['4']))
  })
})

/** A slow reference implementation. */
function longestRun(places: readonly number[]): number {
  const best = places.map(() => 1)
  for (const [index, place] of places.entries()) {
    for (let before = 0; before < index; before++) {
      if ((places[before] ?? 0) < place) best[index] = Math.max(best[index] ?? 1, (best[before] ?? 0) + 1)
    }
  }
  return Math.max(0, ...best)
}
