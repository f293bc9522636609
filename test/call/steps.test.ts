/**
 * Long inputs are read in steps, between which other calls are served. How many milliseconds a step takes is measured by
 * `npm run bench -- pauses`.
 */
import { describe, expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { createIdempotentCall } from '../../src/call/idempotency.ts'
import { readArguments } from '../../src/call/input/arguments.ts'
import { parseInChunks } from '../../src/call/input/parse-input.ts'
import { readJsonInChunks } from '../../src/call/input/read-json.ts'
import { endpoints } from '../../tools/index.ts'
import { countCheckpoints, counted, longestRun } from '../support/steps.ts'

const { input, schema } = toolCatalogFor(endpoints, 'full').get('blocks_add')
const list = <Entry>(length: number, entry: (index: number) => Entry) => Array.from({ length }, (_, at) => entry(at))
const many = list(1_000, () => ({ type: 'text', markdown: 'x' }))
const page = (content: unknown[]) => ({ type: 'page', title: 'p', content })
const argumentsWith = (blocks: unknown[]) => counted({ blocks, position: { position: 'end', pageId: 'x' } })

const BLOCKS: readonly (readonly [what: string, blocks: unknown[]])[] = [
  ['many blocks', many],
  ['many blocks in a page', [page(many)]],
  ['pages of a few blocks each', list(12, () => page(many.slice(0, 90)))],
]
const NUMBERS: readonly (readonly [what: string, blocks: unknown[]])[] = [
  ['many numbers', list(10_000, () => 0)],
  ['many numbers in a page', [page(list(10_000, () => 0))]],
]

describe('at most 200 fields at once', () => {
  test.each([...BLOCKS, ...NUMBERS])('of %s are read as arguments', async (_, blocks) => {
    expect(await longestRun(() => readArguments(argumentsWith(blocks), schema, 'add'))).toBeLessThan(200)
  })

  test.each([...BLOCKS, ...NUMBERS])('of %s are read where none is expected', async (_, blocks) => {
    expect(await longestRun(() => readArguments(argumentsWith(blocks), {}, 'add'))).toBeLessThan(200)
  })

  test.each(BLOCKS)('of %s are checked', async (_, blocks) => {
    const result: unknown[] = []
    const check = async () => result.push(await parseInChunks(input, argumentsWith(blocks)))
    expect(await longestRun(check)).toBeLessThan(200)
    expect(result).toMatchObject([{ value: { blocks: { length: blocks.length } } }])
  })
})

// A step is 16,384 characters of JSON, and each of these fields has two.
test.each([...BLOCKS, ...NUMBERS])(
  'at most 8,200 fields of %s are read at once to recognize a call',
  async (_, blocks) => {
    expect(await longestRun(() => createIdempotentCall('k', 'blocks_add', argumentsWith(blocks)))).toBeLessThan(8_200)
  },
)

describe('long JSON is read in steps of at most 100,000 characters', () => {
  const LENGTH = 1_000_000
  const filled = (before: string, each: string, after: string) =>
    `${before}${each.repeat((LENGTH - before.length - after.length) / each.length)}${after}`

  test.each([
    ['objects, too many', filled('[', '{},', '0]')],
    ['blocks', filled('[', '{"type":"text","markdown":"some words"},', '{}]')],
    ['white space', filled('{"a":', ' \n', '1}')],
    ['digits', filled('{"a":', '9', '}')],
    ['lines without an end', filled('[', '"a line of words",\n', '')],
  ])('%s', async (_, text) => {
    const steps = await countCheckpoints(() => readJsonInChunks(text, 'the body').catch(() => {}))
    expect(steps).toBeGreaterThanOrEqual(LENGTH / 100_000)
  })
})
