/** A block with tens of thousands of characters that may be markup is parsed in chunks or in a worker. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSpace } from '../../../src/space/open-space.ts'
import { addDocument, callerOf, openWorkbench } from '../../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../../support/pauses.ts'

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

test('a block with 20,000 links is read, changed and restored, even if some lead out of reach', async () => {
  const open = await openSpace(':memory:', { name: 'Long', timezone: 'Europe/Budapest' })
  onTestFinished(() => open.close())
  const full = callerOf(open, await open.createAccessLink('full', [], 'tester'))
  const { items } = await full<Items>('documents_add', { documents: [{ title: 'Within' }, { title: 'Hidden' }] })
  const [within = '', hidden = ''] = items.map(({ id }) => id)
  const pair = `[a](block://${within}) [b](block://${hidden}) `
  const blocks = [{ type: 'text', markdown: pair.repeat(10_000) }]
  const added = await full<Items>('blocks_add', { blocks, position: { position: 'end', pageId: within } })
  const id = added.items[0]?.id ?? ''
  const selected = callerOf(open, await open.createAccessLink('selected', [within], 'tester'))

  let markdown = ''
  const read = async () => {
    markdown = JSON.parse(await selected<string>('blocks_get', { id })).markdown
  }
  expect(await longestPause(read)).toBeLessThan(LONGEST_PAUSE)
  expect(markdown).toBe(pair.replace(`block://${hidden}`, 'invalid:out_of_scope').repeat(10_000).trimEnd())
  expect(markdown).not.toContain(hidden)
  await selected('blocks_update', { blocks: [{ id, markdown: `${markdown} end` }], answer: 'ids' })
  const stored = JSON.parse(await full<string>('blocks_get', { id })).markdown
  expect(stored).toBe(`${pair.repeat(10_000)}end`)
})

interface Items {
  items: { id: string }[]
}
