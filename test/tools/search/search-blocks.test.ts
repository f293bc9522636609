import { describe, expect, test } from 'vitest'
import { type Answer, connect } from '../../connect.ts'
import { documentOf, idsOf } from '../../document.ts'

const words = ({ items }: Answer) => items.map(({ markdown }: { markdown: string }) => markdown)

test('patterns find titles of callouts and descriptions, each by itself', async () => {
  const connected = await connect()
  const markdown = '<callout title="Careful now" color="#ff0000">first\n\nsecond</callout>\n\nlast'
  const id = await documentOf(connected, markdown, 'Outer')
  const card = { type: 'richUrl', url: 'https://example.org', title: 'Card', description: 'Described here' }
  await connected.call('blocks_add', { blocks: [card], position: { position: 'end', pageId: id } })
  const search = async (pattern: string) => words(await connected.call('blocks_search', { blockId: id, pattern }))
  expect(await search('^careful now$')).toEqual(['<callout>first</callout>'])
  expect(await search('^described')).toEqual(['[Card](https://example.org)'])
  // A match does not go from one text of a block to the next.
  expect(await search('callout>\\s*careful')).toEqual([])
  // A block whose texts match several times is found once.
  expect(await search('r')).toHaveLength(3)
  const { items } = await connected.call('documents_search', { regexps: ['careful', 'last'] })
  expect(items).toMatchObject([{ documentId: id, markdown: '**Careful** now' }])
})

const UNCLOSED = 'Expected a ) for each (, found a ( that is never closed at character 1; close it, or write \\(.'

describe('blocks_search', () => {
  test('finds blocks in reading order, with the pages and the blocks around each', async () => {
    const connected = await connect()
    const markdown =
      'one\n\n<page><pageTitle>Inner *page*</pageTitle><content>\n- two\n- [x] three\n</content></page>\n\nfour'
    const id = await documentOf(connected, markdown, 'Outer')
    const ids = await idsOf(connected, id)
    const around = { beforeBlockCount: 2, afterBlockCount: 1 }
    const { items } = await connected.call('blocks_search', {
      blockId: id,
      pattern: '^- \\[x\\] T',
      ...around,
      fetchBlocks: true,
    })
    expect(items).toEqual([
      {
        blockId: ids['- [x] three'],
        markdown: '- [x] three',
        pageBlockPath: [
          { id, content: 'Outer' },
          { id: ids['Inner page'], content: 'Inner page' },
        ],
        beforeBlocks: [
          { blockId: ids['Inner page'], markdown: 'Inner page' },
          { blockId: ids['- two'], markdown: '- two' },
        ],
        afterBlocks: [{ blockId: ids.four, markdown: 'four' }],
        block: expect.objectContaining({
          id: ids['- [x] three'],
          listStyle: 'task',
          taskInfo: expect.objectContaining({ state: 'done' }),
        }),
      },
    ])
    const inner = await connected.call('blocks_search', { blockId: ids['Inner page'], pattern: 'o' })
    expect(words(inner)).toEqual(['- two'])
    expect(inner.items[0].pageBlockPath).toHaveLength(2)
    expect(inner.items[0].beforeBlocks).toEqual([])
    expect(words(await connected.call('blocks_search', { blockId: id, pattern: 'outer' }))).toEqual(['Outer'])
  })

  test('can match case', async () => {
    const connected = await connect()
    const blockId = await documentOf(connected, 'Word\n\nword')
    const search = (more: object) => connected.call('blocks_search', { blockId, pattern: 'word', ...more })
    expect(words(await search({}))).toEqual(['Word', 'word'])
    expect(words(await search({ caseSensitive: true }))).toEqual(['word'])
  })

  test('shows each block once, however close the matches are', async () => {
    const connected = await connect()
    const lines = [...'abcdefghijkl'].map((letter, index) => (index % 3 === 0 ? `match ${letter}` : `line ${letter}`))
    const blockId = await documentOf(connected, lines.join('\n\n'))
    const search = { blockId, pattern: 'match', beforeBlockCount: 2, afterBlockCount: 5 }
    const { items } = await connected.call('blocks_search', search)
    const shown = items.flatMap(({ beforeBlocks, markdown, afterBlocks }: Answer) => [
      ...words({ items: beforeBlocks }),
      markdown,
      ...words({ items: afterBlocks }),
    ])
    expect(shown).toEqual(lines)
    const text = await connected.call('blocks_search', { ...search, format: 'markdown' })
    for (const line of lines) expect(text.split(line), line).toHaveLength(2)
  })

  test('shows five blocks on each side by default, and none on daily connections', async () => {
    const connected = await connect()
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}.`)
    const blockId = await documentOf(connected, lines.join('\n\n'))
    const [found] = (await connected.call('blocks_search', { blockId, pattern: 'line 10\\.' })).items
    expect(words({ items: [...found.beforeBlocks, ...found.afterBlocks] })).toEqual([
      ...lines.slice(5, 10),
      ...lines.slice(11, 16),
    ])
    const selected = await connect('selected', { to: connected, documents: [blockId] })
    const [same] = (await selected.call('blocks_search', { documentId: blockId, pattern: 'line 10\\.' })).items
    expect(same).toEqual(found)
    const daily = await connect('daily', { to: connected })
    await daily.call('blocks_add', { markdown: 'before\n\nnow\n\nafter', position: { position: 'end' } })
    const { items } = await daily.call('blocks_search', { pattern: 'now' })
    expect(items).toMatchObject([{ markdown: 'now', beforeBlocks: [], afterBlocks: [] }])
    expect((await daily.call('blocks_search', { date: 'today', pattern: 'zzz' })).items).toEqual([])
  })

  test('returns results in parts', async () => {
    const { call, refused, ...connected } = await connect()
    const blockId = await documentOf(
      { call, refused, ...connected },
      Array.from({ length: 7 }, (_, index) => `line ${index}`).join('\n\n'),
    )
    const input = { blockId, pattern: 'line', limit: 3 }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const answer = await call('blocks_search', { ...input, cursor })
      seen.push(...words(answer))
      cursor = answer.pagination?.cursor
      if (seen.length === 3) {
        expect(answer.pagination).toMatchObject({
          remaining: 4,
          message: '4 matches are left: repeat the call with this cursor.',
        })
      }
    } while (cursor !== undefined)
    expect(seen).toEqual(Array.from({ length: 7 }, (_, index) => `line ${index}`))
    const { pagination } = await call('blocks_search', input)
    expect(await refused('blocks_search', { ...input, pattern: 'other', cursor: pagination.cursor })).toBe(
      'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.',
    )
  })

  test('shows links out of reach hidden, and does not find them', async () => {
    const full = await connect()
    const hidden = await documentOf(full, 'secret')
    const documentId = await documentOf(full, `see [it](block://${hidden})`)
    const selected = await connect('selected', { to: full, documents: [documentId] })
    expect((await selected.call('blocks_search', { documentId, pattern: 'block:' })).items).toEqual([])
    expect(words(await selected.call('blocks_search', { documentId, pattern: 'see' }))).toEqual([
      'see [it](invalid:out_of_scope)',
    ])
  })

  test('rejects what it cannot search', async () => {
    const full = await connect()
    const documentId = await documentOf(full, 'x')
    const selected = await connect('selected', { to: full, documents: [documentId] })
    expect(await full.refused('blocks_search', { blockId: 'nowhere', pattern: 'x' })).toBe(
      'Expected the ID of a block within reach, found nowhere; that is no ID, so find it by its words with documents_search.',
    )
    expect(await selected.refused('blocks_search', { documentId: 'nowhere', pattern: 'x' })).toBe(
      'Expected the ID of a document within reach, found nowhere; that is no ID, so find it by its words with documents_search.',
    )
    expect(await (await connect('daily', { to: full })).refused('blocks_search', { pattern: 'x' })).toBe(
      'Expected a daily note of 2026-11-20, found none; blocks_add with position { "position": "end", "date": "2026-11-20" } makes it.',
    )
    expect(await full.refused('blocks_search', { blockId: documentId, pattern: '(a' })).toBe(UNCLOSED)
    expect(await full.refused('blocks_search', { blockId: documentId, pattern: '' })).toBe(
      'At pattern: Expected at least 1 character, found 0.',
    )
  })
})
