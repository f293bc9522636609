/** What callers send is kept or refused: two texts for one field, and texts without the prefix of their block. */
import { describe, expect, test } from 'vitest'
import { collectionOf } from '../../collection.ts'
import { connect } from '../../connect.ts'
import { contentOf, documentOf, idsOf, outlineOf } from '../../document.ts'

const URL = 'https://example.com/a.png'
const PAGE = 'https://example.com/page'

async function add(block: object) {
  const connected = await connect()
  const document = await documentOf(connected)
  const position = { position: 'end', pageId: document }
  const blocks = [block]
  return {
    read: async () => {
      await connected.call('blocks_add', { blocks, position })
      return (await contentOf(connected, document))[0]
    },
    refused: () => connected.refused('blocks_add', { blocks, position }),
  }
}

describe('a new block', () => {
  test('keeps the Markdown of a page beside its title', async () => {
    const { read } = await add({ type: 'page', title: 'Plan', markdown: '# Goals\n\nShip it' })
    const page = await read()
    expect(page).toMatchObject({ markdown: 'Plan', content: [{ markdown: '# Goals' }, { markdown: 'Ship it' }] })
  })
  test('has one title if both are the same', async () => {
    const { read } = await add({ type: 'page', title: 'Plan', markdown: 'Plan' })
    expect((await read()).content ?? []).toEqual([])
  })
  test.each([
    [{ type: 'image', url: URL, markdown: 'A cat' }, { altText: 'A cat' }],
    [
      { type: 'richUrl', url: PAGE, title: 'T', markdown: 'What it is about' },
      { title: 'T', description: 'What it is about' },
    ],
    [{ type: 'richUrl', url: URL, markdown: `![Words](${URL})` }, { title: 'Words' }],
    [{ type: 'file', url: PAGE, markdown: `[Name](${PAGE})` }, { fileName: 'Name' }],
  ])('keeps words beside %o', async (block, expected) => {
    const { read } = await add(block)
    expect(await read()).toMatchObject(expected)
  })
  test.each([
    [{ type: 'page', markdown: 'Plan\n\nFirst this' }, /Expected the title of a page as its markdown, on one line/],
    [
      { type: 'page', title: 'A', markdown: 'B', content: [{ type: 'text', markdown: 'c' }] },
      /two different ones beside content/,
    ],
    [{ type: 'page', title: 'A\nB' }, /Expected a title on one line, found several/],
    [{ type: 'image', url: URL, altText: 'Dog', markdown: 'A cat' }, /found both and different: "A cat"/],
    [{ type: 'code', rawCode: 'a', markdown: '```\nb\n```' }, /Expected either rawCode or markdown/],
    [{ type: 'line', lineStyle: 'strong', markdown: 'words' }, /found both and different: "words"/],
  ])('is refused where words would be lost: %o', async (block, message) => {
    expect(await (await add(block)).refused()).toMatch(message)
  })
})

describe('titles on several lines', () => {
  test('are refused where a title is one line', async () => {
    const { refused } = await connect()
    expect(await refused('documents_add', { documents: [{ title: 'Plan\nFirst this' }] })).toMatch(
      /Expected a title on one line, found several/,
    )
  })
  test('are refused for an item', async () => {
    const connected = await connect()
    const collectionId = await collectionOf(connected, [])
    expect(await connected.refused('items_add', { collectionId, items: [{ title: 'A\nB' }] })).toMatch(
      /Expected a title on one line, found several/,
    )
  })
  test('are the text of a page, and not its title', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'kept', 'Old')
    const markdown = '# New\n\nAll new text'
    expect(await connected.refused('blocks_update', { id, markdown })).toMatch(
      /to change the text of a page, send pageId with replace, or pageId with the whole markdown and the revision/,
    )
    await connected.call('blocks_update', { id, markdown: 'New' })
    expect(await connected.call('blocks_get', { id })).toMatchObject({ markdown: 'New' })
  })
})

async function block(markdown: string) {
  const connected = await connect()
  const document = await documentOf(connected, markdown)
  const [found] = await contentOf(connected, document)
  const update = (change: object) => connected.call('blocks_update', { blocks: [{ id: found.id, ...change }] })
  const read = async () => (await contentOf(connected, document))[0]
  return { ...connected, document, found, update, read }
}

describe('a text without a prefix', () => {
  test.each([
    ['- [ ] a', '- [ ] renamed', 'task'],
    ['- [x] a', '- [x] renamed', 'task'],
    ['- a', '- renamed', 'bullet'],
    ['+ a', '+ renamed', 'toggle'],
    ['1. a', '1. renamed', 'numbered'],
    ['## a', '## renamed', 'h2'],
    ['> a', '> renamed', 'quote'],
    ['<caption>a</caption>', '<caption>renamed</caption>', 'caption'],
  ])('keeps the kind of %j, and the answer says so', async (before, after, kind) => {
    const { found, update, read } = await block(before)
    const { note } = await update({ markdown: 'renamed' })
    expect(note).toBe(
      `Kept as what they were, since their markdown has no prefix: ${found.id} (${kind}). listStyle "none" or textStyle "body" beside markdown makes plain text.`,
    )
    expect((await read()).markdown).toBe(after)
  })
  test.each([
    ['- [ ] a', { listStyle: 'none' }],
    ['## a', { textStyle: 'body' }],
    ['> a', { decorations: [] }],
  ])('makes %j plain if asked to', async (before, style) => {
    const { update, read } = await block(before)
    expect((await update({ markdown: 'renamed', ...style })).note).toBeUndefined()
    expect((await read()).markdown).toBe('renamed')
  })
  test.each([
    ['- [x] a', { listStyle: 'task' }, '- [x] renamed'],
    ['- [x] a', { listStyle: 'task', decorations: ['quote'] }, '> - [x] renamed'],
    ['- [ ] a', { listStyle: 'task', textStyle: 'caption' }, '- [ ] <caption>renamed</caption>'],
    ['## a', { textStyle: 'h2', listStyle: 'bullet' }, '- ## renamed'],
    ['> - a', { listStyle: 'bullet', decorations: { quote: true } }, '> - renamed'],
    ['> - a', { listStyle: 'bullet', decorations: [] }, '- renamed'],
    ['- [ ] a', { textStyle: 'h1' }, '# renamed'],
  ])('beside its styles, %j with %j needs no note and is %j', async (before, styles, after) => {
    const { update, read } = await block(before)
    expect((await update({ markdown: 'renamed', ...styles })).note).toBeUndefined()
    expect((await read()).markdown).toBe(after)
  })
  test('names only the styles that the caller left out', async () => {
    const { found, update, read } = await block('> - a')
    const { note } = await update({ markdown: 'renamed', listStyle: 'bullet' })
    expect(note).toContain(`${found.id} (quote)`)
    expect((await read()).markdown).toBe('> - renamed')
  })
  test('keeps dates, comments and repeats of a task', async () => {
    const { update, read } = await block('- [ ] a')
    await update({ taskInfo: { deadlineDate: '2026-12-01' } })
    await update({ markdown: 'renamed' })
    expect(await read()).toMatchObject({ taskInfo: { state: 'todo', deadlineDate: '2026-12-01' } })
  })
  test('is plain in replace, where a prefix was removed', async () => {
    const { call, document, read } = await block('- [ ] a')
    await call('blocks_update', { pageId: document, replace: [{ old: '- [ ] a', new: 'a' }] })
    expect((await read()).markdown).toBe('a')
  })
  test('with a prefix of its own becomes that', async () => {
    const { update, read } = await block('- [ ] a')
    await update({ markdown: '# a' })
    expect((await read()).markdown).toBe('# a')
  })
})

describe('the box of a task', () => {
  test.each([
    ['[x] b', '- [x] b'],
    ['[ ] b', '- [ ] b'],
    ['[] b', '- [ ] b'],
    ['• [X] b', '- [x] b'],
    ['☑ b', '- [x] b'],
    ['☐ b', '- [ ] b'],
  ])('is read from %j in a task', async (markdown, after) => {
    const { update, read, call, found } = await block('- [x] a')
    await update({ markdown })
    expect((await read()).markdown).toBe(after)
    const { items } = await call('tasks_add', { tasks: [{ markdown }] })
    expect(items[0].markdown).toBe(after)
    await call('tasks_update', { tasksToUpdate: [{ id: found.id, markdown }] })
    expect((await read()).markdown).toBe(after)
  })
  test('is text elsewhere', async () => {
    const { update, read } = await block('a')
    await update({ markdown: '[link](https://example.com) b' })
    expect((await read()).markdown).toBe('[link](https://example.com) b')
  })
})

test('fields that are sent back as they were read do not undo new Markdown', async () => {
  for (const [before, markdown, key] of [
    ['- [ ] a', '- [x] a', 'taskInfo'],
    ['# a', '### a', 'textStyle'],
    ['- a', '1. a', 'listStyle'],
    [`![a](${URL})`, '![a](https://example.com/b.png)', 'url'],
    ['```js\na\n```', '```js\nb\n```', 'rawCode'],
  ] as const) {
    const { found, update, read } = await block(before)
    expect(found[key]).toBeDefined()
    await update({ ...found, markdown })
    expect((await read()).markdown).toBe(markdown)
  }
})

test('several changes name their blocks', async () => {
  const connected = await connect()
  const document = await documentOf(connected, '- a\n- b')
  const ids = Object.values(await idsOf(connected, document))
  await connected.call('blocks_update', { blocks: ids.map((id, index) => ({ id, markdown: `new ${index}` })) })
  expect((await outlineOf(connected, document)).sort()).toEqual(['- new 0', '- new 1'])
})
