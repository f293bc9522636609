/** Pages that hold a collection, edited by their text: the collection stands for itself. */
import { describe, expect, test } from 'vitest'
import { itemsOf } from '../../collection.ts'
import { connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

const COLLECTION = /<collection [\s\S]*<\/collection>/
const NOTE = { type: 'text', name: 'Note' }

async function withCollection() {
  const connected = await connect()
  const document = await documentOf(connected, 'before')
  const { collectionBlockId: collectionId } = await connected.call('collections_add', {
    schema: { name: 'Items', properties: [NOTE], contentPropDetails: { name: 'Name' } },
    position: { position: 'end', pageId: document },
  })
  const [first = ''] = await itemsOf(connected, collectionId, [
    { title: 'A', properties: { note: 'x <b>' }, markdown: 'inside\n\n```\n</collection>\n```' },
    { title: 'B' },
  ])
  await connected.call('blocks_add', { markdown: 'after', position: { position: 'end', pageId: document } })
  const { call } = connected
  const read = () => call('blocks_get', { id: document, format: 'markdown' })
  const items = async () => (await call('items_list', { collectionId })).items
  const revision = async () => (await call('blocks_get', { id: document })).revision
  return { ...connected, document, collectionId, first, read, items, revision }
}

describe('replace', () => {
  test('changes what it names beside a collection', async () => {
    const { call, document, read, items } = await withCollection()
    const [text, held] = [await read(), await items()]
    await call('blocks_update', { pageId: document, replace: [{ old: 'after', new: 'later' }] })
    expect(await read()).toBe(text.replace('after', 'later'))
    expect(await items()).toEqual(held)
  })

  test('is refused in a collection, with the tools for it', async () => {
    const { refused, document, collectionId, read } = await withCollection()
    const text = await read()
    expect(await refused('blocks_update', { pageId: document, replace: [{ old: 'inside', new: 'out' }] })).toBe(
      `Expected <collection id="${collectionId}"> as it was read, found it changed; write <collection id="${collectionId}"/> in its place, and change its items with items_update, items_add or items_delete, and its columns with schema_update.`,
    )
    expect(await read()).toBe(text)
  })

  test('changes the page of an item, and not its values', async () => {
    const { call, refused, first } = await withCollection()
    await call('blocks_update', { pageId: first, replace: [{ old: 'inside', new: 'outside' }] })
    const after = await call('blocks_get', { id: first, format: 'markdown' })
    expect(after).toContain('outside')
    expect(await refused('blocks_update', { pageId: first, replace: [{ old: 'x &lt;', new: 'y &lt;' }] })).toBe(
      `Expected the title and properties of item ${first} as blocks_get returns them, found others; change them with items_update, or send the content alone.`,
    )
    expect(await call('blocks_get', { id: first, format: 'markdown' })).toBe(after)
  })
})

describe('a whole page', () => {
  test.each([
    ['as it was read', (text: string) => text],
    ['as an empty tag', (text: string, id: string) => text.replace(COLLECTION, `<collection id="${id}"/>`)],
    [
      'as a pair of tags',
      (text: string, id: string) => text.replace(COLLECTION, `<collection id="${id}"></collection>`),
    ],
  ])('keeps a collection that stands in it %s', async (_, write) => {
    const { call, document, collectionId, read, items, revision } = await withCollection()
    const [text, held] = [await read(), await items()]
    const markdown = write(text, collectionId).replace('before', 'first')
    await call('blocks_update', { pageId: document, markdown, revision: await revision() })
    expect(await read()).toBe(text.replace('before', 'first'))
    expect(await items()).toEqual(held)
  })

  test('moves a collection with all it holds', async () => {
    const { call, document, collectionId, items, revision } = await withCollection()
    const held = await items()
    const markdown = `after\n\n<collection id="${collectionId}"/>\n\n<page><pageTitle>New</pageTitle><content>\n\nbefore\n\n</content></page>`
    await call('blocks_update', { pageId: document, markdown, revision: await revision() })
    const { content } = await call('blocks_get', { id: document, maxDepth: 1 })
    expect(content.map(({ type }: { type: string }) => type)).toEqual(['text', 'collection', 'page'])
    expect(await items()).toEqual(held)
  })

  test.each([
    [
      'left out',
      () => 'before',
      /^Expected a text with all collections of the page, found the collection \d+ left out; put <collection id="\d+"\/> where it was, or delete it with blocks_delete first\.$/,
    ],
    [
      'without its id',
      () => '<collection/>',
      /found one without an id; make a collection with collections_add, or move one here with blocks_move\.$/,
    ],
    ['written twice', (id: string) => `<collection id="${id}"/>\n\n<collection id="${id}"/>`, /^Expected each ID once/],
    ['not closed', (id: string) => `<collection id="${id}">`, /^Expected <\/collection> for the <collection>/],
  ] as const)('is refused with a collection %s', async (_, write, message) => {
    const { refused, document, collectionId, read, revision } = await withCollection()
    const text = await read()
    const edit = { pageId: document, markdown: write(collectionId), revision: await revision() }
    expect(await refused('blocks_update', edit)).toMatch(message)
    expect(await read()).toBe(text)
  })

  test('may be that of an item as it was read', async () => {
    const { call, first } = await withCollection()
    const { revision } = await call('blocks_get', { id: first })
    const text = await call('blocks_get', { id: first, format: 'markdown' })
    await call('blocks_update', { pageId: first, markdown: text.replace('inside', 'outside'), revision })
    expect(await call('blocks_get', { id: first, format: 'markdown' })).toBe(text.replace('inside', 'outside'))
  })
})
