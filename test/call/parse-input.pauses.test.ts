/** Parsing long inputs never blocks the event loop. */
import { describe, expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { parseInChunks } from '../../src/call/input/parse-input.ts'
import { invalidInput } from '../../src/call/input/validation-errors.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import { endpoints } from '../../tools/index.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

describe('parsing long arrays yields in time', () => {
  const { input, schema } = toolCatalogFor(endpoints, 'full').get('blocks_add')
  const position = { position: 'end', pageId: 'x' }
  const blocks = Array.from({ length: 20_000 }, () => ({ type: 'text', markdown: 'x' }))
  const page = (content: unknown[]) => ({ type: 'page', title: 'p', content })
  const nested = (levels: number): unknown => page(levels === 0 ? blocks : [nested(levels - 1)])

  test.each([
    ['blocks', { blocks, position }],
    ['blocks in a page', { blocks: [page(blocks)], position }],
    ['blocks fifty levels deep', { blocks: [nested(50)], position }],
    [
      'pages with a few blocks each',
      { blocks: Array.from({ length: 200 }, () => page(blocks.slice(0, 90))), position },
    ],
  ])('%s', async (_, args) => {
    let checked: unknown
    const checking = async () => {
      checked = await parseInChunks(input, args)
    }
    expect(await longestPause(checking)).toBeLessThan(LONGEST_PAUSE)
    expect(checked).toEqual({ value: { ...args, answer: 'full', position: { at: 'end', pageId: new GivenId('x') } } })
  })

  test.each([
    [
      '20,000 blocks that are wrong in two ways',
      { blocks: blocks.map(() => ({ type: 'text', markdwn: 'x', listStyle: 'x' })), position },
      'At blocks[0].listStyle: Expected one of none, bullet, numbered, toggle, task, found "x". (99 more in details, and others)',
    ],
    [
      'a million numbers in a page',
      { blocks: [page(Array.from({ length: 1_000_000 }, () => 0))], position },
      'At blocks[0].content[0]: Expected an object, found 0. (99 more in details, and others)',
    ],
    [
      'ten thousand unknown fields',
      { blocks: [Object.fromEntries(blocks.slice(0, 10_000).map((_, index) => [`markdown${index}`, 1]))], position },
      'At blocks[0].type: Expected one of text, page, code, richUrl, line, table, image, video, file, whiteboard, found none. (99 more in details, and others)',
    ],
    [
      'a million blocks',
      { blocks: Array.from({ length: 1_000_000 }, () => 0), position },
      'At blocks: Expected at most 20,000 entries, found 1,000,000.',
    ],
  ])('%s', async (_, args, message) => {
    const messages: string[] = []
    const checking = async () => {
      const { issues = [] } = await parseInChunks(input, args)
      messages.push(invalidInput(issues, schema).message)
    }
    expect(await longestPause(checking)).toBeLessThan(LONGEST_PAUSE)
    expect(messages[0]).toBe(message)
  })
})
