/** A block with tens of thousands of characters that may be markup is parsed in chunks or in a worker. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { addDocument, openWorkbench } from '../../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../../support/pauses.ts'
import { addBlockOfLinks } from './block-of-links.ts'

describe.each([30_000, 60_000])('a block of %i characters', (length) => {
  test.each([
    ['emphasis that never ends', '*a_'],
    ['marks within words', 'a*a'],
    ['bold letters', '**a** '],
    ['links', '[a](b) '],
    ['code', '`a` '],
    ['formulas', '$a$ '],
    ['brackets', '['],
    ['a script without spaces', '我们今天讨论全文搜索的设计'],
  ])('of %s can be written, changed, commented on and found', async (_, signs) => {
    const bench = await openWorkbench(':memory:')
    onTestFinished(() => bench.close())
    const { call } = bench
    const pageId = await addDocument(bench, 'Long')
    const markdown = `${signs.repeat(length).slice(0, length)} zebra`
    const position = { position: 'end', pageId }
    const blocks = [{ type: 'text', markdown }]
    let id = ''
    const write = async () => {
      const { items } = await call<{ items: { id: string }[] }>('blocks_add', { blocks, position, answer: 'ids' })
      id = items[0]?.id ?? ''
    }
    expect(await longestPause(write)).toBeLessThan(LONGEST_PAUSE)
    const change = () => call('blocks_update', { blocks: [{ id, markdown: `${markdown} lion` }], answer: 'ids' })
    expect(await longestPause(change)).toBeLessThan(LONGEST_PAUSE)
    const comment = () => call('comments_add', { comments: [{ blockId: id, content: 'a word' }] })
    expect(await longestPause(comment)).toBeLessThan(LONGEST_PAUSE)
    let found: { blockIds: string[]; markdown: string }[] = []
    const search = async () => {
      const input = { include: ['zebra lion'], fetchBlocks: true }
      found = (await call<{ items: typeof found }>('documents_search', input)).items
    }
    expect(await longestPause(search)).toBeLessThan(LONGEST_PAUSE)
    expect(found[0]?.blockIds).toContain(id)
    expect(found[0]?.markdown).toContain('**zebra')
  })
})

test('a block with 20,000 links is read, even if some lead out of reach', async () => {
  const { open, selected, id, hidden } = await addBlockOfLinks(10_000)
  onTestFinished(() => open.close())
  let block = ''
  const read = async () => {
    block = await selected<string>('blocks_get', { id })
  }
  expect(await longestPause(read)).toBeLessThan(LONGEST_PAUSE)
  expect(block).not.toContain(hidden)
})
