import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../../collection.ts'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { documentOf, outline } from '../../document.ts'
import { askerOf } from '../../rest/rest-asker.ts'

const NOTE = { type: 'text', name: 'Note' }

/** Creates a collection in a document, with two items, the first of which has content. */
async function withCollection() {
  const connected = await connect()
  const document = await documentOf(connected, 'before\n\nafter')
  const { content } = await connected.call('blocks_get', { id: document })
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema: { name: 'Things', properties: [NOTE] },
    position: { position: 'after', siblingId: content[0].id },
  })
  const [first = '', second = ''] = await itemsOf(connected, collectionId, [
    { title: 'A', markdown: 'words', properties: { note: '</property> & <b>' } },
    { title: '</title>' },
  ])
  return { ...connected, connected, document, collectionId, first, second, before: content[0].id as string }
}

describe('a collection', () => {
  test('is in its document with its items, in JSON', async () => {
    const { call, document, collectionId, first, second } = await withCollection()
    const { content } = await call('blocks_get', { id: document })
    expect(content[1]).toEqual({
      ...{ id: collectionId, type: 'collection', markdown: 'Things' },
      content: [
        {
          ...{ id: first, type: 'collectionItem', markdown: 'A', title: 'A' },
          properties: { note: '</property> & <b>' },
          content: [{ id: expect.any(String), type: 'text', markdown: 'words' }],
        },
        { id: second, type: 'collectionItem', markdown: '</title>', title: '</title>', properties: {} },
      ],
    })
    const cut = await call('blocks_get', { id: document, maxDepth: 1 })
    expect(cut.content[1]).toEqual({
      ...{ id: collectionId, type: 'collection', markdown: 'Things', itemsPreviewMd: 'A\n</title>' },
    })
    const deeper = await call('blocks_get', { id: document, maxDepth: 2 })
    expect(deeper.content[1].content[0]).toMatchObject({ title: 'A', contentPreviewMd: 'words' })
  })

  test('is in Markdown in tags, in which no text reads as tags', async () => {
    const { call, document, collectionId, first, second } = await withCollection()
    const text = await call('blocks_get', { id: document, format: 'markdown' })
    expect(text).toContain(`before

<collection id="${collectionId}">
<title>Things</title>
<properties>note</properties>
<content>
<collectionItem id="${first}">
<title>A</title>
<property name="note">&lt;/property> &amp; &lt;b></property>
<content>
words
</content>
</collectionItem>

<collectionItem id="${second}">
<title>&lt;/title></title>
</collectionItem>
</content>
</collection>

after`)
    const cut = await call('blocks_get', { id: document, format: 'markdown', maxDepth: 1 })
    expect(cut).toContain('<itemsPreview>A\n&lt;/title></itemsPreview>\n</collection>')
  })

  test('is renamed as a block, and deleted with its items and their content', async () => {
    const { call, refused, document, collectionId, first } = await withCollection()
    await call('blocks_update', { blocks: [{ id: collectionId, markdown: 'Stuff' }] })
    expect(await call('collections_list')).toMatchObject({ items: [{ name: 'Stuff', schema: { name: 'Stuff' } }] })
    for (const [markdown, found] of [
      ['', 'none'],
      [' ', 'none'],
      ['n'.repeat(1_001), '1,001'],
    ]) {
      expect(await refused('blocks_update', { blocks: [{ id: collectionId, markdown }] })).toBe(
        `Expected a name of 1 to 1,000 characters for the collection, found ${found}; give another.`,
      )
    }
    await call('blocks_delete', { blockIds: [collectionId] })
    expect(await call('collections_list')).toEqual({ items: [] })
    expect(outline((await call('blocks_get', { id: document })).content)).toEqual(['before', 'after'])
    expect(await refused('blocks_get', { id: first })).toMatch(/^Expected the ID of a block within reach/)
  })

  test('moves with its items to another document', async () => {
    const { connected, call, collectionId, first } = await withCollection()
    const elsewhere = await documentOf(connected)
    await call('blocks_move', { blockIds: [collectionId], position: { position: 'end', pageId: elsewhere } })
    expect(await call('collections_list')).toMatchObject({ items: [{ documentId: elsewhere, itemCount: 2 }] })
    expect(await call('items_list', { collectionId })).toMatchObject({ items: [{ id: first, title: 'A' }, {}] })
  })

  test('is copied from a template: schema, options, values, relations, views', async () => {
    const connected = await connect()
    const { call } = connected
    const { items } = await call('documents_add', {
      ...{ documents: [{ title: 'Template' }], destination: { destination: 'templates' } },
    })
    const add = async (name: string, properties: object[]): Promise<string> => {
      const position = { position: 'end', pageId: items[0].id }
      return (await call('collections_add', { schema: { name, properties }, position })).collectionBlockId
    }
    const people = await add('People', [])
    const STATUS = { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }] }
    const tasks = await add('Tasks', [STATUS, { type: 'relation', name: 'Who', targetCollectionId: people }])
    const [ada] = await itemsOf(connected, people, [{ title: 'Ada' }])
    const properties = { status: 'Open', who: { relations: [{ blockId: ada }] } }
    await itemsOf(connected, tasks, [{ title: 'Do', markdown: 'words', properties }])
    const rules = { groupBy: [{ property: 'Status' }], filters: [{ property: 'Who', filterType: 'isNotEmpty' }] }
    await call('views_add', { collectionId: tasks, view: { name: 'Board', type: 'kanban', ...rules } })
    const ofAda = { property: 'Who', filterType: 'relation_hasAnyOf', filterValue: { relations: [{ blockId: ada }] } }
    await call('views_add', { collectionId: tasks, view: { name: 'Of Ada', type: 'table', filters: [ofAda] } })

    const [{ id: copy }] = (await call('documents_add', { documents: [{ title: 'Copy', templateId: items[0].id }] }))
      .items
    const { items: copies } = await call('collections_list', { documentIds: [copy] })
    expect(copies).toMatchObject([{ name: 'People' }, { name: 'Tasks', itemCount: 1 }])
    const [{ id: peopleCopy }, { id: tasksCopy, schema }] = copies
    expect(schema.properties).toMatchObject([{ options: [{ name: 'Open' }] }, { targetCollectionId: peopleCopy }])
    const [item] = (await call('items_list', { collectionId: tasksCopy })).items
    const [person] = (await call('items_list', { collectionId: peopleCopy })).items
    expect(item.properties).toEqual({ status: 'Open', who: { relations: [{ blockId: person.id }] } })
    expect(person.properties).toEqual({ tasks: { relations: [{ blockId: item.id }] } })
    expect(outline(item.content)).toEqual(['words'])
    const { views } = await call('views_list', { collectionId: tasksCopy })
    expect(views).toMatchObject([
      { name: 'Board', groupBy: [{ property: 'status' }] },
      { name: 'Of Ada', filters: [{ filterValue: { relations: [{ blockId: person.id }] } }] },
    ])
    for (const { id: viewId } of views) {
      expect((await call('items_list', { collectionId: tasksCopy, viewId })).items).toHaveLength(1)
    }
  })
})

test('a filter whose options are all gone is not copied either', async () => {
  const { call } = await connect()
  const { items } = await call('documents_add', {
    ...{ documents: [{ title: 'Template' }], destination: { destination: 'templates' } },
  })
  const property = { type: 'multiSelect', name: 'Tags', options: [{ name: 'Old' }, { name: 'Kept' }] }
  const { collectionBlockId: collectionId } = await call('collections_add', {
    schema: { name: 'Things', properties: [property] },
    position: { position: 'end', pageId: items[0].id },
  })
  await call('items_add', { collectionId, items: [{ title: 'One', properties: { tags: ['Kept'] } }] })
  const asks = (filterType: string, ...filterValue: string[]) => ({ property: 'Tags', filterType, filterValue })
  const filters = [asks('select_isAnyOf', 'Old'), asks('select_isAnyOf', 'Old', 'Kept')]
  await call('views_add', { collectionId, view: { name: 'Some', type: 'table', filters } })
  const schema = { name: 'Things', properties: [{ ...property, key: 'tags', options: [{ name: 'Kept' }] }] }
  await call('schema_update', { collectionId, schema })
  const { items: copies } = await call('documents_add', { documents: [{ title: 'Copy', templateId: items[0].id }] })
  const { items: found } = await call('collections_list', { documentIds: [copies[0].id] })
  for (const of of [collectionId, found[0].id]) {
    const { views } = await call('views_list', { collectionId: of })
    expect(views[0].filters).toMatchObject([{ property: 'tags', filterType: 'select_isAnyOf', filterValue: ['Kept'] }])
    expect(views[0].filters).toHaveLength(1)
    const shown = await call('items_list', { collectionId: of, viewId: views[0].id })
    expect(shown.items).toMatchObject([{ title: 'One' }])
  }
})

describe('the position of an item', () => {
  test('is among items: they can be reordered', async () => {
    const { call, collectionId, first, second } = await withCollection()
    const titles = async () => (await call('items_list', { collectionId })).items.map(({ id }: Answer) => id)
    await call('blocks_move', { blockIds: [second], position: { position: 'before', siblingId: first } })
    expect(await titles()).toEqual([second, first])
    await call('blocks_move', { blockIds: [second], position: { position: 'end', pageId: collectionId } })
    expect(await titles()).toEqual([first, second])
  })

  const refusals: [string, (world: Awaited<ReturnType<typeof withCollection>>) => [string, object, string]][] = [
    [
      'no item leaves its collection',
      ({ document, first }) => [
        'blocks_move',
        { blockIds: [first], position: { position: 'end', pageId: document } },
        `Expected items to stay in their collection, found ${first} on its way out of it; add it where it is to be with items_add, move the blocks that it holds there, and delete it with items_delete.`,
      ],
    ],
    [
      'no item goes into another',
      ({ first, second }) => [
        'blocks_move',
        { blockIds: [first], position: { position: 'end', pageId: second } },
        `Expected items to stay in their collection, found ${first} on its way out of it; add it where it is to be with items_add, move the blocks that it holds there, and delete it with items_delete.`,
      ],
    ],
    [
      'no other block is moved beside an item',
      ({ before, first }) => [
        'blocks_move',
        { blockIds: [before], position: { position: 'after', siblingId: first } },
        `Expected a siblingId beside which blocks can stand, found ${first}, an item of a collection; add items with items_add, or name the item as pageId to put blocks into it.`,
      ],
    ],
    [
      'nor with one',
      ({ before, first, second }) => [
        'blocks_move',
        { blockIds: [second, before], position: { position: 'before', siblingId: first } },
        `Expected a siblingId beside which blocks can stand, found ${first}, an item of a collection; add items with items_add, or name the item as pageId to put blocks into it.`,
      ],
    ],
    [
      'no block is added beside an item',
      ({ first }) => [
        'blocks_add',
        { markdown: 'x', position: { position: 'before', siblingId: first } },
        `Expected a siblingId beside which blocks can stand, found ${first}, an item of a collection; add items with items_add, or name the item as pageId to put blocks into it.`,
      ],
    ],
    [
      'no block is added to a collection',
      ({ collectionId }) => [
        'blocks_add',
        { markdown: 'x', position: { position: 'end', pageId: collectionId } },
        `Expected a page, text, card or collection item that can hold blocks as pageId, found ${collectionId}, a collection; add items to it with items_add.`,
      ],
    ],
  ]
  test.each(refusals)('%s', async (_, input) => {
    const world = await withCollection()
    const [name, args, message] = input(world)
    const before = await world.call('blocks_get', { id: world.document })
    expect(await world.refused(name, args)).toBe(message)
    expect(await world.call('blocks_get', { id: world.document })).toEqual(before)
  })

  test('an item cannot move to another collection', async () => {
    const { connected, refused, first } = await withCollection()
    const other = await collectionOf(connected, [])
    const [there = ''] = await itemsOf(connected, other, [{ title: 'B' }])
    const leaves = `Expected items to stay in their collection, found ${first} on its way out of it; add it where it is to be with items_add, move the blocks that it holds there, and delete it with items_delete.`
    for (const position of [
      { position: 'end', pageId: other },
      { position: 'after', siblingId: there },
    ]) {
      expect(await refused('blocks_move', { blockIds: [first], position })).toBe(leaves)
    }
  })
})

describe('a page that is edited by its text', () => {
  test('should keep a collection', async () => {
    const { call, refused, document, collectionId } = await withCollection()
    const { revision, ...before } = await call('blocks_get', { id: document })
    const edit = { pageId: document, markdown: 'before\n\nafter, changed', revision }
    expect(await refused('blocks_update', edit)).toBe(
      `Expected a text with all collections of the page, found the collection ${collectionId} left out; put <collection id="${collectionId}"/> where it was, or delete it with blocks_delete first.`,
    )
    expect(await call('blocks_get', { id: document })).toEqual({ ...before, revision })
  })

  test('may be an item', async () => {
    const { call, first } = await withCollection()
    const { revision } = await call('blocks_get', { id: first })
    await call('blocks_update', { pageId: first, markdown: 'words\n\nmore', revision })
    const item = await call('blocks_get', { id: first })
    expect(item).toMatchObject({ title: 'A', properties: { note: '</property> & <b>' } })
    expect(outline(item.content)).toEqual(['words', 'more'])
  })
})

test('collections_add is rejected as a whole if its schema is', async () => {
  const { connected, call, document } = await withCollection()
  const schema = { name: 'X', properties: [NOTE, NOTE, { type: 'relation', name: 'R', targetCollectionId: 'x' }] }
  const position = { position: 'end', pageId: document }
  expect(await connected.refused('collections_add', { schema, position })).toBe(
    'At schema.properties[1].name: Expected each name once, found "Note" on another property as well; give this one another name.',
  )
  expect((await call('collections_list')).items).toHaveLength(1)
})

describe('collections_list', () => {
  const names = ({ items }: Answer) => items.map(({ name }: Answer) => name)
  const inDocument = async ({ call }: Connected, name: string, pageId: string) =>
    call('collections_add', { schema: { name, properties: [] }, position: { position: 'end', pageId } })

  test('lists those of the given documents, page by page, without the trash', async () => {
    const full = await connect()
    const [one, two, gone] = [await documentOf(full), await documentOf(full), await documentOf(full)]
    for (const [name, document] of [
      ['A', one],
      ['B', two],
      ['C', one],
      ['D', gone],
    ] as const) {
      await inDocument(full, name, document)
    }
    await full.call('documents_delete', { documentIds: [gone] })
    expect(names(await full.call('collections_list'))).toEqual(['A', 'B', 'C'])
    expect(names(await full.call('collections_list', { documentIds: [one] }))).toEqual(['A', 'C'])
    expect(names(await full.call('collections_list', { documentIds: [gone] }))).toEqual(['D'])
    const { items, pagination } = await full.call('collections_list', { limit: 2 })
    expect(names({ items })).toEqual(['A', 'B'])
    expect(pagination).toMatchObject({
      remaining: 1,
      message: '1 collection is left: repeat the call with this cursor.',
    })
    expect(names(await full.call('collections_list', { cursor: pagination.cursor }))).toEqual(['C'])

    const selected = await connect('selected', { to: full, documents: [one, two, gone] })
    expect(names(await selected.call('collections_list'))).toEqual(['A', 'B', 'C'])
    expect(names(await selected.call('collections_list', { documentIds: [one] }))).toEqual(['A', 'C'])
    const documentIds = [one]
    expect(names(await selected.call('collections_list', { documentIds, documentFilterMode: 'exclude' }))).toEqual([
      'B',
    ])
    const narrow = await connect('selected', { to: full, documents: [two] })
    expect(await narrow.refused('collections_list', { documentIds: [one] })).toBe(
      `Expected the ID of a document within reach, found ${one}; read IDs with documents_list and name one of those.`,
    )
  })

  test('lists those of daily notes by their days', async () => {
    const full = await connect()
    await inDocument(full, 'Elsewhere', await documentOf(full))
    const daily = await connect('daily', { to: full })
    for (const date of ['yesterday', 'today', 'tomorrow']) {
      const added = await daily.call('collections_add', {
        ...{ schema: { name: date, properties: [] }, position: { position: 'end', date } },
      })
      expect(added).toMatchObject({ name: date, dailyNoteDate: expect.any(String) })
    }
    expect(await daily.call('collections_list', { startDate: 'today', endDate: 'today' })).toEqual({
      items: [
        {
          ...{ id: expect.any(String), name: 'today', itemCount: 0, dailyNoteDate: '2026-11-20' },
          schema: { key: 'today', name: 'today', contentPropDetails: { key: 'title', name: 'Title' }, properties: [] },
        },
      ],
    })
    expect(names(await daily.call('collections_list'))).toEqual(['yesterday', 'today', 'tomorrow'])
    expect(names(await daily.call('collections_list', { startDate: '2026-11-21' }))).toEqual(['tomorrow'])
  })
})

test('without a limit, more collections are listed over REST than over MCP', async () => {
  const connected = await connect()
  const pageId = await documentOf(connected, '')
  const step = {
    tool: 'collections_add',
    arguments: { schema: { name: 'Things', properties: [] }, position: { position: 'end', pageId } },
  }
  for (const count of [50, 50, 1]) await connected.call('batch', { steps: Array.from({ length: count }, () => step) })
  const { ask } = await askerOf({ to: connected })
  expect((await ask('GET /collections')).json.items).toHaveLength(101)
  const overMcp = await connected.call('collections_list', { format: 'json' })
  expect([overMcp.items.length, overMcp.pagination.remaining]).toEqual([100, 1])
})
