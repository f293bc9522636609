/**
 * Every text that a call accepts hides addresses out of reach. The texts are found by a walk over the schemas of the
 * tools, so that a new field is tested, too.
 */
import { describe, expect, test } from 'vitest'
import { FILE_FACTS, NEW_BLOCK_TYPES, parseNewBlocks } from '../../src/space/blocks/block-input.ts'
import { listChanges } from '../../src/space/feed/list-changes.ts'
import { endpoints } from '../../tools/index.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { contentOf, documentOf } from '../document.ts'
import { textPaths, withText } from '../support/text-paths.ts'

/** Code is shown as its author typed it, and addresses that are links by themselves are tested in hidden-ids.test.ts. */
const SHOWN_AS_TYPED = ['rawCode', 'language', 'info']
const LEFT_OUT: readonly string[] = [...SHOWN_AS_TYPED, ...FILE_FACTS]
const REQUIRED: Record<string, object> = {
  text: { markdown: 'words' },
  page: { title: 'Page' },
  image: { url: 'https://example.org/a.png' },
  video: { url: 'https://example.org/a.mp4' },
  file: { url: 'https://example.org/a.pdf', fileName: 'a.pdf' },
  richUrl: { url: 'https://example.org/' },
  code: { rawCode: 'a' },
  table: { markdown: '| a |\n| --- |\n| b |' },
}

/** Only names of members are accepted. */
const NAME_OF_MEMBER = 'taskInfo.assignee'

const schemaOf = (tool: string) => endpoints.find(({ name }) => name === tool)?.input.full as Answer

async function world() {
  const full = await connect()
  const hidden = await documentOf(full, 'hidden')
  const own = await documentOf(full, 'own')
  const selected = await connect('selected', { to: full, documents: [own] })
  return { full, selected, hidden, own, position: { position: 'end', pageId: own } }
}

/** Everything that a narrow connection reads of a document. */
async function readAll({ call }: Connected, own: string): Promise<string> {
  const answers = [
    await call('blocks_get', { id: own, fetchMetadata: true, maxBlocks: 2_000 }),
    await call('blocks_get', { id: own, format: 'markdown', fetchMetadata: true, maxBlocks: 2_000 }),
    await call('blocks_search', { documentId: own, pattern: 'see|a', limit: 200, fetchBlocks: true }),
    await call('documents_search', { include: ['see'], fetchBlocks: true }),
    await call('documents_search', { regexps: ['see'], fetchBlocks: true }),
    await call('history_list', { documentId: own, format: 'json' }),
    await call('history_list', { documentId: own, limit: 50 }),
  ]
  const { items } = await call('collections_list')
  for (const { id: collectionId } of items) {
    answers.push(
      await call('schema_get', { collectionId }),
      await call('schema_get', { collectionId, format: 'schema' }),
    )
    answers.push(await call('views_list', { collectionId }), await call('items_list', { collectionId }))
    answers.push(await call('items_list', { collectionId, format: 'markdown' }), items)
  }
  return JSON.stringify(answers)
}

/** What stands before each address of a hidden block. */
const leaks = (text: string, hidden: string): string[] =>
  [...text.matchAll(new RegExp(`.{0,60}block://${hidden}`, 'g'))].map(([found]) => found)

describe('a selected connection sees no address out of reach', () => {
  test.each(NEW_BLOCK_TYPES)('in any text of a block of type %s', async (type) => {
    const { full, selected, hidden, own, position } = await world()
    const entry = schemaOf('blocks_add').shape.blocks.unwrap().element
    const paths = textPaths(entry).filter(
      (path) => !LEFT_OUT.includes(path[0] ?? '') && path.join('.') !== NAME_OF_MEMBER,
    )
    const blocks: object[] = []
    const accepted = new Set<string>()
    for (const path of paths) {
      // Beside its title, the Markdown of a page is its content.
      const isText = path[0] === 'markdown' && (type === 'text' || type === 'page')
      const text = isText ? `see [it](block://${hidden})` : `see block://${hidden}`
      const block = withText({ type, ...REQUIRED[type] }, path, text)
      const parsed = entry.safeParse(block)
      if (!parsed.success || (await parseNewBlocks([parsed.data]).catch(() => undefined)) === undefined) continue
      accepted.add(path.join('.'))
      blocks.push(block)
    }
    const callout = 'decorations.callout.0'
    const fields = { image: ['altText'], richUrl: ['title', 'description'], file: ['fileName'] }[String(type)] ?? []
    expect([...accepted]).toEqual(expect.arrayContaining([`${callout}.title`, `${callout}.icon`, ...fields]))
    await full.call('blocks_add', { blocks, position })
    expect(leaks(await readAll(selected, own), hidden)).toEqual([])
    const before = await contentOf(full, own)
    const read = (await contentOf(selected, own)).slice(1)
    await selected.call('blocks_update', { blocks: read.map(({ content: _, ...block }: Answer) => block) })
    expect(await contentOf(full, own)).toEqual(before)
  })

  test('in the name of a collection, which it can write back', async () => {
    const { full, selected, hidden, own, position } = await world()
    const name = `see block://${hidden}`
    const properties = [{ type: 'text', name: 'Note' }]
    const { collectionBlockId: collectionId } = await full.call('collections_add', {
      schema: { name, properties },
      position,
    })
    const shown = await selected.call('schema_get', { collectionId, format: 'schema' })
    expect(shown.name).toBe('see invalid:out_of_scope')
    expect(leaks(await readAll(selected, own), hidden)).toEqual([])
    shown.properties.push({ type: 'number', name: 'Price' })
    await selected.call('schema_update', { collectionId, schema: shown })
    expect(await full.call('schema_get', { collectionId, format: 'schema' })).toMatchObject({
      name,
      properties: [{ name: 'Note' }, { name: 'Price' }],
    })
  })

  test('in names of columns and options, and in views, which it can write back', async () => {
    const { full, selected, hidden, own, position } = await world()
    const word = `see block://${hidden}`
    // Both look alike when they are masked.
    const options = [{ name: word }, { name: `see block:${hidden}` }, { name: 'Plain' }]
    const properties = [
      { type: 'text', name: word },
      { type: 'singleSelect', name: `${word} too`, options },
    ]
    const schema = { name: 'C', contentPropDetails: { name: `title ${word}` }, properties }
    const { collectionBlockId: collectionId } = await full.call('collections_add', { schema, position })
    const filters = [
      { property: 'see', filterType: 'string_contains', filterValue: word },
      { property: 'see_too', filterType: 'select_isAnyOf', filterValue: [`see block:${hidden}`] },
    ]
    const kanban = { columnOrder: [word, `free ${word}`] }
    const view = { name: word, type: 'kanban', groupBy: [{ property: 'see_too' }], filters, kanban }
    const { id: viewId } = await full.call('views_add', { collectionId, view })
    const items = [{ title: 'A', properties: { see: word, see_too: `see block:${hidden}` } }]
    await full.call('items_add', { collectionId, items })
    const stored = async () => [
      await full.call('schema_get', { collectionId, format: 'schema' }),
      await full.call('views_list', { collectionId }),
      await full.call('items_list', { collectionId }),
    ]
    const before = await stored()

    const shown = await selected.call('schema_get', { collectionId, format: 'schema' })
    const masked = 'see invalid:out_of_scope'
    expect(shown).toMatchObject({
      contentPropDetails: { key: 'title_see', name: `title ${masked}` },
      properties: [
        { key: 'see', name: masked },
        { key: 'see_too', options: [{ name: masked }, { name: `${masked} (2)` }, { name: 'Plain' }] },
      ],
    })
    const { views } = await selected.call('views_list', { collectionId })
    expect(views[0]).toMatchObject({
      name: masked,
      filters: [{ filterValue: masked }, { filterValue: [`${masked} (2)`] }],
      kanban: { columnOrder: [masked, `free ${masked}`] },
    })
    const found = await selected.call('items_list', { collectionId, viewId })
    expect(found.items).toMatchObject([{ properties: { see: masked, see_too: `${masked} (2)` } }])
    // Filters do not tell what is hidden.
    const asked = [{ property: 'see', filterType: 'string_contains', filterValue: 'block://' }]
    expect((await full.call('items_list', { collectionId, filters: asked })).items).toHaveLength(1)
    expect((await selected.call('items_list', { collectionId, filters: asked })).items).toEqual([])
    expect(leaks(await readAll(selected, own), hidden)).toEqual([])

    await selected.call('schema_update', { collectionId, schema: shown })
    await selected.call('views_update', { collectionId, viewId, view: views[0] })
    const itemsToUpdate = found.items.map(({ id, properties }: Answer) => ({ id, properties }))
    await selected.call('items_update', { collectionId, itemsToUpdate })
    expect(await stored()).toEqual(before)
    shown.properties[1].name = 'Level of invalid:out_of_scope'
    shown.properties[1].options[1].color = 'red'
    shown.name = 'D'
    await selected.call('schema_update', { collectionId, schema: shown })
    await selected.call('views_update', { collectionId, viewId, view: { name: `now ${masked}` } })
    const [after, { views: changed }] = await stored()
    expect(after).toMatchObject({ name: 'D', properties: [{ name: word }, { name: `Level of block://${hidden}` }] })
    expect(after.properties[1].options.map(({ name }: Answer) => name)).toEqual(options.map(({ name }) => name))
    expect(changed).toMatchObject([{ name: `now ${word}`, kanban, filters: [{ filterValue: word }, {}] }])
    expect(leaks(await readAll(selected, own), hidden)).toEqual([])
  })

  test('in assets of whiteboards, which it can write back', async () => {
    const { full, selected, hidden, position } = await world()
    const { whiteboardBlockId } = await full.call('whiteboards_add', { position })
    const assets = { a: { dataURL: 'data:image/png;base64,eA==', source: `block://${hidden}` } }
    await full.call('elements_add', { whiteboardBlockId, elements: [], assets })
    const read = await selected.call('elements_list', { whiteboardBlockId })
    expect(read.assets).toEqual({ a: { ...assets.a, source: 'invalid:out_of_scope' } })
    await selected.call('elements_add', { whiteboardBlockId, elements: [], assets: read.assets })
    expect((await full.call('elements_list', { whiteboardBlockId })).assets).toEqual(assets)
  })

  test('in titles of documents that history and the feed name', async () => {
    const { full, hidden } = await world()
    const titled = await documentOf(full, 'words', `see block://${hidden}`)
    const selected = await connect('selected', { to: full, documents: [titled] })
    const link = await full.space.createAccessLink('selected', [titled])
    await full.call('blocks_add', { markdown: 'more', position: { position: 'end', pageId: titled } })
    const history = await selected.call('history_list', { format: 'json' })
    expect(history.items[0]).toMatchObject({
      summary: '"see invalid:out_of_scope": 1 block added',
      documents: [{ title: 'see invalid:out_of_scope' }],
    })
    const changes = await full.space.read(link, (view) => listChanges(view, { cursor: 'start', limit: 50 }))
    expect(changes.items).toMatchObject([{ documents: [{ title: 'see invalid:out_of_scope' }] }])
  })

  test('in titles of callouts that look alike, each of which keeps its own', async () => {
    const { full, selected, hidden, own, position } = await world()
    const [{ id: other }] = await contentOf(full, hidden)
    const box = (id: string, text: string) => `<callout title="see block://${id}">\n${text}\n</callout>`
    await full.call('blocks_add', { markdown: `${box(hidden, 'one\n\n1')}\n\n${box(other, 'two\n\n2')}`, position })
    const { revision } = await selected.call('blocks_get', { id: own })
    const text = await selected.call('blocks_get', { id: own, format: 'markdown' })
    expect(text.match(/title="see invalid:out_of_scope"/g)).toHaveLength(2)
    await selected.call('blocks_update', { pageId: own, markdown: text.replace('two', 'zero\n\ntwo'), revision })
    const titles = (await contentOf(full, own)).flatMap(
      ({ decorations }: Answer) => decorations?.callout[0].title ?? [],
    )
    expect(titles).toEqual([`see block://${hidden}`, `see block://${other}`])
  })

  test('in titles of callouts, also when another block becomes the first of one', async () => {
    const { full, selected, hidden, own, position } = await world()
    const callout = (title: string, text: string) => `<callout title="${title}">\n${text}\n</callout>`
    await full.call('blocks_add', { markdown: callout(`see block://${hidden}`, 'one\n\ntwo'), position })
    const read = async ({ call }: Connected) => {
      const { content } = await call('blocks_get', { id: own })
      return content.slice(1).map(({ decorations }: Answer) => decorations.callout[0].title)
    }
    const edit = async (from: string, to: string) => {
      const { revision } = await selected.call('blocks_get', { id: own })
      const text = await selected.call('blocks_get', { id: own, format: 'markdown' })
      expect(text).toContain('<callout title="see invalid:out_of_scope">')
      await selected.call('blocks_update', { pageId: own, markdown: text.replace(from, to), revision })
    }
    await edit('one', 'zero\n\none')
    expect(await read(selected)).toEqual(['see invalid:out_of_scope', undefined, undefined])
    expect(await read(full)).toEqual([`see block://${hidden}`, undefined, undefined])
    await edit('zero\n\none\n\n', '')
    expect(await read(full)).toEqual([`see block://${hidden}`])
    await edit('see invalid', 'now see invalid')
    expect(await read(full)).toEqual([`now see block://${hidden}`])
  })
})

test('titles of callouts with an address that runs code are refused', async () => {
  const { full, position } = await world()
  const blocks = [
    { type: 'text', markdown: 'a', decorations: { callout: [{ starts: true, title: '[a](javascript:alert(1))' }] } },
  ]
  expect(await full.refused('blocks_add', { blocks, position })).toContain('javascript:')
})
