/** Addresses of content out of reach are hidden everywhere, and writing back what was read does not change them. */
import { describe, expect, test } from 'vitest'
import { collectionOf, itemsOf } from '../collection.ts'
import { type Answer, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { changeRows } from '../sqlite.ts'

/** Creates a hidden document with a block, and an exposed document that refers to it in every possible way. */
async function world() {
  const full = await connect()
  const hidden = await documentOf(full, 'hidden words')
  const [{ id: block }] = await contentOf(full, hidden)
  const own = await documentOf(full, 'own words')
  const [{ id: near }] = await contentOf(full, own)
  const {
    space: { id: spaceId },
  } = await full.call('connection_get')
  const selected = await connect('selected', { to: full, documents: [own] })
  return { full, selected, hidden, block, own, near, spaceId, position: { position: 'end', pageId: own } }
}

type World = Awaited<ReturnType<typeof world>>

/** Every spelling of the address of a block. */
const spellings = ({ block, hidden, spaceId }: Pick<World, 'block' | 'hidden' | 'spaceId'>): string[] => [
  `block://${block}`,
  `BLOCK://${block.toUpperCase()}`,
  `bLoCk:${block}`,
  `block://${encodeURIComponent(block).replace(/^./, (one) => `%${one.charCodeAt(0).toString(16)}`)}`,
  `block://${block}?x#y`,
  `scriptorium://open?spaceId=${spaceId}&blockId=${block}`,
  `scriptorium://open?documentId=${hidden}`,
  `scriptorium://documents/${hidden}`,
  `https://editor.example/d/${spaceId}/${hidden}`,
]

/** Returns the parts of hidden IDs that a response shows. */
const leaks = (answer: unknown, { block, hidden }: Pick<World, 'block' | 'hidden'>) => {
  const text = (typeof answer === 'string' ? answer : JSON.stringify(answer)).toLowerCase()
  return [block, hidden, block.slice(1), hidden.slice(1)].filter((id) => text.includes(id.toLowerCase()))
}

describe('on a selected connection', () => {
  test('links, autolinks and images in texts, tables and titles lead nowhere, in any spelling', async () => {
    const there = await world()
    const { full, selected, own, position } = there
    const urls = spellings(there)
    const markdown = urls.flatMap((url) => [
      `[a](${url}) ![b](${url}) <${url.startsWith('h') ? url : `block://${there.block}`}> **[c](<${url}> "t")**`,
      `| [a](${url}) |\n| --- |\n| ![b](${url}) |`,
      `- [ ] [task](${url})`,
    ])
    await full.call('blocks_add', { markdown: markdown.join('\n\n'), position })
    const blocks = urls.map((url) => {
      const attributes = [{ start: 0, end: 1, type: 'link', url }]
      return { type: 'page', title: { value: 'Page', attributes } }
    })
    await full.call('blocks_add', { blocks, position })
    const read = await selected.call('blocks_get', { id: own, fetchMetadata: true })
    const text = await selected.call('blocks_get', { id: own, format: 'markdown' })
    const { items } = await selected.call('blocks_search', { documentId: own, pattern: '.', limit: 50 })
    for (const answer of [read.content, text, items]) expect(leaks(answer, there)).toEqual([])
    expect(text).toContain('[task](invalid:out_of_scope)')
    // Whether the text is written back unchanged or edited, its hidden links keep their targets.
    const before = await full.call('blocks_get', { id: own, format: 'markdown' })
    const { revision } = read
    await selected.call('blocks_update', { pageId: own, markdown: text, revision })
    expect(await full.call('blocks_get', { id: own, format: 'markdown' })).toBe(before)
    await selected.call('blocks_update', { pageId: own, markdown: text.replaceAll('[task]', '[work]'), revision })
    expect(await full.call('blocks_get', { id: own, format: 'markdown' })).toBe(before.replaceAll('[task]', '[work]'))
  })

  test('those within reach, those of another space, and code are shown unchanged', async () => {
    const { selected, own, near, block, position } = await world()
    const shown = [
      ...[`[a](BLOCK://${near})`, `[b](scriptorium://open?blockId=${near})`],
      ...[`[c](scriptorium://open?spaceId=other&blockId=${block})`, `\`[d](block://${block})\``, `words ${block}`],
    ].join(' ')
    await selected.call('blocks_add', { markdown: shown, position })
    const [, { markdown }] = await contentOf(selected, own)
    expect(markdown).toBe(shown)
  })

  test('fields of cards and images lead nowhere, and stay when they are written back', async () => {
    const there = await world()
    const { full, selected, own, position } = there
    const blocks = spellings(there).flatMap((url) => [
      { type: 'richUrl', url, title: `see ${url}`, description: `[a](${url})` },
      { type: 'image', url, altText: `see ${url}` },
      { type: 'page', title: 'Page', styling: { coverImage: { url } } },
    ])
    await full.call('blocks_add', { blocks, position })
    const before = await contentOf(full, own)
    const read = await contentOf(selected, own)
    expect(leaks(read, there)).toEqual([])
    expect(read[1]).toMatchObject({ url: 'invalid:out_of_scope', title: 'see invalid:out_of_scope' })
    const patterns = await selected.call('documents_search', { regexps: ['see'], fetchBlocks: true })
    expect(leaks(patterns.items, there)).toEqual([])
    const words = await selected.call('documents_search', { include: ['see'], fetchBlocks: true })
    expect(leaks(words.items, there)).toEqual([])
    const back = read.slice(1).map(({ id, url, title, description, altText, styling, type }: Answer) => {
      return type === 'page'
        ? { id, styling }
        : { id, url, ...(type === 'image' ? { altText } : { title, description }) }
    })
    await selected.call('blocks_update', { blocks: back })
    expect(await contentOf(full, own)).toEqual(before)
    await selected.call('blocks_update', { blocks: [{ id: read[1].id, title: 'new invalid:out_of_scope' }] })
    expect((await contentOf(full, own))[1]).toMatchObject({ title: `new ${spellings(there)[0]}` })
  })

  test('comments lead nowhere', async () => {
    const there = await world()
    const { full, selected, near } = there
    const comments = spellings(there).flatMap((url) =>
      [`see ${url}.`, `[a](${url})`, `<${url}>`, `[b](&#${url.charCodeAt(0)};${url.slice(1)})`].map((content) => {
        return { blockId: near, content }
      }),
    )
    await full.call('comments_add', { comments })
    const { metadata } = await selected.call('blocks_get', { id: near, fetchMetadata: true })
    expect(metadata.comments).toHaveLength(comments.length)
    expect(leaks(metadata, there)).toEqual([])
    const found = await selected.call('documents_search', { include: ['see'] })
    expect(leaks(found.items, there)).toEqual([])
  })

  test('values and titles of items lead nowhere, and stay when they are written back', async () => {
    const there = await world()
    const { full, position } = there
    const schema = { name: 'C', properties: ['text', 'url'].map((type) => ({ type, name: type })) }
    const { collectionBlockId: collectionId } = await full.call('collections_add', { schema, position })
    const items = spellings(there).map((url) => ({ title: 'x', properties: { text: `see ${url}`, url } }))
    const ids = await itemsOf(full, collectionId, items)
    const title = { value: 'y', attributes: [{ start: 0, end: 1, type: 'blockLink', blockId: there.block }] }
    await full.call('blocks_update', { blocks: ids.map((id) => ({ id, title })) })
    const before = await full.call('items_list', { collectionId })
    const read = await there.selected.call('items_list', { collectionId })
    const table = await there.selected.call('items_list', { collectionId, format: 'markdown' })
    const groupBy = [{ property: 'text' }]
    const groups = await there.selected.call('items_list', { collectionId, groupBy })
    for (const answer of [read.items, table, groups]) expect(leaks(answer, there)).toEqual([])
    const itemsToUpdate = read.items.map(({ id, title, properties }: Answer) => ({ id, title, properties }))
    await there.selected.call('items_update', { collectionId, itemsToUpdate })
    expect(await full.call('items_list', { collectionId })).toEqual(before)
  })

  test('whiteboards lead nowhere, and stay when they are written back', async () => {
    const there = await world()
    const { full, selected, own, position } = there
    const { whiteboardBlockId } = await full.call('whiteboards_add', { position })
    const elements = spellings(there).map((link, index) => {
      return {
        id: `e${index}`,
        type: 'text',
        text: `see ${link}`,
        originalText: link,
        link,
        customData: { at: [link] },
      }
    })
    await full.call('elements_add', { whiteboardBlockId, elements, appState: { name: elements[0]?.text } })
    const before = await full.call('elements_list', { whiteboardBlockId })
    const read = await selected.call('elements_list', { whiteboardBlockId })
    expect(leaks(read, there)).toEqual([])
    expect(leaks(await selected.call('blocks_get', { id: own, format: 'markdown' }), there)).toEqual([])
    const { contents } = await selected.client.readResource({ uri: `scriptorium://whiteboards/${whiteboardBlockId}` })
    expect(leaks(contents, there)).toEqual([])
    const back = read.elements.map(({ version: _, ...element }: Answer) => element)
    const changed = await selected.call('elements_update', { whiteboardBlockId, elements: back, answer: 'changed' })
    expect(leaks(changed, there)).toEqual([])
    const after = await full.call('elements_list', { whiteboardBlockId })
    expect(after.elements.map(({ version: _, ...element }: Answer) => element)).toEqual(before.elements)
  })

  test('titles of documents lead nowhere in lists', async () => {
    const there = await world()
    const { full, selected, own } = there
    const attributes = [{ start: 0, end: 1, type: 'link', url: `block://${there.block}` }]
    await full.call('blocks_update', { blocks: [{ id: own, title: { value: 'Own', attributes } }] })
    const { whiteboardBlockId } = await full.call('whiteboards_add', { position: there.position })
    await full.space.write(await full.space.createAccessLink('full', [], 'tester'), async ({ tx }) => {
      await changeRows(tx, 'UPDATE block SET text = ? WHERE id = ?', `Own <block://${there.block}>`, own)
    })
    const listed = await selected.call('documents_list')
    expect(listed.items[0].title).toBe('Own invalid:out_of_scope')
    const found = await selected.call('documents_search', { include: ['own'] })
    const { resources } = await selected.client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(`scriptorium://whiteboards/${whiteboardBlockId}`)
    for (const answer of [found.items, resources]) expect(leaks(answer, there)).toEqual([])
  })
})

test('titles of items and pages show no hidden address, not even as text, and can be written back', async () => {
  const full = await connect()
  const hidden = await documentOf(full, 'hidden words')
  const own = await documentOf(full, 'own words')
  const [{ id: block }] = await contentOf(full, hidden)
  const title = `words [away](block://${block}) and block://${block}`
  const schema = { name: 'Table', properties: [] }
  const inOwn = { position: 'end', pageId: own }
  const { collectionBlockId: collectionId } = await full.call('collections_add', { schema, position: inOwn })
  const [item] = await itemsOf(full, collectionId, [{ title }])
  const { items } = await full.call('blocks_add', { blocks: [{ type: 'page', title }], position: inOwn })
  const page = items[0].id
  const selected = await connect('selected', { to: full, documents: [own] })
  const shown = 'words [away](invalid:out_of_scope) and invalid:out_of_scope'
  const listed = await selected.call('items_list', { collectionId })
  expect(listed.items[0].title).toBe(shown)
  expect(JSON.stringify(await selected.call('blocks_get', { id: own }))).not.toContain(block)
  expect(JSON.stringify(await selected.call('blocks_get', { id: own, format: 'markdown' }))).not.toContain(block)
  const longer = `${shown}, more`
  await selected.call('items_update', { collectionId, itemsToUpdate: [{ id: item, title: longer }] })
  await selected.call('blocks_update', { blocks: [{ id: page, markdown: longer }] })
  expect((await full.call('items_list', { collectionId })).items[0].title).toBe(`${title}, more`)
  expect((await full.call('blocks_get', { id: page })).markdown).toBe(`${title}, more`)
})

test('on a daily connection tasks and values lead nowhere', async () => {
  const full = await connect()
  const hidden = await documentOf(full, 'hidden words')
  const [{ id: block }] = await contentOf(full, hidden)
  const daily = await connect('daily', { to: full })
  await full.call('tasks_add', { tasks: [{ markdown: `[a](BLOCK://${block})` }] })
  const { items } = await daily.call('tasks_list', { scope: 'inbox' })
  expect(items[0].markdown).toBe('- [ ] [a](invalid:out_of_scope)')
  await daily.call('tasks_update', { tasksToUpdate: [{ id: items[0].id, markdown: '[b](invalid:out_of_scope)' }] })
  const after = await full.call('tasks_list', { scope: 'inbox' })
  expect(after.items[0].markdown).toBe(`- [ ] [b](BLOCK://${block})`)
  // A full connection sees the stored value.
  const collectionId = await collectionOf(full, [{ type: 'url', name: 'url' }])
  await itemsOf(full, collectionId, [{ title: 'x', properties: { url: `block://${block}` } }])
  expect((await full.call('items_list', { collectionId })).items[0].properties.url).toBe(`block://${block}`)
})
