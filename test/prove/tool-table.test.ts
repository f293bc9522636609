import { describe, expect, test } from 'vitest'
import { endpoints, type ToolName } from '../../tools/index.ts'
import { nextCallOrBatch } from './calls/batches.ts'
import { Chooser } from './calls/chooser.ts'
import { emptyPools, type Pools } from './calls/pools.ts'
import { EFFECTS } from './crash/model.ts'
import { CHOSEN, RULES } from './model/model.ts'
import { entered, entryOf, isExempt, neverCalled, type ToolTable } from './tool-table.ts'

const exempt = { exempt: 'Nothing is to be proved of it.' }
const others = Object.fromEntries(endpoints.map(({ name }) => [name, exempt])) as ToolTable<number>
const table: ToolTable<number> = { ...others, blocks_get: 1, blocks_add: 2 }

test('a table without a tool does not compile', () => {
  const { connection_get: _, ...all } = table
  // @ts-expect-error  connection_get is missing
  const incomplete: ToolTable<number> = all
  // @ts-expect-error  no such tool
  const name: ToolName = 'connection_gets'
  expect(Object.keys(incomplete)).not.toContain(name)
})

test('exempt tools and unknown names have no entry', () => {
  expect(['blocks_add', 'blocks_move', 'blocks_none', 'constructor'].map((tool) => entryOf(table, tool))).toEqual([
    2,
    undefined,
    undefined,
    undefined,
  ])
  expect(entered(table).toSorted()).toEqual(['blocks_add', 'blocks_get'])
})

test('a tool with an entry that was never called is named', () => {
  expect(neverCalled(table, new Set(['blocks_add', 'blocks_get', 'blocks_move']))).toEqual([])
  expect(neverCalled(table, new Set(['blocks_get']))).toEqual([
    'Expected calls of blocks_add, which the proof has an entry for, found none that was done.',
  ])
})

describe.each([
  ['the model', RULES],
  ['what a kill may lose', EFFECTS],
])('the table of %s', (_, tools: ToolTable<unknown>) => {
  test('has every tool, and each exemption its reason', () => {
    expect(Object.keys(tools).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted())
    const reasons = Object.values(tools).flatMap((entry) => (isExempt(entry) ? [entry.exempt] : []))
    expect(reasons.filter((reason) => !/^It .{20,}\.$/.test(reason))).toEqual([])
  })

  test('has an entry for some writes of every resource that is written', () => {
    const written = new Set(
      endpoints.filter(({ effect }) => effect !== 'read').map(({ name }) => name.split('_')[0] ?? ''),
    ).difference(new Set(['batch', 'proposals', 'for']))
    const named = entered(tools).map((name) => name.split('_')[0] ?? '')
    expect([...written].filter((noun) => !named.includes(noun))).toEqual([])
  })
})

test('random calls cover every tool that the model has a rule for', () => {
  const id = 'a'
  const collection = { id, properties: [], items: [id], views: [id] }
  const lists = [
    'documents',
    'folders',
    'holders',
    'texts',
    'pages',
    'codes',
    'blocks',
    'tasks',
    'reminders',
    'comments',
  ]
  const pools: Pools = {
    ...emptyPools(),
    ...Object.fromEntries(lists.map((list) => [list, [id, 'b']])),
    collections: [collection],
    boards: [{ id, elements: [id] }],
  }
  const chooser = new Chooser(1)
  const called = new Set(Array.from({ length: 2_000 }, () => nextCallOrBatch(chooser, pools).tool))
  expect(neverCalled(CHOSEN, called)).toEqual([])
})
