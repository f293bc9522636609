/** The text of what calls changed, and the data in it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PlaceChanges, readSummaryText, summaryText } from '../../src/space/history/summary-text.ts'

const change = fc.record({
  noun: fc.constantFrom('block', 'folder', 'property', 'element'),
  verb: fc.constantFrom('added', 'changed', 'moved to the trash'),
  amount: fc.integer({ min: 1, max: 2_000_000 }),
})
const ofDocument = fc.record({
  noun: fc.constant('document'),
  verb: fc.constantFrom('added', 'moved', 'restored from the trash'),
  amount: fc.constant(1),
})
const changes = fc.array(fc.oneof(change, ofDocument), { minLength: 1, maxLength: 4 })
const place = fc.oneof(
  fc.record({ title: fc.string({ unit: 'grapheme' }), changes }),
  fc.record({ isGone: fc.constant(true), changes }),
  fc.record({ changes }),
)

test('a text is read as what it was written from', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 4 }), fc.boolean(), (made, isPartial) => {
      const places = made as PlaceChanges[]
      expect(readSummaryText(summaryText(places, isPartial))).toEqual({ places, isPartial, others: [] })
    }),
  )
})

test('sentences are kept as they are', () => {
  expect(readSummaryText('Nothing: all is as before.')).toEqual({
    places: [],
    isPartial: false,
    others: ['Nothing: all is as before.'],
  })
})
