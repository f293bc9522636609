import { describe, expect, test } from 'vitest'
import { itemsOf } from '../../collection.ts'
import { type Answer, connect } from '../../connect.ts'
import { contentOf, documentOf, outline } from '../../document.ts'
import { VALUES, withCollection } from './items-all-types.ts'

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
      // The reverse property.
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

  test('change only in the given fields; null and empty values clear', async () => {
    const { connected, collectionId, update, list } = await withCollection()
    const [id = ''] = await itemsOf(connected, collectionId, [{ title: 'A', properties: VALUES }])
    expect(await update({ id, properties: { price: 2, tags: ['a'] } })).toEqual({
      items: [{ id, title: 'A', properties: { ...VALUES, price: 2, tags: ['a'] } }],
    })
    await update({ id, title: 'B', properties: { note: '', tags: [], due: null, next: { relations: [] } } })
    const { note: _note, tags: _tags, due: _due, ...left } = VALUES
    expect((await list()).items).toEqual([{ id, title: 'B', properties: { ...left, price: 2 } }])
  })

  test.each([1, 0, '1', '0', 'yes', 'No', ' TRUE ', 'off'])('accept %j as a boolean', async (paid) => {
    const { add, refused } = await withCollection()
    const { items } = await add({ title: 'A', properties: { paid } })
    expect(items[0].properties.paid).toBe(/^(?:1|yes|true)$/i.test(String(paid).trim()))
    expect(await refused({ title: 'B', properties: { paid: 2 } })).toContain('Expected true or false, found 2.')
  })

  test('accept the key of the title column for title', async () => {
    const { add, update } = await withCollection([{ type: 'text', name: 'Note' }])
    const { items } = await add({ name: 'A' }, { properties: { name: 'B' } }, { properties: { title: 'C' } })
    expect(items.map(({ title }: Answer) => title)).toEqual(['A', 'B', 'C'])
    expect(await update({ id: items[0].id, name: 'D' })).toMatchObject({ items: [{ title: 'D' }] })
  })

  test('create new options if the call allows it, with colors in turn', async () => {
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

  test('name new options as a schema would, and an option that differs only in spaces is the same', async () => {
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
    const write = (count: number) => {
      // Two of the 500 options exist already.
      const tags = Array.from({ length: count }, (_, index) => `t${index}`)
      const items = [
        { title: 'A', properties: { tags: tags.slice(0, 300) } },
        { title: 'B', properties: { tags: tags.slice(300) } },
      ]
      return { collectionId, items, allowNewSelectOptions: true, answer: 'ids' }
    }
    expect(await connected.refused('items_add', write(499))).toBe(
      'At items[1].properties.tags: Expected at most 500 options of tags, found one more; leave it out, or schema_update leaves out others.',
    )
    expect((await list()).items).toEqual([])
    expect(await call('schema_get', { collectionId, format: 'schema' })).toEqual(before)
    await call('items_add', write(498))
    const { properties } = await call('schema_get', { collectionId, format: 'schema' })
    expect(properties[8].options).toHaveLength(500)
  })

  test('contain texts of 500,000 characters', async () => {
    const { add, list } = await withCollection()
    const note = 'ő'.repeat(500_000)
    await add({ title: 'A', properties: { note } })
    expect((await list()).items[0].properties.note).toBe(note)
  })

  test('are deleted with their content', async () => {
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
  test('continues after the last response', async () => {
    const { add, list, refused: _, connected, collectionId } = await withCollection([])
    await add(...Array.from({ length: 5 }, (_, index) => ({ title: `T${index}` })))
    const first = await list({ limit: 2 })
    const { cursor } = first.pagination
    expect(first).toMatchObject({
      items: [{ title: 'T0' }, { title: 'T1' }],
      pagination: {
        remaining: 3,
        message: `3 items are left: repeat the call with cursor "${cursor}".`,
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

  test('can use few tokens: with selected properties, and as a table', async () => {
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
        '|id|title|note|tags|next|',
        '|-|-|-|-|-|',
        `|${items[0].id}|A \\| &lt;b>|one<br>&lt;/property> \\| two|b, a||`,
        `|${items[1].id}|B|||[A \\| &lt;b>](block://${items[0].id})|`,
      ].join('\n'),
    )
    expect(await connected.refused('items_list', { collectionId, properties: ['nothing'] })).toBe(
      'Expected keys of properties (note, price, paid, due, site, mail, phone, status, tags, next, source, stars, who, collection), found "nothing".',
    )
  })

  test('reads content to the requested depth, and previews the rest', async () => {
    const { add, list } = await withCollection([])
    const page = '<page>\n<pageTitle>p</pageTitle>\n<content>\nin it\n</content>\n</page>'
    await add({ title: 'A', markdown: page })
    expect((await list({ maxDepth: 0 })).items[0]).not.toHaveProperty('content')
    expect((await list({ maxDepth: 1 })).items[0].content).toMatchObject([{ markdown: 'p', contentPreviewMd: 'in it' }])
    expect(outline((await list()).items[0].content)).toEqual([['p', ['in it']]])
  })

  test('returns at most 1,000 blocks of content, with complete items first', async () => {
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

describe('a table', () => {
  const properties = [
    { name: 'Stage', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Won' }] },
    { name: 'Note', type: 'text' },
    { name: 'Price', type: 'number' },
  ]
  async function priced(count: number) {
    const connected = await connect()
    const pageId = await documentOf(connected)
    const position = { position: 'end', pageId }
    const made = await connected.call('collections_add', { schema: { name: 'Deals', properties }, position })
    const collectionId = made.collectionBlockId
    const items = Array.from({ length: count }, (_, price) => ({
      title: `Deal ${price}`,
      properties: { stage: 'Open', price },
    }))
    await connected.call('items_add', { collectionId, items })
    const listed = (args: object) => connected.call('items_list', { collectionId, format: 'markdown', ...args })
    const table = async (args: object = {}): Promise<string[]> =>
      (await listed(args)).replace(/\d{12}/g, 'ID').split('\n')
    return { listed, table }
  }

  test('says once what stands in every row', async () => {
    const { table } = await priced(4)
    const rows = ['|ID|Deal 0|0|', '|ID|Deal 1|1|', '|ID|Deal 2|2|', '|ID|Deal 3|3|']
    expect(await table()).toEqual([
      '|id|title|price|',
      '|-|-|-|',
      ...rows,
      '',
      'In all rows, stage is "Open", note is empty.',
    ])
    expect(await table({ properties: ['stage'] })).toContain('|ID|Deal 0|Open|')
  })

  test('of a few rows shows all columns, and with limit 0 there is none', async () => {
    const { listed, table } = await priced(3)
    expect(await table()).toContain('|ID|Deal 0|Open||0|')
    expect(await listed({ limit: 0, calculations: { price: 'number_sum' } })).toEqual({ calculations: { price: 3 } })
    expect(await table({ limit: 0 })).toEqual([expect.stringMatching(/^3 items are left: repeat the call with cursor/)])
    const titled = (value: string) => [{ property: 'title', filterType: 'equals', value }]
    expect(await table({ limit: 0, filters: titled('none') })).toEqual(['No item matches.'])
    expect(await table({ filters: titled('DEAL 1') })).toContain('|ID|Deal 1|Open||1|')
  })
})
