/**
 * An item enters exactly when a call makes it one of those that `items_list` returns for the same filters, whether a
 * subscriber asks after each call or at the end.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Connected, connect } from '../connect.ts'
import { runs, timeOfRuns } from '../support/runs.ts'
import { drainEvents, type Polled, pollEvents } from './wire.ts'

const OPTIONS = ['Open', 'Réview', 'Done']
const PROPERTIES = [
  { name: 'One', type: 'singleSelect', options: OPTIONS.map((name) => ({ name })) },
  { name: 'Many', type: 'multiSelect', options: OPTIONS.map((name) => ({ name })) },
  { name: 'Day', type: 'date' },
  { name: 'Size', type: 'number' },
  { name: 'Flag', type: 'boolean' },
  { name: 'Text', type: 'text' },
]
const option = fc.constantFrom(...OPTIONS)
const options = fc.uniqueArray(option, { minLength: 1, maxLength: 3 })
const day = fc.constantFrom('2026-11-19', '2026-11-20', '2026-11-21')
const range = fc.tuple(day, day).map((days) => {
  const [start, end] = days.toSorted()
  return { start, end }
})
const size = fc.constantFrom(-1, 0, 1.5, 2)
const text = fc.constantFrom('plan', 'Plän', 'a', '**Plan** b')

const values = fc.record(
  {
    One: fc.option(option),
    Many: fc.option(options),
    Day: fc.option(fc.oneof(day, range)),
    Size: fc.option(size),
    Flag: fc.boolean(),
    Text: fc.option(text),
  },
  { requiredKeys: [] },
)
const of = (property: string, filterType: string, filterValue?: fc.Arbitrary<unknown>) =>
  fc.record({
    property: fc.constant(property),
    filterType: fc.constant(filterType),
    ...(filterValue && { filterValue }),
  })
const present = fc.constantFrom(...PROPERTIES.map(({ name }) => name), 'title')
const filter = fc.oneof(
  fc.record({ property: present, filterType: fc.constantFrom('isEmpty', 'isNotEmpty') }),
  ...['equals', 'doesNotEqual', 'string_contains', 'string_doesNotContain'].flatMap((type) => [
    of('Text', type, text),
    of('title', type, text),
    of('One', type, option),
  ]),
  ...['equals', 'doesNotEqual', 'select_isAnyOf', 'select_isNoneOf'].map((type) => of('Many', type, options)),
  of('One', 'select_isAnyOf', options),
  ...['equals', 'doesNotEqual', 'date_isBefore', 'date_isAfter'].map((type) =>
    of('Day', type, fc.oneof(day, fc.constantFrom('today', 'tomorrow'))),
  ),
  ...['equals', 'number_notEqual', 'number_smaller', 'number_greaterOrEqual'].map((type) => of('Size', type, size)),
  ...['equals', 'doesNotEqual'].map((type) => of('Flag', type, fc.boolean())),
)
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), title: text, properties: values }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), item: fc.nat(4), properties: values }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), item: fc.nat(4), title: text }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
const TRIES = runs(4, 200)

test(
  'an item enters when a call makes it match, and only then',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(filter, { minLength: 1, maxLength: 2 }),
        fc.array(step, { minLength: 4, maxLength: 14 }),
        async (filters, steps) => {
          const full = await connect()
          const collectionId = await collectionOf(full, PROPERTIES)
          const items = await itemsOf(full, collectionId, [{ title: 'a' }, { title: 'plan' }])
          const asked = { name: 'item.entered', arguments: { collectionId, filters } }
          const begin = (await pollEvents(full.client, asked)).cursor
          const received: Polled['events'] = []
          let cursor = begin
          let matching = await matchingItems(full, collectionId, filters)
          const expected: unknown[] = []
          for (const one of steps) {
            await run(full, collectionId, items, one)
            const now = await matchingItems(full, collectionId, filters)
            expected.push(...items.filter((id) => now.has(id) && !matching.has(id)))
            matching = now
            const page = await drainEvents(full.client, { ...asked, cursor })
            received.push(...page.events)
            cursor = page.cursor
          }
          expect(received.map(({ data }) => data.itemId)).toEqual(expected)
          expect((await drainEvents(full.client, { ...asked, cursor: begin })).events).toEqual(received)
        },
      ),
      { numRuns: TRIES },
    ),
  timeOfRuns(TRIES),
)

async function run(full: Connected, collectionId: string, items: string[], one: Step) {
  if (one.kind === 'add') {
    const { title, properties } = one
    items.push(...(await itemsOf(full, collectionId, [{ title, properties }])))
    return
  }
  const { kind: _, item, ...more } = one
  await full.call('items_update', { collectionId, itemsToUpdate: [{ id: items[item % items.length], ...more }] })
}

async function matchingItems({ call }: Connected, collectionId: string, filters: object[]): Promise<Set<string>> {
  const { items } = await call('items_list', { collectionId, filters, maxDepth: 0, format: 'json' })
  return new Set(items.map(({ id }: { id: string }) => id))
}
