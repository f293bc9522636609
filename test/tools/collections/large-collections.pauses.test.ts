/** Calls on collections with many items: other calls are served in the meantime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDocument, openWorkbench, type Workbench } from '../../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../../support/pauses.ts'
import { addManyItems, type Listed, STATES } from './many-items.ts'

test('schemas with thousands of options can be created, read and omitted', async () => {
  const bench = await openWorkbench(':memory:')
  const position = { position: 'end', pageId: await addDocument(bench, 'Document') }
  const options = Array.from({ length: 500 }, (_, index) => ({ name: `Option ${index}` }))
  const schemaOf = (count: number) => ({
    name: 'Things',
    properties: Array.from({ length: count }, (_, index) => ({ type: 'multiSelect', name: `P ${index}`, options })),
  })
  const add = () => bench.call<{ collectionBlockId: string }>('collections_add', { schema: schemaOf(19), position })
  expect(await longestPause(add)).toBeLessThan(LONGEST_PAUSE)
  for (let count = 0; count < 4; count++) await add()
  const list = async () => {
    const { items } = await bench.call<{ items: object[] }>('collections_list', {})
    expect(items.length).toBeGreaterThan(4)
  }
  expect(await longestPause(list)).toBeLessThan(LONGEST_PAUSE)
  const drop = ({ collectionBlockId }: Awaited<ReturnType<typeof add>>) =>
    bench.call('schema_update', { collectionId: collectionBlockId, schema: schemaOf(0) })
  expect(await longestPause(drop, add)).toBeLessThan(LONGEST_PAUSE)
  await bench.close()
})

describe('of 10,000 items', () => {
  let bench: Workbench
  let collectionId = ''

  beforeAll(async () => {
    bench = await openWorkbench(':memory:')
    collectionId = await addManyItems(bench)
  })
  afterAll(() => bench.close())

  const list = async (rules: object): Promise<Listed> =>
    JSON.parse(await bench.call<string>('items_list', { collectionId, maxDepth: 0, ...rules }))

  test.each([
    ['a sort by texts', { sortBy: [{ property: 'note' }] }],
    ['a filter of titles', { filters: [{ property: 'title', filterType: 'string_contains', filterValue: '777' }] }],
    [
      'an option and a number, sorted by titles',
      {
        filters: [
          { property: 'state', filterType: 'select_isAnyOf', filterValue: STATES },
          { property: 'price', filterType: 'number_greater', filterValue: 10 },
        ],
        sortBy: [{ property: 'title', ascending: false }],
      },
    ],
    ['groups as many as items', { groupBy: [{ property: 'note', ascending: false }] }],
    [
      'calculations',
      { calculations: { price: 'number_median', note: 'count_unique', state: 'percent_empty', title: 'count_unique' } },
    ],
  ])('%s', async (_, rules) => {
    let found: Listed | undefined
    const read = async () => {
      found = await list({ ...rules, limit: 100 })
    }
    expect(await longestPause(read)).toBeLessThan(LONGEST_PAUSE)
    expect(found?.items.length).toBeGreaterThan(9)
  })
})
