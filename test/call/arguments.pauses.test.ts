import { describe, expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { readArguments } from '../../src/call/input/arguments.ts'
import { endpoints } from '../../tools/index.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'

describe('reading large arguments does not block the event loop', () => {
  const { schema } = toolCatalogFor(endpoints, 'full').get('blocks_add')
  const blocks = Array.from({ length: 20_000 }, () => ({ type: 'text', markdown: 'x' }))
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field_${index}`, index]))

  test.each<[what: string, args: { blocks: unknown }, count: number]>([
    ['many blocks', { blocks }, 20_000],
    ['many blocks as a text', { blocks: JSON.stringify(blocks) }, 20_000],
    ['blocks in blocks', { blocks: [{ type: 'page', title: 'p', content: blocks }] }, 1],
    ['blocks of ten thousand fields each', { blocks: Array.from({ length: 10 }, () => ({ ...wide })) }, 10],
    ['a million values of another kind', { blocks: Array.from({ length: 1_000_000 }, () => 0) }, 1_000_000],
  ])('%s', async (_, args, count) => {
    let read: typeof args | undefined
    const reading = async () => {
      read = (await readArguments(args, schema, 'add')) as typeof args
    }
    expect(await longestPause(reading)).toBeLessThan(LONGEST_PAUSE)
    expect(read?.blocks).toHaveLength(count)
  })

  test('values where none is expected', async () => {
    let read: unknown
    const reading = async () => {
      read = await readArguments({ blocks }, {}, 'add')
    }
    expect(await longestPause(reading)).toBeLessThan(LONGEST_PAUSE)
    expect(read).toEqual({ blocks })
  })

  test('a text with an error at its end', async () => {
    const args = { blocks: [{ type: 'text', markdown: `${'😀'.repeat(1_200_000)}\ud800` }] }
    const messages: string[] = []
    const reading = () => readArguments(args, schema, 'add').catch((error: Error) => messages.push(error.message))
    expect(await longestPause(reading)).toBeLessThan(LONGEST_PAUSE)
    expect(messages[0]).toBe(
      'Expected Unicode text at blocks[0].markdown, found half of a surrogate pair at character 1200000; write the whole character.',
    )
  })
})
