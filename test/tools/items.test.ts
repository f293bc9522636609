import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf, outline } from '../document.ts'

const PROPERTIES = [
  { type: 'text', name: 'Note' },
  { type: 'number', name: 'Price' },
  { type: 'boolean', name: 'Paid' },
  { type: 'date', name: 'Due' },
  { type: 'url', name: 'Site' },
  { type: 'email', name: 'Mail' },
  { type: 'phone', name: 'Phone' },
  { type: 'singleSelect', name: 'Status', options: [{ name: 'Open' }, { name: 'Done' }] },
  { type: 'multiSelect', name: 'Tags', options: [{ name: 'a' }, { name: 'b' }] },
  { type: 'relation', name: 'Next' },
  { type: 'blockLink', name: 'Source' },
]
const VALUES = {
  note: 'a\nb',
  price: -1.5,
  paid: false,
  due: '2028-02-29',
  site: 'https://example.org/?a=b',
  mail: 'ada@example.org',
  phone: '+36 1 234 5678',
  status: 'Done',
  tags: ['b', 'a'],
}

async function withCollection(properties: object[] = PROPERTIES) {
  const connected = await connect()
  const collectionId = await collectionOf(connected, properties)
  const add = (...items: object[]): Promise<Answer> => connected.call('items_add', { collectionId, items })
  const list = (asked: object = {}): Promise<Answer> => connected.call('items_list', { collectionId, ...asked })
  const update = (...itemsToUpdate: object[]): Promise<Answer> =>
    connected.call('items_update', { collectionId, itemsToUpdate })
  const refused = (...items: object[]) => connected.refused('items_add', { collectionId, items })
  return { ...connected, connected, collectionId, add, list, update, refused }
}

describe('items', () => {
  test('are pages: a title, values of every type, and content', async () => {
    const { connected, call, add, list, collectionId } = await withCollection()
    const source = await documentOf(connected, 'words', 'Source')
    const {
      items: [first],
    } = await add({ title: 'A *b*', properties: { ...VALUES, source: `block://${source.toUpperCase()}` } })
    const properties = { ...VALUES, source: { blockId: source } }
    expect(first).toEqual({ id: first.id, title: 'A *b*', properties: { ...properties, next: undefined } })
    const {
      items: [second],
    } = await add({
      ...{ title: 'B', markdown: '# Words\n\n- [ ] task' },
      properties: { next: { relations: [{ blockId: first.id }] } },
    })
    const { items } = await list()
    expect(items[0]).toEqual({
      ...{ id: first.id, title: 'A *b*' },
      // The other side of the relation.
      properties: { ...properties, collection: { relations: [{ blockId: second.id }] } },
    })
    expect(items[1]).toMatchObject({ title: 'B', properties: { next: { relations: [{ blockId: first.id }] } } })
    expect(outline(items[1].content)).toEqual(['# Words', '- [ ] task'])
    await call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: first.id } })
    expect(await call('blocks_get', { id: first.id })).toMatchObject({
      ...{ type: 'collectionItem', title: 'A *b*', markdown: 'A *b*', properties: { tags: ['b', 'a'] } },
      content: [{ markdown: 'more' }],
    })
    await call('blocks_update', { blocks: [{ id: first.id, title: 'C' }] })
    expect((await list({ maxDepth: 0 })).items[0]).toMatchObject({ title: 'C' })
    expect((await call('collections_list')).items).toMatchObject([{ id: collectionId, itemCount: 2 }])
  })

  test('change in what is given alone; null and what is empty clear', async () => {
    const { connected, collectionId, update, list } = await withCollection()
    const [id = ''] = await itemsOf(connected, collectionId, [{ title: 'A', properties: VALUES }])
    expect(await update({ id, properties: { price: 2, tags: ['a'] } })).toEqual({
      items: [{ id, title: 'A', properties: { ...VALUES, price: 2, tags: ['a'] } }],
    })
    await update({ id, title: 'B', properties: { note: '', tags: [], due: null, next: { relations: [] } } })
    const { note: _note, tags: _tags, due: _due, ...left } = VALUES
    expect((await list()).items).toEqual([{ id, title: 'B', properties: { ...left, price: 2 } }])
  })

  test('take the key of the title column for title', async () => {
    const { add, update } = await withCollection([{ type: 'text', name: 'Note' }])
    const { items } = await add({ name: 'A' }, { properties: { name: 'B' } }, { properties: { title: 'C' } })
    expect(items.map(({ title }: Answer) => title)).toEqual(['A', 'B', 'C'])
    expect(await update({ id: items[0].id, name: 'D' })).toMatchObject({ items: [{ title: 'D' }] })
  })

  test('take new options when the call allows them, in colours in turn', async () => {
    const { call, collectionId } = await withCollection()
    const items = [
      { title: 'A', properties: { status: 'Later', tags: ['a', 'c'] } },
      { title: 'B', properties: { status: 'Later', tags: ['c', 'd', 'c'] } },
    ]
    const { items: added } = await call('items_add', { collectionId, items, allowNewSelectOptions: true })
    expect(added.map(({ properties }: Answer) => properties)).toEqual([
      { status: 'Later', tags: ['a', 'c'] },
      { status: 'Later', tags: ['c', 'd'] },
    ])
    const { properties } = await call('schema_get', { collectionId, format: 'schema' })
    expect(properties[7].options.at(-1)).toEqual({ name: 'Later', color: 'mint-green' })
    expect(properties[8].options.slice(2)).toEqual([
      { name: 'c', color: 'mint-green' },
      { name: 'd', color: 'aqua-blue' },
    ])
  })

  test('name new options as a schema would, and an option that differs in spaces alone is that option', async () => {
    const { call, collectionId } = await withCollection()
    const items = [
      { title: 'A', properties: { status: ' Later ', tags: ['a', ' a', 'c '] } },
      { title: 'B', properties: { status: 'Later' } },
    ]
    const { items: added } = await call('items_add', { collectionId, items, allowNewSelectOptions: true })
    expect(added.map(({ properties }: Answer) => properties)).toEqual([
      { status: 'Later', tags: ['a', 'c'] },
      { status: 'Later' },
    ])
  })

  test('add no more options than a property may have', async () => {
    const { connected, call, collectionId, list } = await withCollection()
    const before = await call('schema_get', { collectionId, format: 'schema' })
    const asking = (count: number) => {
      // Of the 500 two are there.
      const tags = Array.from({ length: count }, (_, index) => `t${index}`)
      const items = [
        { title: 'A', properties: { tags: tags.slice(0, 300) } },
        { title: 'B', properties: { tags: tags.slice(300) } },
      ]
      return { collectionId, items, allowNewSelectOptions: true, answer: 'ids' }
    }
    expect(await connected.refused('items_add', asking(499))).toBe(
      'At items[1].properties.tags: Expected at most 500 options of tags, found one more; leave it out, or schema_update leaves out others.',
    )
    expect((await list()).items).toEqual([])
    expect(await call('schema_get', { collectionId, format: 'schema' })).toEqual(before)
    await call('items_add', asking(498))
    const { properties } = await call('schema_get', { collectionId, format: 'schema' })
    expect(properties[8].options).toHaveLength(500)
  })

  test('hold texts of 500,000 characters', async () => {
    const { add, list } = await withCollection()
    const note = 'ő'.repeat(500_000)
    await add({ title: 'A', properties: { note } })
    expect((await list()).items[0].properties.note).toBe(note)
  })

  test('go with what they hold', async () => {
    const { connected, call, collectionId, add, list } = await withCollection()
    const { items } = await add({ title: 'A', markdown: 'words' }, { title: 'B' })
    const [{ id: inner }] = await contentOf(connected, items[0].id)
    expect(await call('items_delete', { collectionId, idsToDelete: [items[0].id] })).toEqual({
      items: [{ id: items[0].id }],
    })
    expect((await list()).items).toMatchObject([{ title: 'B' }])
    expect(await connected.refused('blocks_get', { id: inner })).toMatch(/^Expected the ID of a block within reach/)
    expect(await connected.refused('items_delete', { collectionId, idsToDelete: [items[1].id, inner] })).toBe(
      `Expected the ID of an item of "Collection", found ${inner}; read IDs with items_list and name one of those.`,
    )
    expect((await list()).items).toHaveLength(1)
  })
})

describe('items_list', () => {
  test('goes on where the last answer ended', async () => {
    const { add, list, refused: _, connected, collectionId } = await withCollection([])
    await add(...Array.from({ length: 5 }, (_, index) => ({ title: `T${index}` })))
    const first = await list({ limit: 2 })
    const { cursor } = first.pagination
    expect(first).toMatchObject({
      items: [{ title: 'T0' }, { title: 'T1' }],
      pagination: {
        remaining: 3,
        message: `3 items are left: call items_list again with the same arguments and cursor "${cursor}".`,
      },
    })
    const rest = await list({ cursor })
    expect(rest.items.map(({ title }: Answer) => title)).toEqual(['T2', 'T3', 'T4'])
    expect(rest).not.toHaveProperty('pagination')
    expect(await list({ limit: 0 })).toMatchObject({ items: [], pagination: { remaining: 5 } })
    expect(await connected.refused('items_list', { collectionId, cursor: `x${cursor}` })).toBe(
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
    )
  })

  test('answers in few tokens: some properties alone, and as a table', async () => {
    const { add, list, call, collectionId, connected } = await withCollection()
    const { items } = await add(
      { title: 'A | <b>', markdown: 'words', properties: { ...VALUES, note: 'one\n</property> | two' } },
      { title: 'B' },
    )
    expect(await list({ properties: ['price', 'Tags'], maxDepth: 0 })).toEqual({
      items: [
        { id: items[0].id, title: 'A | <b>', properties: { price: -1.5, tags: ['b', 'a'] } },
        { id: items[1].id, title: 'B', properties: {} },
      ],
    })
    const next = { relations: [{ blockId: items[0].id }] }
    await call('items_update', { collectionId, itemsToUpdate: [{ id: items[1].id, properties: { next } }] })
    expect(await list({ properties: ['note', 'tags', 'next'], format: 'markdown' })).toBe(
      [
        '|id|name|note|tags|next|',
        '|-|-|-|-|-|',
        `|${items[0].id}|A \\| &lt;b>|one<br>&lt;/property> \\| two|b, a||`,
        `|${items[1].id}|B|||[A \\| &lt;b>](block://${items[0].id})|`,
      ].join('\n'),
    )
    expect(await connected.refused('items_list', { collectionId, properties: ['nothing'] })).toBe(
      'Expected keys of properties (note, price, paid, due, site, mail, phone, status, tags, next, source, collection), found "nothing".',
    )
  })

  test('reads content as deep as it is asked, and previews what it leaves out', async () => {
    const { add, list } = await withCollection([])
    const page = '<page>\n<pageTitle>p</pageTitle>\n<content>\nin it\n</content>\n</page>'
    await add({ title: 'A', markdown: page })
    expect((await list({ maxDepth: 0 })).items[0]).not.toHaveProperty('content')
    expect((await list({ maxDepth: 1 })).items[0].content).toMatchObject([{ markdown: 'p', contentPreviewMd: 'in it' }])
    expect(outline((await list()).items[0].content)).toEqual([['p', ['in it']]])
  })

  test('answers with 1,000 blocks of content at most, whole items first', async () => {
    const { add, list } = await withCollection([])
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`).join('\n\n')
    await add(
      { title: 'A', markdown: lines(600) },
      { title: 'B', markdown: lines(600) },
      { title: 'C', markdown: lines(1001) },
    )
    const first = await list()
    expect(first.items.map(({ title, content }: Answer) => [title, content.length])).toEqual([['A', 600]])
    expect(first.pagination.remaining).toBe(2)
    const second = await list({ cursor: first.pagination.cursor })
    expect(second.items[1]).toMatchObject({ title: 'C', contentPreviewMd: 'l0\nl1\nl2' })
    expect(second.items[1]).not.toHaveProperty('content')
  })
})

describe('an item is refused', () => {
  const refusals: [string, object, string][] = [
    ['without a title', {}, 'title: Expected a title (Name), found none; give it.'],
    ['with an empty title', { title: '' }, 'title: Expected a title of at least one character, found "".'],
    [
      'with a title of 1,001 characters',
      { title: '🎉'.repeat(1001) },
      'title: Expected at most 1,000 characters, found 1,001; put long texts into content.',
    ],
    ['with a number as text', { properties: { price: '5' } }, 'properties.price: Expected a number, found "5".'],
    ['with a text as number', { properties: { note: 5 } }, 'properties.note: Expected text, found 5.'],
    [
      'with a checkbox as text',
      { properties: { paid: 'true' } },
      'properties.paid: Expected true or false, found "true".',
    ],
    [
      'with a day that there is not',
      { properties: { due: '2026-02-29' } },
      'properties.due: Expected a day that exists, found "2026-02-29"; that month has 28 days.',
    ],
    [
      'with a word for a date',
      { properties: { due: 'today' } },
      'properties.due: Expected a date as YYYY-MM-DD, found "today".',
    ],
    [
      'with a date in another form',
      { properties: { due: '1/2/2026' } },
      'properties.due: Expected a date as YYYY-MM-DD, found "1/2/2026".',
    ],
    [
      'with a url that is none',
      { properties: { site: 'example.org' } },
      'properties.site: Expected a URL with its scheme such as https://example.org, found "example.org".',
    ],
    [
      'with an email that is none',
      { properties: { mail: 'ada@example' } },
      'properties.mail: Expected an email address such as name@example.org, found "ada@example".',
    ],
    [
      'with an unknown option',
      { properties: { status: 'open' } },
      'properties.status: Expected one of Open, Done, found "open"; allowNewSelectOptions: true adds it.',
    ],
    [
      'with one option for several',
      { properties: { tags: 'a' } },
      'properties.tags: Expected an array of names of options, found "a".',
    ],
    [
      'with several options for one',
      { properties: { status: ['Open'] } },
      'properties.status: Expected the name of an option, found ["Open"].',
    ],
    [
      'with an option without a name',
      { properties: { tags: [''] } },
      'properties.tags: Expected the name of an option of tags, found an empty text; null clears.',
    ],
    [
      'with an option of spaces',
      { properties: { tags: ['  '] } },
      'properties.tags: Expected the name of an option of tags, found an empty text; null clears.',
    ],
    [
      'with an option that is no name',
      { properties: { tags: ['t'.repeat(1_001)] } },
      'properties.tags: Expected the name of an option of tags of at most 1,000 characters, found 1,001; shorten it.',
    ],
    [
      'with more options than there can be',
      { properties: { tags: Array.from({ length: 501 }, (_, index) => `${index}`) } },
      'properties.tags: Expected at most 500 options of tags, found more; leave some out.',
    ],
    [
      'with a relation of another shape',
      { properties: { next: { blockId: 'x' } } },
      'properties.next: Expected a relation as { "relations": [{ "blockId" }] }, found {"blockId":"x"}.',
    ],
    [
      'with a relation to no item',
      { properties: { next: { relations: [{ blockId: 'x' }] } } },
      'properties.next: Expected the ID of an item of the related collection, found x, which does not exist there; read IDs with items_list.',
    ],
    [
      'with a link of another shape',
      { properties: { source: 'x' } },
      'properties.source: Expected a link as { "blockId" }, found "x".',
    ],
    [
      'with a link to no block',
      { properties: { source: { blockId: 'x' } } },
      'properties.source: Expected the ID of a block within reach, found x, which does not exist; read IDs with blocks_get.',
    ],
    [
      'with an unknown key',
      { properties: { what: 1 } },
      'properties.what: Expected one of note, price, paid, due, site, mail, phone, status, tags, next, source, collection, found the unknown key "what"; schema_get tells the keys.',
    ],
    [
      'with a name for a key',
      { properties: { Note: 'x' } },
      'properties.Note: Expected the key of a property, found the name "Note"; its key is note.',
    ],
    [
      'with a property beside the title',
      { note: 'x' },
      'note: Expected title, properties, content or markdown, found "note"; it is a property, put it into properties.',
    ],
    [
      'with an unknown field',
      { parent: 'x' },
      'parent: Expected title, properties, content or markdown, found the unknown key "parent"; leave it out.',
    ],
  ]
  test.each(refusals)('%s', async (_, item, message) => {
    const { refused, list } = await withCollection()
    const title = 'title' in item || message.startsWith('title') ? {} : { title: 'A' }
    expect(await refused({ ...title, ...item })).toBe(`At items[0].${message}`)
    expect((await list()).items).toEqual([])
  })

  test('with all the others of its call, and every fault is named', async () => {
    const { connected, collectionId, list } = await withCollection()
    const items = Array.from({ length: 100 }, (_, index): object => ({ title: `T${index}`, properties: VALUES }))
    items[3] = { title: 'x', properties: { due: 'soon', price: 'much', note: 'x' } }
    items[98] = { properties: { status: 'Lost' } }
    const { error, details } = await connected.faults('items_add', { collectionId, items })
    expect(error).toBe('At items[3].properties.due: Expected a date as YYYY-MM-DD, found "soon". (3 more in details)')
    expect(details?.map(({ path }) => path)).toEqual([
      'items[3].properties.due',
      'items[3].properties.price',
      'items[98].properties.status',
      'items[98].title',
    ])
    expect((await list()).items).toEqual([])
  })

  test('with content and markdown, and with content that cannot be read', async () => {
    const { refused, list } = await withCollection()
    expect(await refused({ title: 'A', content: [], markdown: '' })).toBe(
      'At items[0]: Expected either content or markdown, found both; give one of them.',
    )
    expect(await refused({ title: 'A' }, { title: 'B', content: [{ type: 'image' }] })).toBe(
      'At items[1].content[0]: Expected url or markdown on a new image block, found none; give it.',
    )
    expect((await list()).items).toEqual([])
  })

  test('when it is changed: unknown, named twice, or with content', async () => {
    const { connected, collectionId } = await withCollection()
    const [id = ''] = await itemsOf(connected, collectionId, [{ title: 'A' }])
    const itemsToUpdate = [{ id, title: 'B' }, { id, markdown: 'x' }, { id: 'other' }]
    expect((await connected.faults('items_update', { collectionId, itemsToUpdate })).details).toEqual([
      { path: 'itemsToUpdate[1].id', message: `Expected each item once, found ${id} twice; put its changes together.` },
      {
        path: 'itemsToUpdate[1].markdown',
        message:
          'Expected title and properties, found markdown; change what an item holds with blocks_add, blocks_update and blocks_delete.',
      },
      {
        path: 'itemsToUpdate[2].id',
        message:
          'Expected the ID of an item of "Collection", found other; read IDs with items_list and name one of those.',
      },
    ])
  })
})
