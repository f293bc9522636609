import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../../connect.ts'
import { documentOf, idsOf, outline } from '../../document.ts'

const nested =
  '# Head\n\nwords\n\n<page>\n<pageTitle>Inner</pageTitle>\n<content>\none\n\n<page>\n<pageTitle>Deep</pageTitle>\n<content>\ntwo\n</content>\n</page>\n\nthree\n</content>\n</page>\n\nlast'

describe('a document as JSON', () => {
  test('has the fields of the interface, and no absent ones', async () => {
    const connected = await connect()
    const id = await documentOf(connected, '# Head\n\n- [x] done\n\n```js\na < b\n```\n\n---')
    const { content, ...page } = await connected.call('blocks_get', { id })
    expect(page).toEqual({
      id,
      type: 'page',
      markdown: 'Document',
      title: { value: 'Document', attributes: [] },
      revision: '2',
    })
    const fields = content.map(({ id: _, ...rest }: Answer) => rest)
    expect(fields).toEqual([
      { type: 'text', markdown: '# Head', textStyle: 'h1' },
      {
        type: 'text',
        markdown: '- [x] done',
        listStyle: 'task',
        taskInfo: { state: 'done' },
      },
      { type: 'code', markdown: '```js\na < b\n```', rawCode: 'a < b', language: 'javascript', info: 'js' },
      { type: 'line', markdown: '*****', lineStyle: 'regular' },
    ])
  })

  test('shows pages with their content; an empty one with empty content', async () => {
    const connected = await connect()
    const id = await documentOf(connected, nested)
    const { content } = await connected.call('blocks_get', { id })
    expect(outline(content)).toEqual(['# Head', 'words', ['Inner', ['one', ['Deep', ['two']], 'three']], 'last'])
    expect((await connected.call('blocks_get', { id: await documentOf(connected) })).content).toEqual([])
  })

  test('stops at maxDepth, with the first lines of what is omitted', async () => {
    const connected = await connect()
    const id = await documentOf(connected, nested)
    const alone = await connected.call('blocks_get', { id, maxDepth: 0 })
    expect(alone).not.toHaveProperty('content')
    expect(alone.contentPreviewMd).toBe('# Head\nwords\nInner')
    const { content } = await connected.call('blocks_get', { id, maxDepth: 1 })
    expect(outline(content)).toEqual(['# Head', 'words', 'Inner', 'last'])
    expect(content[2].contentPreviewMd).toBe('one\nDeep\nthree')
    const two = await connected.call('blocks_get', { id, maxDepth: 2 })
    expect(outline(two.content)).toEqual(['# Head', 'words', ['Inner', ['one', 'Deep', 'three']], 'last'])
  })

  test('names the pages around it, if metadata is requested; a document has none', async () => {
    const connected = await connect()
    const id = await documentOf(connected, nested)
    const [, , inner] = (await connected.call('blocks_get', { id })).content
    const two = inner.content[1].content[0].id
    const pathOf = async (block: string) =>
      (await connected.call('blocks_get', { id: block, fetchMetadata: true })).pageBlockPath
    expect(await pathOf(two)).toEqual([
      { id, content: 'Document' },
      { id: inner.id, content: 'Inner' },
      { id: inner.content[1].id, content: 'Deep' },
    ])
    expect(await pathOf(id)).toBeUndefined()
    expect(await connected.call('blocks_get', { id: two })).not.toHaveProperty('pageBlockPath')
  })

  test('can be written back with the pages around it, and says how it is moved instead', async () => {
    const connected = await connect()
    const id = await documentOf(connected, nested)
    const [head] = (await connected.call('blocks_get', { id })).content
    const read = await connected.call('blocks_get', { id: head.id, fetchMetadata: true })
    await connected.call('blocks_update', { blocks: [read] })
    const moved = { ...read, pageBlockPath: [{ id: head.id, content: 'Elsewhere' }] }
    expect(await connected.refused('blocks_update', { blocks: [moved] })).toContain('move blocks with blocks_move')
  })

  test('shows who wrote it and when, if requested', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'words')
    const { words } = await idsOf(connected, id)
    connected.clock.now += 60_000
    await connected.call('blocks_update', { blocks: [{ id: words, markdown: 'others' }] })
    const { content } = await connected.call('blocks_get', { id, fetchMetadata: true })
    expect(content[0].metadata).toEqual({
      createdAt: '2026-11-20T09:00:00.000Z',
      lastModifiedAt: '2026-11-20T09:01:00.000Z',
      createdBy: 'tester',
      lastModifiedBy: 'tester',
      clickableLink: `scriptorium://open?spaceId=${connected.space.info.id}&documentId=${id}&blockId=${words}`,
    })
  })

  test('finds an ID in any spelling', async () => {
    const connected = await connect()
    const id = await documentOf(connected)
    expect((await connected.call('blocks_get', { id: id.toUpperCase() })).id).toBe(id)
  })
})

test('a document as Markdown', async () => {
  const connected = await connect()
  const id = await documentOf(connected, nested)
  const ids = await idsOf(connected, id)
  expect(await connected.call('blocks_get', { id, format: 'markdown' })).toBe(`<page id="${id}">
<pageTitle>Document</pageTitle>
<content>
# Head

words

<page id="${ids.Inner}">
<pageTitle>Inner</pageTitle>
<content>
one

<page id="${ids.Deep}">
<pageTitle>Deep</pageTitle>
<content>
two
</content>
</page>

three
</content>
</page>

last
</content>
</page>`)
})

describe('a long document', () => {
  const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`)

  test('comes in parts that say how much is left; together they are the whole', async () => {
    const connected = await connect()
    const id = await documentOf(connected, lines.join('\n\n'))
    const found: unknown[] = []
    let cursor: string | undefined
    const messages: string[] = []
    do {
      const part = await connected.call('blocks_get', { id, maxBlocks: 4, ...(cursor && { cursor }) })
      expect(part).toMatchObject(cursor === undefined ? { id } : { id, continued: true })
      found.push(...outline(part.content))
      cursor = part.pagination?.cursor
      if (part.pagination) messages.push(part.pagination.message)
    } while (cursor !== undefined)
    expect(found).toEqual(lines)
    expect(messages.map((text) => text.slice(0, 40))).toEqual([
      'Blocks 1 to 4 of 10; 6 are left: repeat ',
      'Blocks 5 to 8 of 10; 2 are left: repeat ',
    ])
  })

  test('continues inside the pages where it stopped', async () => {
    const connected = await connect()
    const id = await documentOf(connected, nested)
    const first = await connected.call('blocks_get', { id, maxBlocks: 5 })
    expect(outline(first.content)).toEqual(['# Head', 'words', ['Inner', ['one']]])
    const second = await connected.call('blocks_get', { id, maxBlocks: 5, cursor: first.pagination.cursor })
    expect(outline(second.content)).toEqual([['Inner', [['Deep', ['two']], 'three']], 'last'])
    expect(second).toMatchObject({ continued: true, content: [{ continued: true }, {}] })
    expect(second.pagination).toBeUndefined()
  })

  test('reads the same at once and in parts, whether pages are older or younger than their content', async () => {
    const connected = await connect()
    const id = await documentOf(connected, lines.join('\n\n'))
    const { 'line 2': two, 'line 3': three, 'line 9': nine } = await idsOf(connected, id)
    const { items } = await connected.call('blocks_add', {
      markdown: '<page><pageTitle>Inner</pageTitle><content></content></page>',
      position: { position: 'start', pageId: id },
    })
    await connected.call('blocks_move', {
      blockIds: [three, two],
      position: { position: 'end', pageId: items[0].id },
    })
    await connected.call('blocks_move', { blockIds: [nine], position: { position: 'start', pageId: id } })
    const whole = await connected.call('blocks_get', { id, maxBlocks: 11 })
    expect(outline(whole.content)).toEqual([
      'line 9',
      ['Inner', ['line 3', 'line 2']],
      ...['line 1', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8'],
    ])
    expect(whole).not.toHaveProperty('pagination')
    const first = await connected.call('blocks_get', { id, maxBlocks: 10 })
    expect(first).toMatchObject({ content: whole.content.slice(0, -1), pagination: { remaining: 1 } })
    const rest = await connected.call('blocks_get', { id, maxBlocks: 10, cursor: first.pagination.cursor })
    expect(rest.content).toEqual(whole.content.slice(-1))
  })

  test('says in Markdown what is left next to the text, not in it', async () => {
    const connected = await connect()
    const id = await documentOf(connected, lines.join('\n\n'))
    const args = { id, format: 'markdown', maxBlocks: 3 }
    const { content } = await connected.client.callTool({ name: 'blocks_get', arguments: args })
    const [text, note] = (content as { text: string }[]).map(({ text }) => text)
    expect(text).toBe(
      `<page id="${id}">\n<pageTitle>Document</pageTitle>\n<content>\nline 1\n\nline 2\n</content>\n</page>`,
    )
    expect(note).toMatch(/^Blocks 1 to 3 of 10; 7 are left: repeat the call with cursor "[\w-]+"\. Revision 2-part\.$/)
  })

  test('rejects a cursor of another reading, and one whose block is gone', async () => {
    const connected = await connect()
    const id = await documentOf(connected, lines.join('\n\n'))
    const other = await documentOf(connected, lines.join('\n\n'))
    const { pagination, content } = await connected.call('blocks_get', { id, maxBlocks: 3 })
    const refused =
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.'
    expect(await connected.refused('blocks_get', { id: other, cursor: pagination.cursor })).toBe(refused)
    expect(await connected.refused('blocks_get', { id, maxDepth: 1, cursor: pagination.cursor })).toBe(refused)
    await connected.call('blocks_delete', { blockIds: [content[1].id] })
    expect(await connected.refused('blocks_get', { id, cursor: pagination.cursor })).toBe(refused)
  })
})

describe('daily notes', () => {
  test('are read by day; a day without a note says how to create one', async () => {
    const { call, refused } = await connect()
    expect(await refused('blocks_get', { date: 'today' })).toBe(
      'Expected a daily note of 2026-11-20, found none; blocks_add with position { "position": "end", "date": "2026-11-20" } makes it.',
    )
    const { items } = await call('blocks_add', { markdown: 'words', position: { position: 'end' } })
    expect(items).toMatchObject([{ markdown: 'words', dailyNoteDate: '2026-11-20' }])
    const note = await call('blocks_get', { date: '2026-11-20' })
    expect(note).toMatchObject({ id: items[0].documentId, markdown: 'Friday, November 20, 2026' })
    expect(outline(note.content)).toEqual(['words'])
  })

  test('on a daily connection the default is today', async () => {
    const daily = await connect('daily')
    await daily.call('blocks_add', { markdown: 'words', position: { position: 'start', pageId: '' } })
    expect(outline((await daily.call('blocks_get')).content)).toEqual(['words'])
  })
})

test.each([
  ['full', { id: 'a', date: 'today' }, 'Expected either id or date, found both; give one of them.'],
  ['full', {}, 'Expected id or date, found neither; give the ID of a document or block, or the day of a daily note.'],
  ['full', { date: '2026-02-29' }, 'At date: Expected a day that exists, found "2026-02-29"; that month has 28 days.'],
  ['full', { id: 'a', maxDepth: -2 }, 'At maxDepth: Expected at least -1, found -2.'],
  ['full', { id: 'a', maxDepth: 1.5 }, 'At maxDepth: Expected a whole number, found 1.5.'],
  ['full', { id: 'a', format: 'html' }, 'At format: Expected one of json, markdown, found "html".'],
  ['full', { id: 'a', maxDeth: 1 }, 'Expected a known key, found "maxDeth"; did you mean maxDepth?'],
  [
    'full',
    { id: 'nowhere' },
    'Expected the ID of a block within reach, found nowhere; that is no ID, so find it by its words with documents_search.',
  ],
  ['selected', { date: 'today' }, 'At id: Expected a string, found none; give it. (1 more in details)'],
  ['daily', { id: 'a', date: 'today' }, 'Expected either id or date, found both; give one of them.'],
] as const)('on a %s connection %j is rejected', async (kind, args, message) => {
  const full = await connect()
  const documents = kind === 'selected' ? [await documentOf(full)] : []
  const { refused } = await connect(kind, { to: full, documents })
  expect(await refused('blocks_get', args)).toBe(message)
})
