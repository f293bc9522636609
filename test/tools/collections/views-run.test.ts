import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'

const PROPERTIES = [
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] },
  { type: 'number', name: 'Price' },
  { type: 'date', name: 'Due' },
]

async function shop() {
  const connected = await connect()
  const collectionId = await collectionOf(connected, PROPERTIES)
  const ids = await itemsOf(connected, collectionId, [
    { title: 'Pear', properties: { status: 'Open', price: 3, due: '2026-11-19' } },
    { title: 'apple', properties: { status: 'Done', price: 5 } },
    { title: 'Árpa', properties: { status: 'Open', price: 5, due: '2026-11-21' } },
    { title: 'Fig', properties: { price: 1, due: '2026-11-20' } },
  ])
  const list = (input: object): Promise<Answer> => connected.call('items_list', { collectionId, maxDepth: 0, ...input })
  const titles = async (input: object) => (await list(input)).items.map(({ title }: Answer) => title)
  return { ...connected, connected, collectionId, ids, list, titles }
}

test('items are filtered, sorted and grouped by rules, with calculations', async () => {
  const { list } = await shop()
  const rules = {
    filters: [{ property: 'Price', filterType: 'number_greaterOrEqual', filterValue: 3 }],
    sortBy: [{ property: 'title' }],
    groupBy: [{ property: 'Status', ascending: false }],
    calculations: { Price: 'number_sum', due: 'date_max' },
    properties: ['price'],
  }
  const { items, ...rest } = await list(rules)
  expect(items.map(({ title, properties }: Answer) => [title, properties])).toEqual([
    ['apple', { price: 5 }],
    ['Árpa', { price: 5 }],
    ['Pear', { price: 3 }],
  ])
  expect(rest).toEqual({
    groups: [
      { value: 'Done', count: 1, calculations: { price: 5 } },
      { value: 'Open', count: 2, calculations: { due: '2026-11-21', price: 8 } },
    ],
    calculations: { price: 13, due: '2026-11-21' },
  })
})

test('limit 0 counts and sums in one call', async () => {
  const { list } = await shop()
  expect(await list({ limit: 0, calculations: { title: 'count_all', price: 'number_sum' } })).toEqual({
    items: [],
    calculations: { title: 4, price: 14 },
  })
  expect(await list({ limit: 0, groupBy: [{ property: 'status' }] })).toEqual({
    items: [],
    groups: [{ value: 'Open', count: 2 }, { value: 'Done', count: 1 }, { count: 1 }],
  })
})

test('a calculation without values is omitted', async () => {
  const { list } = await shop()
  const filters = [{ property: 'title', filterType: 'equals', filterValue: 'none' }]
  const calculations = { price: 'number_average', due: 'date_range_days', status: 'percent_empty', title: 'count_all' }
  expect((await list({ filters, calculations })).calculations).toEqual({ status: 0, title: 0 })
})

test('a calculation that overflows a number is omitted', async () => {
  const { connected, collectionId, list } = await shop()
  await itemsOf(
    connected,
    collectionId,
    ['One', 'Two'].map((title) => ({ title, properties: { price: 1.5e308 } })),
  )
  expect(await list({ limit: 0, calculations: { price: 'number_sum' } })).toEqual({ items: [], calculations: {} })
  const filters = [{ property: 'price', filterType: 'number_greater', filterValue: 1e308 }]
  expect(await list({ limit: 0, filters, calculations: { price: 'number_max' } })).toEqual({
    items: [],
    calculations: { price: 1.5e308 },
  })
})

test('items without a value come last in either direction', async () => {
  const { titles } = await shop()
  expect(await titles({ sortBy: [{ property: 'due' }] })).toEqual(['Pear', 'Fig', 'Árpa', 'apple'])
  expect(await titles({ sortBy: [{ property: 'due', ascending: false }] })).toEqual(['Árpa', 'Fig', 'Pear', 'apple'])
})

test('dates in filters are relative to today, or a moment, in the time zone of the space', async () => {
  const { titles, clock } = await shop()
  const before = (filterValue: string | number) =>
    titles({ filters: [{ property: 'due', filterType: 'date_isBefore', filterValue }] })
  expect(await before('today')).toEqual(['Pear'])
  expect(await before('tomorrow')).toEqual(['Pear', 'Fig'])
  // Half past eleven at night in London is the next day in Budapest.
  expect(await before(Date.parse('2026-11-20T23:30:00Z'))).toEqual(['Pear', 'Fig'])
  expect(await before(Date.parse('2026-11-20T22:30:00Z'))).toEqual(['Pear'])
  clock.now += 86_400_000
  expect(await before('today')).toEqual(['Pear', 'Fig'])
})

describe('by a view', () => {
  const view = {
    name: 'Open',
    type: 'table',
    filters: [{ property: 'Status', filterType: 'select_isAnyOf', filterValue: ['Open'] }],
    sortBy: [{ property: 'title' }],
  }

  test('its rules apply, and given ones replace them', async () => {
    const { call, collectionId, titles, list } = await shop()
    const { id: viewId } = await call('views_add', { collectionId, view })
    expect(await titles({ viewId })).toEqual(['Árpa', 'Pear'])
    expect(await titles({ viewId, filters: [] })).toEqual(['apple', 'Árpa', 'Fig', 'Pear'])
    expect(await titles({ viewId, sortBy: [{ property: 'price' }] })).toEqual(['Pear', 'Árpa'])
    expect((await list({ viewId, calculations: { price: 'number_max' }, limit: 0 })).calculations).toEqual({ price: 5 })
  })

  test('a renamed option still matches', async () => {
    const { call, collectionId, titles } = await shop()
    const { id: viewId } = await call('views_add', { collectionId, view })
    const { key: _, ...schema } = await call('schema_get', { collectionId, format: 'schema' })
    schema.properties[0].options = [{ name: 'Waiting', renamedFrom: 'Open' }, { name: 'Done' }]
    await call('schema_update', { collectionId, schema })
    expect(await titles({ viewId })).toEqual(['Árpa', 'Pear'])
  })

  test('a new item is placed by the rules', async () => {
    const { connected, call, collectionId, titles } = await shop()
    const { id: viewId } = await call('views_add', { collectionId, view })
    await itemsOf(connected, collectionId, [{ title: 'Banana', properties: { status: 'Open' } }])
    expect(await titles({ viewId })).toEqual(['Árpa', 'Banana', 'Pear'])
  })
})

describe('pages', () => {
  const INVALID = 'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.'
  const sortBy = [{ property: 'title' }]

  test('continue after the last item, whatever came before it meanwhile', async () => {
    const { connected, collectionId, list } = await shop()
    const { items, pagination } = await list({ sortBy, limit: 2 })
    expect(items.map(({ title }: Answer) => title)).toEqual(['apple', 'Árpa'])
    expect(pagination).toEqual({
      cursor: pagination.cursor,
      remaining: 2,
      message: `2 items are left: repeat the call with cursor "${pagination.cursor}".`,
    })
    await itemsOf(connected, collectionId, [{ title: 'Aardvark' }, { title: 'Grape' }])
    const next = await list({ sortBy, limit: 5, cursor: pagination.cursor })
    expect(next.items.map(({ title }: Answer) => title)).toEqual(['Fig', 'Grape', 'Pear'])
    expect(next).not.toHaveProperty('pagination')
  })

  test('groups and calculations are only on the first one', async () => {
    const { list } = await shop()
    const input = { groupBy: [{ property: 'status' }], calculations: { price: 'number_sum' }, limit: 3 }
    const { pagination, ...first } = await list(input)
    expect(Object.keys(first)).toEqual(['items', 'groups', 'calculations'])
    expect(Object.keys(await list({ ...input, cursor: pagination.cursor }))).toEqual(['items'])
  })

  test('a cursor of other rules, of another collection, or whose item is gone is rejected', async () => {
    const { connected, call, refused, collectionId, ids, list } = await shop()
    const { cursor } = (await list({ sortBy, limit: 2 })).pagination
    const ask = (input: object) => refused('items_list', { collectionId, sortBy, limit: 2, cursor, ...input })
    expect(await ask({ sortBy: [{ property: 'title', ascending: false }] })).toBe(INVALID)
    expect(await ask({ filters: [] })).toBe(INVALID)
    expect(await ask({ collectionId: await collectionOf(connected, PROPERTIES) })).toBe(INVALID)
    expect(await refused('items_list', { collectionId, cursor })).toBe(INVALID)
    await call('items_delete', { collectionId, idsToDelete: [ids[2]] })
    expect(await ask({})).toBe(INVALID)
  })

  test('a cursor of a view is rejected once the view has other rules', async () => {
    const { call, refused, collectionId, list } = await shop()
    const { id: viewId } = await call('views_add', { collectionId, view: { name: 'T', type: 'table', sortBy } })
    const { cursor } = (await list({ viewId, limit: 1 })).pagination
    await call('views_update', { collectionId, viewId, view: { name: 'Another name' } })
    expect((await list({ viewId, limit: 1, cursor })).items).toMatchObject([{ title: 'Árpa' }])
    await call('views_update', { collectionId, viewId, view: { sortBy: [] } })
    expect(await refused('items_list', { collectionId, viewId, cursor })).toBe(INVALID)
  })
})

test('as a table, groups and calculations are next to it', async () => {
  const { client, collectionId } = await shop()
  const input = { collectionId, format: 'markdown', properties: ['price'], sortBy: [{ property: 'price' }], limit: 1 }
  const result = await client.callTool({
    name: 'items_list',
    arguments: { ...input, groupBy: [{ property: 'status' }], calculations: { price: 'number_sum' } },
  })
  const texts = (result.content as { text: string }[]).map(({ text }) => text)
  expect(texts[0]).toMatch(/^\|id\|title\|price\|\n\|-\|-\|-\|\n\|[^|]+\|Pear\|3\|$/)
  expect(texts[1]).toContain(
    '{"groups":[{"value":"Open","count":2,"calculations":{"price":8}},{"value":"Done","count":1,"calculations":{"price":5}},{"count":1,"calculations":{"price":1}}],"calculations":{"price":14}} 3 items are left:',
  )
})

describe('on a connection that does not reach what items lead to', () => {
  test('relations and links count as far as they are visible', async () => {
    const full = await connect()
    const there = await collectionOf(full, [])
    const [hidden] = await itemsOf(full, there, [{ title: 'Hidden' }])
    const here = await collectionOf(full, [
      { type: 'relation', name: 'Other', targetCollectionId: there },
      { type: 'blockLink', name: 'Link' },
      { type: 'relation', name: 'Own', targetCollectionId: there },
    ])
    await itemsOf(full, here, [
      { title: 'leads', properties: { other: { relations: [{ blockId: hidden }] }, link: { blockId: hidden } } },
      { title: 'plain' },
    ])
    const documentId = (await full.call('collections_list')).items[1].documentId
    const calculations = { other: 'count_values', link: 'count_unique', own: 'count_empty' }
    const filters = [{ property: 'other', filterType: 'isNotEmpty' }]
    const input = { collectionId: here, maxDepth: 0, calculations, groupBy: [{ property: 'other' }] }
    expect(await full.call('items_list', { ...input, filters })).toMatchObject({
      items: [{ title: 'leads' }],
      groups: [{ value: { blockId: hidden, title: 'Hidden' }, count: 1 }],
      calculations: { other: 1, link: 1, own: 1 },
    })
    const narrow = await connect('selected', { to: full, documents: [documentId] })
    expect((await narrow.call('items_list', { ...input, filters })).items).toEqual([])
    expect(await narrow.call('items_list', input)).toMatchObject({
      items: [{ title: 'leads' }, { title: 'plain' }],
      groups: [{ count: 2 }],
      calculations: { other: 0, link: 0, own: 2 },
    })
    const stored = [
      { property: 'other', filterType: 'relation_hasAnyOf', filterValue: { relations: [{ blockId: hidden }] } },
    ]
    const view = { name: 'T', type: 'table', filters: stored }
    const { id: viewId } = await full.call('views_add', { collectionId: here, view })
    const byView = { collectionId: here, viewId, maxDepth: 0 }
    expect((await full.call('items_list', byView)).items).toHaveLength(1)
    expect((await narrow.call('items_list', byView)).items).toEqual([])
    // A hidden link does not exist for this connection: the filter matches neither item, not even the one without a
    // link.
    const linked = [{ property: 'link', filterType: 'equals', filterValue: { blockId: hidden } }]
    await full.call('views_update', { collectionId: here, viewId, view: { filters: linked } })
    expect((await full.call('items_list', byView)).items).toMatchObject([{ title: 'leads' }])
    expect((await narrow.call('items_list', byView)).items).toEqual([])
  })

  test.each(['selected', 'daily'] as const)('a %s one runs every kind of rule within its reach', async (kind) => {
    const full = await connect()
    const { items } = await full.call('blocks_add', { markdown: 'x', position: { position: 'end' } })
    const pageId = items[0].documentId
    const position = { position: 'end', pageId }
    const add = async (properties: object[]) =>
      (await full.call('collections_add', { schema: { name: 'C', properties }, position })).collectionBlockId
    const there = await add([])
    const [near] = await itemsOf(full, there, [{ title: 'Near' }])
    const here = await add([{ type: 'relation', name: 'Other', targetCollectionId: there }])
    const relation = { relations: [{ blockId: near }] }
    await itemsOf(full, here, [{ title: 'leads', properties: { other: relation } }, { title: 'plain' }])
    const narrow = await connect(kind, { to: full, documents: kind === 'selected' ? [pageId] : [] })
    const titles = async (filterType: string, filterValue?: object) => {
      const filters = [{ property: 'other', filterType, ...(filterValue && { filterValue }) }]
      const input = { collectionId: here, maxDepth: 0, filters, sortBy: [{ property: 'other' }] }
      return (await narrow.call('items_list', input)).items.map(({ title }: Answer) => title)
    }
    expect(await titles('relation_hasAnyOf', relation)).toEqual(['leads'])
    expect(await titles('relation_hasAllOf', relation)).toEqual(['leads'])
    expect(await titles('relation_hasNoneOf', relation)).toEqual(['plain'])
    expect(await titles('equals', relation)).toEqual(['leads'])
    const tooMany = { relations: Array.from({ length: 101 }, () => ({ blockId: near })) }
    await expect(titles('relation_hasAnyOf', tooMany)).rejects.toThrow('Expected at most 100 relations')
    expect(await titles('equals', { relations: [] })).toEqual(['plain'])
    expect(await titles('isEmpty')).toEqual(['plain'])
  })
})
