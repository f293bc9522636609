/** The JSON Schema of a collection accepts exactly the items that items_add accepts. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Connected, connect } from '../../connect.ts'
import { runs } from '../../support/runs.ts'

const PROPERTIES = [
  ...(['text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink'] as const).map((type) => {
    return { type, name: type }
  }),
  { type: 'singleSelect', name: 'one', options: [{ name: 'a' }, { name: 'b c' }] },
  { type: 'multiSelect', name: 'many', options: [{ name: 'a' }, { name: 'é' }] },
  { type: 'multiSelect', name: 'none', options: [] },
  { type: 'singleSelect', name: 'nothing', options: [] },
  { type: 'relation', name: 'relation' },
  { type: 'person', name: 'person' },
  { type: 'rating', name: 'rating' },
  { type: 'rating', name: 'ten', config: { max: 10 } },
  { type: 'text', name: 'constructor' },
]

/** Values for a property: many are valid, and more are almost valid. */
function valuesFor(known: string, member: string): fc.Arbitrary<unknown> {
  const days = fc.tuple(fc.nat(2100), fc.nat(14), fc.nat(32)).map(([year, month, day]) => {
    return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  })
  return fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1, 5, 6, 10, 11, 2.5),
    fc.boolean(),
    days,
    fc.constantFrom('2028-02-29', '2100-02-29', '2026-11-31', 'today', ' 2026-01-01', '0000-02-29'),
    fc
      .tuple(
        fc.constantFrom('2026-01-02', '2026-01-03', '2026-02-30'),
        fc.constantFrom('2026-01-03', '2026-13-01', null, 5),
      )
      .map(([start, end]) => ({ start, end })),
    fc.constantFrom<unknown>(
      { start: '2026-01-02' },
      { end: '2026-01-02' },
      { start: '2026-01-02', until: '2026-01-03' },
    ),
    fc.webUrl(),
    fc.constantFrom('example.org', 'https://', 'mailto:a@b.cc', 'a b://c', 'https://a b', '//a', 'x:y'),
    fc.emailAddress(),
    fc.constantFrom('a@b', 'a b@c.dd', 'a@@b.cc', 'a@b.cc.'),
    fc.constantFrom<unknown>('a', 'b c', ['a'], ['a', 'é'], ['b c'], ['a', 'a'], [], [''], [1], '', 'A'),
    fc.constantFrom<unknown>({ blockId: known }, `block://${known}`, 'block://', { blockId: known, title: 'x' }, {}),
    fc.constantFrom<unknown>({ relations: [] }, { relations: [{ blockId: known }] }, { relations: [{ blockId: '' }] }),
    fc.constantFrom<unknown>([{ memberId: member }], [{ memberId: member, name: 'x' }], [{ memberId: member, x: 1 }]),
    fc.constantFrom<unknown>([{ memberId: '' }], [{ name: 'x' }], [{ memberId: member, name: 1 }], {
      memberId: member,
    }),
    fc.constantFrom<unknown>({ relations: [{ blockId: known, x: 1 }] }, { relations: known }, [known]),
  )
}

function itemsFor(known: string, member: string): fc.Arbitrary<object[]> {
  const keys = [...PROPERTIES.map(({ name }) => name.toLowerCase().replace('constructor', 'constructor_2')), 'unknown']
  const title = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) },
    fc.constantFrom<unknown>('', 5, '🎉'.repeat(1000), '🎉'.repeat(1001), 'a'.repeat(1001), undefined),
  )
  const properties = fc.dictionary(fc.constantFrom(...keys), valuesFor(known, member), {
    maxKeys: 2,
    noNullPrototype: true,
  })
  const item = fc.record({ title, properties }, { requiredKeys: ['title'] })
  return fc.array(item, { minLength: 1, maxLength: 2 }).map((items) => JSON.parse(JSON.stringify(items)))
}

/**
 * Types for which the tool also accepts values that the schema does not mention: `"12"`, `"true"` and 1, one tag,
 * `today`, and members one by one.
 */
const LOOSE_TYPES: ReadonlySet<string> = new Set(['number', 'boolean', 'multiSelect', 'date', 'rating', 'person'])
const looseKeys = new Set(PROPERTIES.filter(({ type }) => LOOSE_TYPES.has(type)).map(({ name }) => name.toLowerCase()))
const optionNames = new Map(PROPERTIES.map(({ name, options }) => [name, options?.map((option) => option.name) ?? []]))

/** True for the name of an option in other letter case, or with white space around it: only the tool accepts it. */
const isNearOption = (key: string, value: string): boolean =>
  (optionNames.get(key) ?? []).some((name) => name !== value && name === value.trim().toLowerCase())

const isLoose = (items: readonly object[]): boolean =>
  items.some(({ properties = {} }: { properties?: object }) =>
    Object.entries(properties).some(
      ([key, value]) =>
        (looseKeys.has(key) && ['string', 'number'].includes(typeof value)) ||
        (key === 'person' && !Array.isArray(value)) ||
        (typeof value === 'string' && isNearOption(key, value)),
    ),
  )

const takes = async ({ client }: Connected, collectionId: string, items: object[]): Promise<boolean> =>
  (await client.callTool({ name: 'items_add', arguments: { collectionId, items } })).isError !== true

test('json-schema-items accepts exactly what items_add accepts, except for values in another form', async () => {
  const connected = await connect()
  const collectionId = await collectionOf(connected, PROPERTIES)
  const [known = ''] = await itemsOf(connected, collectionId, [{ title: 'known' }])
  const schema = await connected.call('schema_get', { collectionId })
  const [{ id: member }] = (await connected.call('connection_get')).members
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)
  const counts = { taken: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(itemsFor(known, member), async (items) => {
      const valid = validate({ items })
      counts[valid ? 'taken' : 'refused']++
      const isTaken = await takes(connected, collectionId, items)
      if (valid || !isLoose(items)) expect(isTaken, JSON.stringify(items)).toBe(valid)
    }),
    { numRuns: runs(20, 500) },
  )
  // Both results are frequent enough for the test to be meaningful.
  expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(runs(20, 500) / 10)
})
