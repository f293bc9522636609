/** Collections with many items: filters, sorts, groups and calculations apply to all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDocument, openWorkbench, type Workbench } from '../../bench/workbench.ts'

const MANY = 10_000
const A_CALL = 1_000
const STATES = ['Open', 'Doing', 'Done']

/** A permutation of the indexes that spreads neighbors apart. */
const placeOf = (index: number): number => (index * 7919) % MANY
const items = Array.from({ length: MANY }, (_, index) => ({
  title: `Item ${index}`,
  properties: {
    note: `Words ${String(placeOf(index)).padStart(5, '0')}`,
    price: placeOf(index) % 100,
    ...(index % 4 > 0 && { state: STATES[index % 4 === 1 ? 0 : index % 3] }),
  },
}))
type Item = (typeof items)[number]

interface Listed {
  items: { title: string }[]
  groups?: { value?: string; count: number }[]
  calculations?: Record<string, number>
  pagination?: { cursor: string; remaining: number }
}

describe('of 10,000 items', () => {
  let bench: Workbench
  let collectionId = ''

  beforeAll(async () => {
    bench = await openWorkbench(':memory:')
    const properties = [
      { type: 'text', name: 'Note' },
      { type: 'number', name: 'Price' },
      { type: 'singleSelect', name: 'State', options: STATES.map((name) => ({ name })) },
    ]
    const position = { position: 'end', pageId: await addDocument(bench, 'Document') }
    const added = await bench.call<{ collectionBlockId: string }>('collections_add', {
      schema: { name: 'Things', properties },
      position,
    })
    collectionId = added.collectionBlockId
    for (let from = 0; from < MANY; from += A_CALL) {
      await bench.call('items_add', { collectionId, items: items.slice(from, from + A_CALL), answer: 'ids' })
    }
  })
  afterAll(() => bench.close())

  const list = async (rules: object): Promise<Listed> =>
    JSON.parse(await bench.call<string>('items_list', { collectionId, maxDepth: 0, ...rules }))

  test('pages have all items that match the conditions, in order', async () => {
    const rules = {
      filters: [{ property: 'price', filterType: 'number_smaller', filterValue: 30 }],
      sortBy: [{ property: 'price', ascending: false }, { property: 'note' }],
      limit: A_CALL,
    }
    const titles: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { items, pagination } = await list({ ...rules, ...(cursor !== undefined && { cursor }) })
      titles.push(...items.map(({ title }) => title))
      if (pagination === undefined) break
      expect(pagination.remaining).toBe(MANY * 0.3 - titles.length)
      cursor = pagination.cursor
    }
    const inOrder = (one: Item, other: Item) =>
      other.properties.price - one.properties.price || (one.properties.note < other.properties.note ? -1 : 1)
    const expected = items.filter(({ properties }) => properties.price < 30).sort(inOrder)
    expect(titles).toEqual(expected.map(({ title }) => title))
  })

  test('groups count all, and the first ones are returned', async () => {
    const byState = await list({ groupBy: [{ property: 'state', ascending: false }], limit: 0 })
    const count = (state: string | undefined) =>
      items.filter(({ properties }) => 'state' in properties === (state !== undefined) && properties.state === state)
        .length
    expect(byState.groups).toEqual([
      ...STATES.toReversed().map((value) => ({ value, count: count(value) })),
      { count: count(undefined) },
    ])
    const byNote = await list({ groupBy: [{ property: 'note' }], limit: 0 })
    const first = Array.from({ length: 1_000 }, (_, at) => ({
      value: `Words ${String(at).padStart(5, '0')}`,
      count: 1,
    }))
    expect(byNote).toEqual({ items: [], groups: first, hasMoreGroups: true })
  })

  test('calculations include all', async () => {
    const calculations = { price: 'number_sum', note: 'count_unique', state: 'count_empty', title: 'count_all' }
    expect((await list({ calculations, limit: 0 })).calculations).toEqual({
      price: items.reduce((sum, { properties }) => sum + properties.price, 0),
      note: MANY,
      state: MANY / 4,
      title: MANY,
    })
  })
})
