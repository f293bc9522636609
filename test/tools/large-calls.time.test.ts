/** Calls about much: they take their time, and give other calls their turn meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDocument, newBlocks, openWorkbench, type Workbench } from '../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../pattern/pauses.ts'

describe('others get their turn', () => {
  const days = 20
  let bench: Workbench
  let page = ''
  let daily: Workbench

  beforeAll(async () => {
    bench = await openWorkbench(':memory:')
    page = await addDocument(bench, 'Many')
    await add(bench, { position: 'end', pageId: page }, 20_000)
    daily = await openWorkbench(':memory:', 'daily')
    for (let day = 1; day <= days; day++) {
      await add(daily, { position: 'end', date: `2026-11-${String(day).padStart(2, '0')}` }, 2_000)
    }
  })
  afterAll(async () => {
    await bench.close()
    await daily.close()
  })

  test('a text of more blocks than a call may write', async () => {
    let said = ''
    const markdown = '\n\nline'.repeat(170_000)
    const write = async () => {
      const asked = { markdown, position: { position: 'end', pageId: page } }
      said = await bench.call('blocks_add', asked).then(String, (error: Error) => error.message)
    }
    expect(await longestPause(write)).toBeLessThan(LONGEST_PAUSE)
    expect(said).toBe('Expected at most 20,000 blocks in one call, found more; add them in several calls.')
  })

  const add = ({ call }: Workbench, position: object, count: number) =>
    call('blocks_add', { blocks: newBlocks(count), position, answer: 'ids' })

  test.each([
    ['blocks as JSON', 'blocks_get', { maxBlocks: 20_000 }],
    ['blocks as Markdown', 'blocks_get', { maxBlocks: 20_000, format: 'markdown' }],
  ])('%s', async (_, tool, args) => {
    let length = 0
    const read = async () => {
      length = JSON.stringify(await bench.call(tool, { id: page, ...args })).length
    }
    expect(await longestPause(read)).toBeLessThan(LONGEST_PAUSE)
    expect(length).toBeGreaterThan(1_000_000)
  })

  test('a pattern in one document', async () => {
    let items: unknown[] = []
    const search = async () => {
      const asked = { blockId: page, pattern: 'agents?(?= and)', fetchBlocks: true, limit: 100 }
      items = (await bench.call<{ items: unknown[] }>('blocks_search', asked)).items
    }
    expect(await longestPause(search)).toBeLessThan(LONGEST_PAUSE)
    expect(items).toHaveLength(100)
  })

  test.each([
    ['a common word', { include: ['document'], fetchBlocks: true }],
    ['common words, and beginnings of others', { include: ['agent', 'docum'] }],
    ['a pattern', { regexps: ['agents?(?= and)'], fetchBlocks: true }],
  ])('%s in many documents', async (_, args) => {
    let items: unknown[] = []
    const search = async () => {
      items = (await daily.call<{ items: unknown[] }>('daily_notes_search', args)).items
    }
    expect(await longestPause(search)).toBeLessThan(LONGEST_PAUSE)
    expect(items).toHaveLength(days)
  })
})
