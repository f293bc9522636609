/** With `base`, words that others changed since are kept; only changes of the same words are refused. */
import { describe, expect, test } from 'vitest'
import { proposalOf, serveProposals } from '../../call/serve-proposals.ts'
import { type Answer, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'

async function oneBlock(markdown: string) {
  const connected = await connect()
  const documentId = await documentOf(connected, markdown)
  const [{ id }] = await contentOf(connected, documentId)
  const read = async () => (await contentOf(connected, documentId)).map((block: Answer) => block.markdown)
  return { ...connected, documentId, id: id as string, read }
}

/** Somebody writes `theirs`, and then another caller `mine`, which was made from `base`. */
async function merged(base: string, theirs: string, mine: string): Promise<string[]> {
  const { call, id, read } = await oneBlock(base)
  await call('blocks_update', { blocks: [{ id, markdown: theirs }] })
  await call('blocks_update', { blocks: [{ id, markdown: mine, base }] })
  return read()
}

/** A title with words in bold. */
const bold = (value: string, ...words: string[]) => ({
  value,
  attributes: words.map((word) => {
    const start = value.indexOf(word)
    return { type: 'bold', start, end: start + word.length }
  }),
})

describe('both changes are kept', () => {
  test.each([
    ['a paragraph', 'one two three', 'one two four', 'zero two three', ['zero two four']],
    ['a task', '- [ ] call Ada today', '- [x] call Ada today', '- [ ] call Ada tomorrow', ['- [x] call Ada tomorrow']],
    ['a heading', '## one two', '## one three', '# zero two', ['# zero three']],
    ['a heading, without its prefix', '## one two', '## one three', 'zero two', ['## zero three']],
    ['a numbered item', '1. one two', '1. one three', '1. zero two', ['1. zero three']],
    [
      'code',
      '```js\nlet a\nlet b\n```',
      '```js\nlet a\nlet c\n```',
      '```js\nlet x\nlet b\n```',
      ['```js\nlet x\nlet c\n```'],
    ],
    ['two blocks of one', 'one two', 'one three', 'zero\n\none two', ['zero', 'one three']],
    ['a base in other spelling', 'a *b* c', 'a *b* d', 'x _b_ c', ['x *b* d']],
    [
      'a row and a cell of a table',
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
      '| A | B |\n| --- | --- |\n| 1 | 3 |',
      '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 4 | 5 |',
      ['| A | B |\n| --- | --- |\n| 1 | 3 |\n| 4 | 5 |'],
    ],
  ])('of %s', async (_, base, theirs, mine, expected) => {
    expect(await merged(base, theirs, mine)).toEqual(expected)
  })

  test('of the title of a document', async () => {
    const { call, documentId: page } = await oneBlock('text')
    const { markdown: base } = await call('blocks_get', { id: page, maxDepth: 0 })
    await call('blocks_update', { blocks: [{ id: page, markdown: `${base} two` }] })
    const answer = await call('blocks_update', { blocks: [{ id: page, markdown: `One ${base}`, base }] })
    expect(answer.items[0].markdown).toBe(`One ${base} two`)
  })

  test.each<[string, { base: string; theirs: Answer; mine: Answer; both: Answer }]>([
    ['words', { base: 'Big plan', theirs: 'The big plan', mine: 'Big plan B', both: bold('The big plan B') }],
    [
      'words of both sides, with their marks',
      {
        base: 'A plan',
        theirs: bold('A plan', 'A'),
        mine: { value: 'A plan B', attributes: [] },
        both: bold('A plan B', 'A'),
      },
    ],
    [
      'marks of both sides',
      {
        base: 'one two three',
        theirs: bold('one two three', 'one'),
        mine: bold('one two three', 'three'),
        both: bold('one two three', 'one', 'three'),
      },
    ],
    [
      'marks that were there before',
      {
        base: '**one** two three',
        theirs: bold('one two 3', 'one'),
        mine: bold('1 two three', '1'),
        both: bold('1 two 3', '1'),
      },
    ],
    [
      'characters that Markdown escapes',
      {
        base: 'a*b c d',
        theirs: 'a*b c e',
        mine: { value: 'x a*b c d', attributes: [] },
        both: bold('x a*b c e'),
      },
    ],
  ])('of the title of a page: %s', async (_, { base, theirs, mine, both }) => {
    const { call, documentId } = await oneBlock('text')
    const { items } = await call('blocks_add', {
      position: { position: 'end', pageId: documentId },
      blocks: [{ type: 'page', title: 'new' }],
    })
    const [{ id }] = items
    await call('blocks_update', { blocks: [{ id, title: theirs }] })
    await call('blocks_update', { blocks: [{ id, title: mine, base }] })
    expect((await call('blocks_get', { id, maxDepth: 0 })).title).toEqual(both)
  })

  test('of two entries for one block', async () => {
    const { call, id, read } = await oneBlock('one two three')
    const base = 'one two three'
    await call('blocks_update', {
      blocks: [
        { id, base, markdown: '1 two three' },
        { id, base, markdown: 'one two 3' },
      ],
    })
    expect(await read()).toEqual(['1 two 3'])
  })

  test('and the answer says so', async () => {
    const { client, call, id } = await oneBlock('one two')
    await call('blocks_update', { blocks: [{ id, markdown: 'one three' }] })
    const write = async (base: string, markdown: string) => {
      const blocks = [{ id, base, markdown }]
      const { content } = await client.callTool({ name: 'blocks_update', arguments: { blocks } })
      return (content as { text: string }[]).slice(1).map(({ text }) => text)
    }
    expect(await write('one two', 'zero two')).toEqual([
      expect.stringContaining(`Merged with what others changed: ${id}; read the text before you change it again.`),
    ])
    expect(await write('zero three', 'zero four')).toEqual([])
  })
})

describe('nothing is guessed', () => {
  test.each([
    ['the same word', 'one two', 'one three', 'one four'],
    [
      'a cell and its column',
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
      '| A | B |\n| --- | --- |\n| 1 | 3 |',
      '| A |\n| --- |\n| 1 |',
    ],
    ['another text', 'one two', 'completely other words', 'nothing of it is left'],
  ])('about %s', async (_, base, theirs, mine) => {
    const { call, faults, id, read } = await oneBlock(base)
    await call('blocks_update', { blocks: [{ id, markdown: theirs }] })
    const before = await read()
    const fault = await faults('blocks_update', { blocks: [{ id, markdown: mine, base }] })
    expect(fault.code).toBe('CONFLICT')
    expect(fault.error).toContain(JSON.stringify(theirs).slice(1, -1).slice(0, 20))
    expect(await read()).toEqual(before)
  })

  test('about the same word of a title', async () => {
    const { call, faults, documentId: id } = await oneBlock('text')
    await call('blocks_update', { blocks: [{ id, title: 'one three' }] })
    const update = async (title: Answer) => faults('blocks_update', { blocks: [{ id, title, base: 'one two' }] })
    expect((await update('one four')).code).toBe('CONFLICT')
    await call('blocks_update', { blocks: [{ id, title: bold('one two', 'two') }] })
    // Marks are changes, too: what has the same characters is not overwritten.
    const italic = { value: 'one two', attributes: [{ type: 'italic', start: 4, end: 7 }] }
    expect((await update(italic)).error).toContain('found "one **two**"')
    expect((await call('blocks_get', { id, maxDepth: 0 })).title).toEqual(bold('one two', 'two'))
  })

  test('and other blocks of a partial call are written', async () => {
    const { call, documentId, id, read } = await oneBlock('one two\n\nother')
    const { content } = await call('blocks_get', { id: documentId })
    const other = content[1].id
    await call('blocks_update', { blocks: [{ id, markdown: 'one three' }] })
    const { conflicts } = await call('blocks_update', {
      partial: true,
      blocks: [
        { id, base: 'one two', markdown: 'one four' },
        { id: other, base: 'other', markdown: 'another' },
      ],
    })
    expect(conflicts).toEqual([{ index: 0, id, found: { markdown: 'one three' } }])
    expect(await read()).toEqual(['one three', 'another'])
  })
})

test.each([
  [
    { base: 'a' },
    'Expected the new markdown or title beside base, found none; base is the text that it was made from.',
  ],
  ...[{ expected: { markdown: 'a' } }, { expectedMarkdown: 'a' }, { revision: '1' }].map(
    (condition): [object, string] => [
      { base: 'a', markdown: 'b', ...condition },
      'Expected base or a condition, found both; base merges with what others changed, expected and revision refuse it.',
    ],
  ),
  [
    { base: 'a', markdown: 'b', rawCode: 'c' },
    'Expected markdown or title as the only text beside base, found rawCode as well; leave it out.',
  ],
  [
    { base: 'a', markdown: 'b', title: 'c' },
    'Expected markdown or title as the only text beside base, found title as well; leave it out.',
  ],
  [
    { base: 'a', rawCode: 'c' },
    'Expected markdown or title as the only text beside base, found rawCode; leave it out.',
  ],
  [
    { base: 'a', title: 'b' },
    'Expected base beside the title of a page or an item, found one of type text; give its markdown beside base.',
  ],
])('%j is refused', async (change, message) => {
  const { faults, id } = await oneBlock('a')
  const path = 'blocks[0].base'
  expect(await faults('blocks_update', { blocks: [{ id, ...change }] })).toEqual({
    ...{ error: `At ${path}: ${message}`, code: 'VALIDATION_ERROR' },
    details: [{ path, message }],
  })
})

test('one call compares a bounded number of words, and refuses what is left', async () => {
  const { call, faults, id, read } = await oneBlock('one two')
  const words = (name: string) => Array.from({ length: 900 }, (_, index) => `${name}${index}`).join(' ')
  const now = words('theirs')
  await call('blocks_update', { blocks: [{ id, markdown: now }] })
  const vain = Array.from({ length: 3 }, (_, index) => ({ id, base: words(`base${index}x`), markdown: words('mine') }))
  const last = { id, base: `${now} end`, markdown: `new ${now} end` }
  expect((await faults('blocks_update', { blocks: [...vain, last] })).code).toBe('CONFLICT')
  const { conflicts } = await call('blocks_update', { blocks: [...vain, last], partial: true })
  expect(conflicts.map(({ index }: Answer) => index)).toEqual([0, 1, 2, 3])
  // Alone it is merged.
  await call('blocks_update', { blocks: [last] })
  expect(await read()).toEqual([`new ${now}`])
})

test('a proposal is merged when it is approved, once the person has seen what it does now', async () => {
  const { agent, person, owner, plan, read } = await serveProposals()
  const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
  const [{ id }] = json.content
  await owner.ask('PUT /blocks', { blocks: [{ id, markdown: 'one two three' }] })
  const change = { id, markdown: 'one two four', base: 'one two three' }
  const proposed = await agent.ask('PUT /blocks?ids=short', { blocks: [change] })
  await owner.ask('PUT /blocks', { blocks: [{ id, markdown: 'zero two three' }] })
  const approve = async (fingerprint: string) =>
    person.ask(`POST /proposals/${proposalOf(proposed)}/approve`, { fingerprint })
  const shown = await person.ask(`GET /proposals?proposalId=${proposalOf(proposed)}`)
  const refused = await approve(shown.json.items[0].fingerprint)
  expect(refused.json).toMatchObject({
    code: 'CONFLICT',
    details: [{ message: expect.stringContaining('+zero two four') }],
  })
  const [, now = ''] = /approve it with fingerprint (\w+)/.exec(refused.json.error) ?? []
  expect((await approve(now)).status).toBe(200)
  expect(await read()).toContain('zero two four')
})
