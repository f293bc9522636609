/** Collections with many items: filters, sorts, groups and calculations apply to all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkbench, type Workbench } from '../../bench/workbench.ts'
import { A_CALL, addManyItems, type Item, items, type Listed, MANY, STATES } from './many-items.ts'

describe('of 10,000 items', () => {
  let bench: Workbench
  let collectionId = ''

  beforeAll(async () => {
    bench = await openWorkbench(':memory:')
    collectionId = await addManyItems(bench)
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
