/** Ratings: whole numbers of stars, up to 5 or 10. */
import { describe, expect, test } from 'vitest'
import { collectionOf } from '../../collection.ts'
import { connect } from '../../connect.ts'
import { withCollection } from './items-all-types.ts'

const stars = (config?: object) => [{ type: 'rating', name: 'Stars', ...(config && { config }) }]
const rated = (...counts: unknown[]) => counts.map((count) => ({ title: `${count}`, properties: { stars: count } }))

describe('a value', () => {
  test('is a whole number of stars, also as text', async () => {
    const { add, list } = await withCollection(stars())
    await add(...rated(1, 5, '3', null))
    const { items } = await list()
    expect(items.map(({ properties }: { properties: object }) => properties)).toEqual([
      { stars: 1 },
      { stars: 5 },
      { stars: 3 },
      {},
    ])
  })

  test.each([0, 6, 2.5, -1, true, 'many'])('%j is refused', async (value) => {
    const { refused } = await withCollection(stars())
    expect(await refused(...rated(value))).toContain(
      `items[0].properties.stars: Expected a whole number from 1 to 5, found ${JSON.stringify(value)}.`,
    )
  })

  test('can be up to 10, and says so in JSON Schema', async () => {
    const { add, call, collectionId } = await withCollection(stars({ max: 10 }))
    await add(...rated(10))
    const schema = JSON.stringify(await call('schema_get', { collectionId, format: 'json-schema-items' }))
    expect(schema).toContain('"minimum":1,"maximum":10')
  })
})

test('other maxima, and settings of numbers, are refused', async () => {
  const { refused } = await connect()
  const refusal = (config: object) =>
    refused('collections_add', {
      schema: { name: 'A', properties: stars(config) },
      position: { position: 'end', date: 'today' },
    })
  expect(await refusal({ max: 7 })).toContain(
    'schema.properties[0].config.max: Expected 5 or 10 stars at most, found 7.',
  )
  expect(await refusal({ format: 'percentage' })).toContain(
    'schema.properties[0].config.format: Expected max in the config of a rating property, found format; leave it out.',
  )
})

test('values that a smaller maximum excludes are dropped and counted, and undo brings them back', async () => {
  const { call, add, list, collectionId } = await withCollection(stars({ max: 10 }))
  await add(...rated(2, 5, 6, 10))
  const schema = { name: 'A', properties: [{ key: 'stars', ...stars({ max: 5 })[0] }] }
  expect(await call('schema_update', { collectionId, schema })).toMatchObject({ droppedValues: 2 })
  const values = async () =>
    (await list()).items.map((item: { properties: { stars?: number } }) => item.properties.stars)
  expect(await values()).toEqual([2, 5, undefined, undefined])
  const { items } = await call('history_list', { format: 'json' })
  await call('history_undo', { calls: [items[0].callId] })
  expect(await values()).toEqual([2, 5, 6, 10])
})

test('no undo brings back a value above the maximum, or a maximum below a value', async () => {
  const { call, add, list, connected, collectionId } = await withCollection(stars())
  const { items } = await add(...rated(3))
  const [{ id }] = items
  const undone = async (work: () => Promise<unknown>) => {
    await work()
    return (await call('history_list', { format: 'json' })).items[0].callId
  }
  const setMax = (max: number) =>
    call('schema_update', { collectionId, schema: { name: 'A', properties: [{ key: 'stars', ...stars({ max })[0] }] } })
  const rate = (count: number) =>
    call('items_update', { collectionId, itemsToUpdate: [{ id, properties: { stars: count } }] })
  const raised = await undone(() => setMax(10))
  await rate(8)
  expect((await connected.faults('history_undo', { calls: [raised] })).code).toBe('CONFLICT')
  const lowered = await undone(() => rate(2))
  await setMax(5)
  expect((await connected.faults('history_undo', { calls: [lowered] })).code).toBe('CONFLICT')
  expect((await list()).items[0].properties).toEqual({ stars: 2 })
})

test('a maximum that is left out stays as it was', async () => {
  const { call, add, list, collectionId } = await withCollection(stars({ max: 10 }))
  await add(...rated(8))
  for (const config of [undefined, {}, { max: null }]) {
    const schema = { name: 'A', properties: [{ key: 'stars', ...stars()[0], ...(config && { config }) }] }
    const answer = await call('schema_update', { collectionId, schema })
    expect(answer.droppedValues).toBeUndefined()
    expect(answer.schema.properties[0].config).toEqual({ max: 10 })
  }
  expect((await list()).items[0].properties).toEqual({ stars: 8 })
})

test('a link that may not delete keeps them', async () => {
  const { connected, add, collectionId } = await withCollection(stars({ max: 10 }))
  await add(...rated(10))
  const { refused } = await connect('full', { to: connected, access: 'no-delete' } as never)
  const schema = { name: 'A', properties: [{ key: 'stars', ...stars({ max: 5 })[0] }] }
  expect(await refused('schema_update', { collectionId, schema })).toContain(
    'found 1 that would go with the properties, options and stars left out',
  )
})

test('filters, sorting, groups and calculations take them as numbers', async () => {
  const connected = await connect()
  const collectionId = await collectionOf(connected, stars())
  const { call } = connected
  await call('items_add', { collectionId, items: rated(3, 5, 1, 3) })
  const answer = await call('items_list', {
    collectionId,
    filters: [{ property: 'stars', filterType: 'number_greaterOrEqual', filterValue: 3 }],
    sortBy: [{ property: 'stars', ascending: false }],
    calculations: { stars: 'number_average' },
  })
  expect(answer.items.map(({ title }: { title: string }) => title)).toEqual(['5', '3', '3'])
  expect(answer.calculations.stars).toBeCloseTo(11 / 3)
  const grouped = await call('items_list', { collectionId, groupBy: [{ property: 'stars' }] })
  expect(grouped.groups.map(({ value }: { value: number }) => value)).toEqual([1, 3, 5])
})
