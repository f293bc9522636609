import { describe, expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf, idsOf, outline, outlineOf } from '../../document.ts'

async function blocksOf(markdown: string): Promise<{ connected: Connected; id: string; blocks: Answer[] }> {
  const connected = await connect()
  const id = await documentOf(connected, markdown)
  return { connected, id, blocks: await contentOf(connected, id) }
}

/** Updates the only block of a document, and returns it. */
async function updated(markdown: string, change: object): Promise<Answer> {
  const { connected, id, blocks } = await blocksOf(markdown)
  await connected.call('blocks_update', { blocks: [{ id: blocks[0].id, ...change }] })
  const [block] = await contentOf(connected, id)
  const { id: _, ...rest } = block
  return rest
}

describe('the expected state of a block', () => {
  test.each([
    ['a *b*', 'a *b*', 'c'],
    // The expected Markdown may be the text as it was sent, before normalization.
    ['a *b*', 'a _b_ ', 'c'],
    ['  - [ ] a', '- [ ] a', '- [x] a'],
  ])('%j matches %j', async (markdown, expectedMarkdown, after) => {
    const { connected, id, blocks } = await blocksOf(markdown)
    await connected.call('blocks_update', { blocks: [{ id: blocks[0].id, markdown: after, expectedMarkdown }] })
    expect((await contentOf(connected, id))[0].markdown.trim()).toBe(after)
  })

  test.each([
    ['a', 'b'],
    ['- a', 'a'],
    ['- [x] a', '- [ ] a'],
    ['a', '```\na\n```'],
    ['a', 'a\n\nb'],
    // It has the new text already, written by another caller.
    ['c', 'a'],
  ])('%j does not match %j', async (markdown, expectedMarkdown) => {
    const { connected, id, blocks } = await blocksOf(markdown)
    const change = { id: blocks[0].id, markdown: 'c', expectedMarkdown }
    expect(await connected.refused('blocks_update', { blocks: [change] })).toBe(
      `Expected block ${blocks[0].id} with markdown ${JSON.stringify(expectedMarkdown)}, found ${JSON.stringify(blocks[0].markdown)}; nothing was written, since it was changed: read it again.`,
    )
    expect(await contentOf(connected, id)).toEqual(blocks)
  })
})

describe('only given fields change', () => {
  test.each([
    [
      '# a',
      { color: '#00000A' },
      { type: 'text', markdown: '# a', textStyle: 'h1', color: '#00000A', displayColor: '#00000a' },
    ],
    ['# a', { markdown: '## b' }, { type: 'text', markdown: '## b', textStyle: 'h2' }],
    ['# a', { markdown: 'b' }, { type: 'text', markdown: '# b', textStyle: 'h1' }],
    ['# a', { markdown: 'b', textStyle: 'body' }, { type: 'text', markdown: 'b' }],
    ['a', { textStyle: 'h3' }, { type: 'text', markdown: '### a', textStyle: 'h3' }],
    ['# a', { textStyle: 'body' }, { type: 'text', markdown: 'a' }],
    ['- a', { listStyle: 'none' }, { type: 'text', markdown: 'a' }],
    ['- a', { indentationLevel: 2 }, { type: 'text', markdown: '    - a', listStyle: 'bullet', indentationLevel: 2 }],
    [
      '> a',
      { decorations: ['callout'] },
      { type: 'text', markdown: '<callout>a</callout>', decorations: { callout: true } },
    ],
    ['> a', { decorations: {} }, { type: 'text', markdown: 'a' }],
    [
      '```js\na\n```',
      { rawCode: 'b' },
      { type: 'code', markdown: '```js\nb\n```', rawCode: 'b', language: 'javascript', info: 'js' },
    ],
    [
      '```js\na\n```',
      { markdown: '```py\nb\n```' },
      { type: 'code', markdown: '```py\nb\n```', rawCode: 'b', language: 'python', info: 'py' },
    ],
    ['---', { lineStyle: 'light' }, { type: 'line', markdown: '****', lineStyle: 'light' }],
  ])('%j with %j', async (markdown, change, expected) => {
    expect(await updated(markdown, change)).toEqual(expected)
  })

  test.each<[before: string, change: object, words: string, language: string, info?: string]>([
    ['js title="x"', { language: 'javascript' }, 'js title="x"', 'javascript', 'js title="x"'],
    ['js title="x"', { language: 'python' }, 'python title="x"', 'python', 'python title="x"'],
    ['js title="x"', { language: 'python', info: 'js title="x"' }, 'python title="x"', 'python', 'python title="x"'],
    ['dataview', { language: 'sql' }, 'sql', 'sql'],
    ['dataview', { language: 'sql', info: 'dataview' }, 'sql', 'sql'],
    ['dataview', { language: 'other', info: 'dataview' }, 'dataview', 'other', 'dataview'],
    ['{.py}', { language: 'python' }, 'python', 'python'],
    ['toml', { language: 'plaintext' }, '', 'plaintext'],
    ['toml', { info: ' diff  x ' }, 'diff  x', 'other', 'diff  x'],
    ['js title="x"', { info: null }, 'javascript', 'javascript'],
    ['js title="x"', { info: '', language: 'sql' }, 'sql', 'sql'],
    ['python', { info: 'py', language: 'python' }, 'py', 'python', 'py'],
    // A language that is not in the list is kept as text.
    ['js title="x"', { language: 'toml' }, 'toml title="x"', 'other', 'toml title="x"'],
    ['toml', { language: 'toml' }, 'toml', 'other', 'toml'],
  ])('the words %j after a fence with %j', async (before, change, words, language, info) => {
    const markdown = `\`\`\`${words}\na\n\`\`\``
    expect(await updated(`\`\`\`${before}\na\n\`\`\``, change)).toEqual({
      ...{ type: 'code', markdown, rawCode: 'a', language },
      ...(info !== undefined && { info }),
    })
  })

  test.each([
    [
      { info: 'diff', language: 'sql' },
      'Expected info that begins with the language sql, found "diff"; give one of them only.',
    ],
    [{ info: 'a\nb' }, 'Expected info on one line, found a line break in it; leave it out.'],
    [{ language: 'a\nb' }, 'Expected language on one line, found a line break in it; leave it out.'],
  ])('words after a fence in %j are refused', async (change, message) => {
    const { connected, blocks } = await blocksOf('```toml\na\n```')
    expect(await connected.refused('blocks_update', { blocks: [{ id: blocks[0].id, ...change }] })).toContain(message)
  })

  test('null removes a field', async () => {
    const { connected, id, blocks } = await blocksOf('a')
    const update = (change: object) => connected.call('blocks_update', { blocks: [{ id: blocks[0].id, ...change }] })
    await update({
      color: '#000000',
      listStyle: 'task',
      taskInfo: { scheduleDate: 'today', deadlineDate: '2026-12-01' },
    })
    await update({ color: null, taskInfo: { scheduleDate: null } })
    const [block] = await contentOf(connected, id)
    expect(block).toEqual({
      id: blocks[0].id,
      type: 'text',
      markdown: '- [ ] a',
      listStyle: 'task',
      taskInfo: { state: 'todo', deadlineDate: '2026-12-01' },
    })
  })

  test('a task keeps its dates when its text changes, and gets a timestamp when it is done', async () => {
    const { connected, id, blocks } = await blocksOf('- [ ] a')
    const update = (change: object) => connected.call('blocks_update', { blocks: [{ id: blocks[0].id, ...change }] })
    await update({ taskInfo: { scheduleDate: '2026-12-01' } })
    await update({ markdown: '- [x] b' })
    expect(await contentOf(connected, id)).toMatchObject([
      {
        markdown: '- [x] b',
        taskInfo: { state: 'done', scheduleDate: '2026-12-01', completedAt: '2026-11-20T09:00:00.000Z' },
      },
    ])
    connected.clock.now += 1000
    await update({ markdown: '- [x] c' })
    expect((await contentOf(connected, id))[0].taskInfo.completedAt).toBe('2026-11-20T09:00:00.000Z')
    await update({ taskInfo: { state: 'todo' } })
    expect((await contentOf(connected, id))[0].taskInfo).toEqual({ state: 'todo', scheduleDate: '2026-12-01' })
  })

  test('a line without leading spaces keeps the indentation; one with spaces sets it', async () => {
    const { connected, id } = await blocksOf('- a\n  - b')
    const { '  - b': b } = await idsOf(connected, id)
    await connected.call('blocks_update', { blocks: [{ id: b, markdown: '- c' }] })
    expect(await outlineOf(connected, id)).toEqual(['- a', '  - c'])
    await connected.call('blocks_update', { blocks: [{ id: b, markdown: '    - d' }] })
    expect(await outlineOf(connected, id)).toEqual(['- a', '    - d'])
    await connected.call('blocks_update', { blocks: [{ id: b, indentationLevel: 0 }] })
    expect(await outlineOf(connected, id)).toEqual(['- a', '- d'])
  })

  test('several paragraphs: the first replaces the block, the others follow it', async () => {
    const { connected, id, blocks } = await blocksOf('a\n\nz')
    const { items } = await connected.call('blocks_update', {
      blocks: [{ id: blocks[0].id, markdown: '# one\n\ntwo\n\n- three' }],
    })
    expect(outline(items)).toEqual(['# one', 'two', '- three'])
    expect(items[0].id).toBe(blocks[0].id)
    expect(await outlineOf(connected, id)).toEqual(['# one', 'two', '- three', 'z'])
  })
})

describe('titles', () => {
  test('of a page and a document: markdown is plain text, title may have marks', async () => {
    const { connected, id } = await blocksOf('a')
    const update = async (change: object) =>
      (await connected.call('blocks_update', { blocks: [{ id, ...change }] })).items[0]
    expect(await update({ markdown: '# not *a* heading' })).toMatchObject({
      type: 'page',
      markdown: '# not *a* heading',
    })
    const title = { value: 'two words', attributes: [{ type: 'bold', start: 4, end: 9 }] }
    expect(await update({ title })).toMatchObject({ markdown: 'two words', title })
    expect(await update({ markdown: 'two words' })).toMatchObject({ title })
    expect((await connected.call('documents_list')).items).toMatchObject([{ title: 'two words' }])
  })

  test.each(['==two==', '<highlight color="yellow">two</highlight>', '[two](https://example.org "Hint")', '__two__'])(
    'written back as they were read, they change nothing: %s',
    async (written) => {
      const { call } = await connect()
      const markdown = `<page><pageTitle>${written} words</pageTitle><content>\none\n</content></page>`
      await call('documents_add', { documents: [{ title: 'D', markdown }] })
      const { id } = (await call('documents_list')).items[0]
      const read = async () => call('blocks_get', { id, fetchMetadata: true, format: 'json' })
      const before = await read()
      const [{ id: pageId, title }] = before.content
      await call('blocks_update', { blocks: [{ id: pageId, title }] })
      expect(await read()).toEqual(before)
      const other = { ...title, value: `${title.value} more` }
      await call('blocks_update', { blocks: [{ id: pageId, title: other }] })
      expect((await read()).content[0].title).toEqual(other)
    },
  )

  test('of a daily note is its date', async () => {
    const { call, refused } = await connect()
    await call('blocks_add', { markdown: 'x', position: { position: 'end' } })
    const { id, markdown } = await call('blocks_get', { date: 'today' })
    await call('blocks_update', { blocks: [{ id, markdown }] })
    expect(await refused('blocks_update', { blocks: [{ id, markdown: 'Other' }] })).toBe(
      `Expected a page whose title can change, found ${id}, the daily note of 2026-11-20, which is named after its day; change the blocks in it.`,
    )
  })
})

test('writing back what was read changes nothing', async () => {
  const { connected, id } = await blocksOf(
    '# H\n\n- [x] done\n  - b *i*\n\n> q\n\n```js\nx\n```\n\n![a](https://example.org/a.png)\n\n---\n\n| a |\n| - |\n| 1 |\n\n[x](https://example.org)',
  )
  const before = await connected.call('blocks_get', { id, fetchMetadata: true })
  connected.clock.now += 60_000
  await connected.call('blocks_update', { blocks: before.content })
  expect(await connected.call('blocks_get', { id, fetchMetadata: true })).toEqual(before)
})

test('the response has the order of the call, and answer: ids omits the echo', async () => {
  const { connected, blocks } = await blocksOf('a\n\nb')
  const [a, b] = blocks
  const args = {
    blocks: [
      { id: b.id, markdown: 'B' },
      { id: a.id, markdown: 'A' },
    ],
    answer: 'ids',
  }
  expect(await connected.call('blocks_update', args)).toEqual({ items: [{ id: b.id }, { id: a.id }] })
})

describe('rejected, and nothing is written', () => {
  test('another type, a field that the type lacks, an unknown block', async () => {
    const { connected, id, blocks } = await blocksOf('a\n\n---')
    const [a, line] = blocks
    const refused = (change: object) =>
      connected.refused('blocks_update', { blocks: [{ id: a.id, markdown: 'changed' }, change] })
    expect(await refused({ id: line.id, type: 'text' })).toBe(
      `Expected type line of block ${line.id}, found text; a block keeps its type, add another with blocks_add.`,
    )
    expect(await refused({ id: line.id, url: 'https://example.org' })).toBe(
      'Expected fields of a line block (lineStyle, separatorStyle, indentationLevel, depth, listStyle, number, decorations, color, taskInfo), found url; leave it out.',
    )
    expect(await refused({ id: line.id, markdown: 'words' })).toBe(
      'Expected the Markdown of one line block, found a text block; a block keeps its type, add others with blocks_add.',
    )
    expect(await refused({ id: 'nowhere', markdown: 'b' })).toBe(
      'Expected the ID of a block within reach, found nowhere; that is no ID, so find it by its words with documents_search.',
    )
    expect(await refused({ id: line.id, content: [{ type: 'text', markdown: 'x' }] })).toBe(
      'At blocks[1].content: Expected content as it is (none), found [{"type":"text","markdown":"x"}]; leave it out, and change the blocks inside by entries of their own, with blocks_add, blocks_move and blocks_delete.',
    )
    expect(await outlineOf(connected, id)).toEqual(['a', '*****'])
  })
})
