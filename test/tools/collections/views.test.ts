import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'

const PROPERTIES = [
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] },
  { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  { type: 'number', name: 'Price' },
  { type: 'date', name: 'Due' },
  { type: 'boolean', name: 'Paid' },
  { type: 'text', name: 'Note' },
]

async function withCollection() {
  const connected = await connect()
  const collectionId = await collectionOf(connected, PROPERTIES)
  const add = (view: object): Promise<Answer> => connected.call('views_add', { collectionId, view })
  const update = (viewId: string, view: object): Promise<Answer> =>
    connected.call('views_update', { collectionId, viewId, view })
  const list = (): Promise<Answer> => connected.call('views_list', { collectionId })
  return { ...connected, connected, collectionId, add, update, list }
}

const everything = {
  name: 'All',
  type: 'kanban',
  filters: [
    { property: 'Status', filterType: 'select_isAnyOf', filterValue: ['Open'] },
    { property: 'price', filterType: 'number_greater', filterValue: 5 },
    { property: 'title', filterType: 'string_contains', filterValue: 'x' },
    { property: 'Due', filterType: 'date_isBefore', filterValue: 'today' },
    { property: 'note', filterType: 'isNotEmpty' },
  ],
  sortBy: [{ property: 'Due', ascending: false }, { property: 'Name' }],
  groupBy: [{ property: 'Status' }],
  fields: { order: ['Price', 'Status'], hidden: ['Note'], widths: { Price: '120' } },
  calculations: { Price: 'number_sum', title: 'count_all' },
  isCalculationsRowVisible: true,
  kanban: {
    cardSize: 'small',
    previewType: 'none',
    limitsVisibleFields: true,
    showsAllFields: false,
    visibleFields: ['Due', 'price'],
    hiddenGroupValues: ['Done'],
    columnOrder: ['Done', 'Open', 'elsewhere'],
    kanbanColumnWidth: 'wide',
    showsColumnColors: true,
  },
}

const reference = (key: string, name: string) => ({ propertyId: key, propertyKey: key, propertyName: name })
const named = (key: string, name: string) => ({ property: key, ...reference(key, name) })
const title = { propertyId: 'title', propertyKey: 'name', propertyName: 'Name' }

test('a view is returned with all its fields, properties by key', async () => {
  const { add } = await withCollection()
  expect(await add(everything)).toEqual({
    id: expect.any(String),
    name: 'All',
    type: 'kanban',
    filters: [
      { ...named('status', 'Status'), filterType: 'select_isAnyOf', filterValue: ['Open'] },
      { ...named('price', 'Price'), filterType: 'number_greater', filterValue: 5 },
      { ...title, property: 'title', filterType: 'string_contains', filterValue: 'x' },
      { ...named('due', 'Due'), filterType: 'date_isBefore', filterValue: 'today' },
      { ...named('note', 'Note'), filterType: 'isNotEmpty' },
    ],
    sortBy: [
      { ...named('due', 'Due'), ascending: false },
      { ...title, property: 'title', ascending: true },
    ],
    groupBy: [{ ...named('status', 'Status'), ascending: true }],
    hiddenProperties: [reference('note', 'Note')],
    customPropertyOrder: [reference('price', 'Price'), reference('status', 'Status')],
    columnWidth: { price: '120' },
    calculations: {
      price: { ...reference('price', 'Price'), type: 'number_sum' },
      title: { ...title, type: 'count_all' },
    },
    isCalculationsRowVisible: true,
    kanban: { ...everything.kanban, visibleFields: [reference('due', 'Due'), reference('price', 'Price')] },
    isActive: true,
  })
})

test('a minimal view has empty lists, and only settings of its type', async () => {
  const { add } = await withCollection()
  const empty = { filters: [], sortBy: [], groupBy: [], hiddenProperties: [], customPropertyOrder: [] }
  const bare = { ...empty, columnWidth: {}, calculations: {} }
  expect(await add({ name: 'T', type: 'table' })).toEqual({
    ...bare,
    id: expect.any(String),
    name: 'T',
    type: 'table',
    isActive: true,
  })
  expect(await add({ name: 'G', type: 'gallery' })).toMatchObject({ gallery: {}, isActive: false })
})

test('writing back a view that was read changes nothing', async () => {
  const { add, update, list } = await withCollection()
  const added = await add(everything)
  expect(await update(added.id, added)).toEqual(added)
  const copy = await add(added)
  expect(copy).toEqual({ ...added, id: copy.id, isActive: false })
  expect((await list()).views).toEqual([added, copy])
})

test('the title is given by title, by its key, its name, or a reference', async () => {
  const { add } = await withCollection()
  const hidden = [{ propertyId: 'title', propertyKey: 'name', propertyName: 'Name' }]
  for (const property of ['title', 'name', 'Name', { propertyId: 'title' }, { propertyKey: 'name' }]) {
    expect(await add({ name: 'T', type: 'table', hiddenProperties: [property] })).toMatchObject({
      hiddenProperties: hidden,
    })
  }
})

test('rules name their property in each of the ways that responses do', async () => {
  const { add, connected, collectionId } = await withCollection()
  const [due, price] = [reference('due', 'Due'), reference('price', 'Price')]
  const {
    id: _,
    isActive: __,
    ...usual
  } = await add({
    ...{ name: 'T', type: 'table', filters: [{ property: 'price', filterType: 'isEmpty' }] },
    ...{ sortBy: [{ property: 'due', ascending: false }], groupBy: [{ property: 'title' }] },
    calculations: { price: 'number_sum' },
  })
  const written = {
    ...{ name: 'T', type: 'table', filters: [{ ...price, filterType: 'isEmpty' }] },
    ...{ sortBy: [{ ...due, ascending: false }], groupBy: [{ ...title, ascending: true }] },
    calculations: { price: { ...price, type: 'number_sum' } },
  }
  expect(await add(written)).toMatchObject(usual)
  const { groups } = await connected.call('items_list', {
    collectionId,
    groupBy: [due],
    filters: [title].map((one) => ({ ...one, filterType: 'isNotEmpty' })),
  })
  expect(groups).toEqual([])
})

test('names of two properties in one rule are refused, and names that changed are not', async () => {
  const { add, connected, collectionId } = await withCollection()
  const view = (rule: object) => ({ collectionId, view: { name: 'T', type: 'table', sortBy: [rule] } })
  const refused = await connected.refused('views_add', view({ property: 'price', ...reference('due', 'Due') }))
  expect(refused).toContain('found "price" and "due"; give one of them')
  expect(await connected.refused('views_add', view({ ascending: true }))).toContain('found neither')
  const added = await add({ name: 'T', type: 'table', sortBy: [{ propertyKey: 'due', propertyName: 'Deadline' }] })
  expect(added.sortBy).toEqual([{ ...named('due', 'Due'), ascending: true }])
})

test('a property is found by a word that only fits this one', async () => {
  const { add } = await withCollection()
  const sortBy = [{ property: 'DUE' }, { property: 'pri_ce' }, { property: 'Title' }]
  expect(await add({ name: 'T', type: 'table', sortBy: sortBy.slice(0, 2) })).toMatchObject({
    sortBy: [{ property: 'due' }, { property: 'price' }],
  })
})

describe('an update', () => {
  test('keeps what it omits', async () => {
    const { add, update } = await withCollection()
    const added = await add(everything)
    expect(await update(added.id, { name: 'Other' })).toEqual({ ...added, name: 'Other' })
    expect(await update(added.id, {})).toEqual({ ...added, name: 'Other' })
    expect(await update(added.id, { fields: { hidden: [] }, kanban: { cardSize: 'large' } })).toEqual({
      ...added,
      name: 'Other',
      hiddenProperties: [],
      kanban: { ...added.kanban, cardSize: 'large' },
    })
  })

  test('clears with empty lists and objects', async () => {
    const { add, update } = await withCollection()
    const added = await add({ ...everything, type: 'table', kanban: undefined })
    const cleared = {
      filters: [],
      sortBy: [],
      groupBy: [],
      fields: { order: [], hidden: [], widths: {} },
      calculations: {},
    }
    expect(await update(added.id, cleared)).toEqual({
      id: added.id,
      name: 'All',
      type: 'table',
      filters: [],
      sortBy: [],
      groupBy: [],
      hiddenProperties: [],
      customPropertyOrder: [],
      columnWidth: {},
      calculations: {},
      isCalculationsRowVisible: true,
      isActive: true,
    })
  })

  test('to another type drops the settings of the old one', async () => {
    const { add, update } = await withCollection()
    const { id } = await add({ name: 'G', type: 'gallery', gallery: { cardSize: 'large', previewRatio: 1.5 } })
    expect(await update(id, { type: 'table' })).not.toHaveProperty('gallery')
    expect(await update(id, { type: 'gallery' })).toMatchObject({ gallery: {} })
    expect(await update(id, { type: 'kanban', groupBy: [{ property: 'Status' }] })).toMatchObject({ kanban: {} })
  })
})

describe('the active view', () => {
  const active = (listed: Answer) => [
    listed.activeViewId,
    ...listed.views.filter((view: Answer) => view.isActive).map(({ id }: Answer) => id),
  ]

  test('does not exist in a collection without views', async () => {
    const { list, collectionId } = await withCollection()
    expect(await list()).toEqual({ collectionBlockId: collectionId, views: [] })
  })

  test('is the first until one is activated', async () => {
    const { call, add, list, collectionId } = await withCollection()
    const first = await add({ name: '1', type: 'table' })
    const second = await add({ name: '2', type: 'table' })
    expect([first.isActive, second.isActive]).toEqual([true, false])
    expect(active(await list())).toEqual([first.id, first.id])
    expect(await call('views_activate', { collectionId, viewId: second.id })).toEqual({ ...second, isActive: true })
    expect(active(await list())).toEqual([second.id, second.id])
  })

  test('when it is deleted, the first remaining one becomes active', async () => {
    const { call, add, list, collectionId } = await withCollection()
    const [first, second, third] = [
      await add({ name: '1', type: 'table' }),
      await add({ name: '2', type: 'table' }),
      await add({ name: '3', type: 'table' }),
    ]
    await call('views_activate', { collectionId, viewId: third.id })
    expect(await call('views_delete', { collectionId, viewId: third.id })).toEqual({
      deletedViewId: third.id,
      activeViewId: first.id,
    })
    expect(await call('views_delete', { collectionId, viewId: first.id })).toEqual({
      deletedViewId: first.id,
      activeViewId: second.id,
    })
    expect(active(await list())).toEqual([second.id, second.id])
  })

  test('stays when another is deleted', async () => {
    const { call, add, list, collectionId } = await withCollection()
    const [first, second] = [await add({ name: '1', type: 'table' }), await add({ name: '2', type: 'table' })]
    await call('views_activate', { collectionId, viewId: second.id })
    expect(await call('views_delete', { collectionId, viewId: first.id })).toEqual({
      deletedViewId: first.id,
      activeViewId: second.id,
    })
    expect(active(await list())).toEqual([second.id, second.id])
  })
})

/** Changes properties by name, or removes them with `undefined`. */
async function change({ call }: Connected, collectionId: string, byName: Record<string, object | undefined>) {
  const schema = await call('schema_get', { collectionId, format: 'schema' })
  const properties = schema.properties.flatMap((property: Answer) =>
    property.name in byName ? (byName[property.name] ? [{ ...property, ...byName[property.name] }] : []) : [property],
  )
  const { key: _, ...rest } = schema
  await call('schema_update', { collectionId, schema: { ...rest, properties } })
}

describe('when the schema changes', () => {
  test('a renamed property still matches, and so does an option', async () => {
    const { connected, collectionId, add, list } = await withCollection()
    const added = await add(everything)
    await change(connected, collectionId, {
      Price: { name: 'Cost' },
      Status: { options: [{ name: 'New', renamedFrom: 'Open' }, { name: 'Done' }] },
    })
    const { views } = await list()
    const renamed = JSON.parse(JSON.stringify(added).replaceAll('"propertyName":"Price"', '"propertyName":"Cost"'))
    expect(views[0]).toEqual({
      ...renamed,
      filters: [{ ...renamed.filters[0], filterValue: ['New'] }, ...renamed.filters.slice(1)],
      kanban: { ...renamed.kanban, columnOrder: ['Done', 'New', 'elsewhere'] },
    })
  })

  test('what is removed is removed from the view, and a kanban view without its group becomes a table', async () => {
    const { connected, collectionId, add, list, update } = await withCollection()
    const added = await add(everything)
    await change(connected, collectionId, { Price: undefined, Due: undefined })
    const [view] = (await list()).views
    expect(view).toEqual({
      ...added,
      filters: added.filters.filter(({ property }: Answer) => property !== 'price' && property !== 'due'),
      sortBy: [{ ...title, property: 'title', ascending: true }],
      customPropertyOrder: [reference('status', 'Status')],
      columnWidth: {},
      calculations: { title: { ...title, type: 'count_all' } },
      kanban: { ...added.kanban, visibleFields: [] },
    })
    await change(connected, collectionId, { Status: { options: [{ name: 'Done' }] } })
    expect((await list()).views[0]).toMatchObject({
      filters: [{ property: 'title' }, { property: 'note' }],
      kanban: { columnOrder: ['Done', 'elsewhere'] },
    })
    await change(connected, collectionId, { Status: undefined })
    const [{ kanban, ...table }] = (await list()).views
    expect([table.type, table.groupBy, kanban]).toEqual(['table', [], undefined])
    expect(await update(table.id, { name: 'T' })).toEqual({ ...table, name: 'T' })
  })

  test('a new property of the same name is another one', async () => {
    const { connected, collectionId, add, list } = await withCollection()
    await add(everything)
    await change(connected, collectionId, { Note: undefined })
    const schema = await connected.call('schema_get', { collectionId, format: 'schema' })
    const { key: _, ...rest } = schema
    const properties = [...schema.properties, { type: 'text', name: 'Note' }]
    await connected.call('schema_update', { collectionId, schema: { ...rest, properties } })
    expect((await list()).views[0].hiddenProperties).toEqual([])
  })
})

describe('relations in filters', () => {
  test('are shown only within reach, and one out of reach is unknown', async () => {
    const full = await connect()
    const there = await collectionOf(full, [])
    const [hidden] = await itemsOf(full, there, [{ title: 'Hidden' }])
    const here = await collectionOf(full, [
      { type: 'relation', name: 'Other', targetCollectionId: there },
      { type: 'blockLink', name: 'Link' },
    ])
    const filters = [
      { property: 'other', filterType: 'relation_hasAnyOf', filterValue: { relations: [{ blockId: hidden }] } },
      { property: 'link', filterType: 'equals', filterValue: { blockId: hidden } },
    ]
    const view = { name: 'T', type: 'table', filters }
    expect((await full.call('views_add', { collectionId: here, view })).filters).toMatchObject(filters)
    const { documentId } = (await full.call('collections_list')).items[1]
    const narrow = await connect('selected', { to: full, documents: [documentId] })
    const { views } = await narrow.call('views_list', { collectionId: here })
    expect(views[0].filters).toMatchObject([
      { property: 'other', filterType: 'relation_hasAnyOf', filterValue: { relations: [] } },
      { property: 'link', filterType: 'equals', filterValue: { relations: [] } },
    ])
    // It does not change if a connection that cannot see it writes the view back.
    await narrow.call('views_update', { collectionId: here, viewId: views[0].id, view: views[0] })
    expect((await full.call('views_list', { collectionId: here })).views[0].filters).toMatchObject(filters)
    const noBlock = `Expected the ID of a block within reach, found ${hidden}; read IDs with blocks_get and name one of those.`
    expect(await narrow.refused('views_add', { collectionId: here, view })).toBe(noBlock)
    expect(await narrow.refused('views_update', { collectionId: here, viewId: views[0].id, view })).toBe(noBlock)
    expect(await narrow.refused('items_list', { collectionId: here, filters })).toBe(noBlock)
    expect(await narrow.refused('views_list', { collectionId: there })).toBe(
      `Expected the ID of a collection within reach, found ${there}; read IDs with collections_list and name one of those.`,
    )
  })
})
