/** Calls that read or write a lot take a while, but other calls are served in the meantime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDocument, newBlocks, openWorkbench, type Workbench } from '../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

describe('other calls are not blocked by', () => {
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
    let output = ''
    const markdown = '\n\nline'.repeat(170_000)
    const write = async () => {
      const input = { markdown, position: { position: 'end', pageId: page } }
      output = await bench.call('blocks_add', input).then(String, (error: Error) => error.message)
    }
    expect(await longestPause(write)).toBeLessThan(LONGEST_PAUSE)
    expect(output).toBe('Expected at most 20,000 blocks in one call, found more; add them in several calls.')
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

  test.each([
    ['items without titles', Array.from({ length: 1_000 }, () => ({ properties: {} }))],
    ['items of thousands of unknown properties', Array.from({ length: 20 }, () => ({ title: 't', properties: WIDE }))],
    ['an item of thousands of options', [{ title: 't', properties: { tags: MANY_TAGS } }]],
    ['items of hundreds of new options', Array.from({ length: 10 }, (_, index) => ({ title: 't', ...tagged(index) }))],
  ])('%s, rejected', async (_, items) => {
    const { collectionBlockId: collectionId } = await bench.call<{ collectionBlockId: string }>('collections_add', {
      schema: { name: 'Things', properties: [{ type: 'multiSelect', name: 'Tags' }] },
      position: { position: 'end', pageId: page },
    })
    let output = ''
    const write = async () => {
      const input = { collectionId, items, allowNewSelectOptions: true }
      output = await bench.call('items_add', input).then(String, (error: Error) => error.message)
    }
    expect(await longestPause(write)).toBeLessThan(LONGEST_PAUSE)
    expect(output).toMatch(/^At items\[\d\]\.\S+: Expected /)
  })

  test('ten thousand assets of a whiteboard', async () => {
    const added = await bench.call<object>('whiteboards_add', { position: { position: 'end', pageId: page } })
    const { whiteboardBlockId } = added as { whiteboardBlockId: string }
    const asset = (id: string) => ({ id, mimeType: 'image/png', dataURL: 'data:image/png;base64,iVBORw0KGgo=' })
    const assets = Object.fromEntries(Object.keys(WIDE).map((id) => [id, asset(id)]))
    const elements = [{ id: 'a', type: 'rectangle' }]
    const write = async () => {
      const input = { whiteboardBlockId, elements: [{ ...elements[0], id: `e${++count}` }], assets, answer: 'changed' }
      expect(await bench.call('elements_add', input)).toHaveProperty('elements')
    }
    let count = 0
    expect(await longestPause(write)).toBeLessThan(LONGEST_PAUSE)
    const read = async () => {
      const board = await bench.call<{ assets: object }>('elements_list', { whiteboardBlockId })
      expect(Object.keys(board.assets)).toHaveLength(10_000)
    }
    expect(await longestPause(read)).toBeLessThan(LONGEST_PAUSE)
  })

  test('a pattern in one document', async () => {
    let items: unknown[] = []
    const search = async () => {
      const input = { blockId: page, pattern: 'agents?(?= and)', fetchBlocks: true, limit: 100 }
      items = (await bench.call<{ items: unknown[] }>('blocks_search', input)).items
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

/** The maximum number of fields in one object. */
const WIDE = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field_${index}`, 1]))
const MANY_TAGS = Array.from({ length: 200_000 }, (_, index) => `tag ${index}`)
const tagged = (call: number) => ({ properties: { tags: Array.from({ length: 100 }, (_, tag) => `${call} ${tag}`) } })
