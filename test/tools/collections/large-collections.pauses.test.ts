/** Calls on collections with many items: other calls are served in the meantime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDocument, openWorkbench, type Workbench } from '../../bench/workbench.ts'
import { LONGEST_PAUSE, longestPause } from '../../support/pauses.ts'

const MANY = 10_000
const A_CALL = 1_000
const STATES = ['Open', 'Doing', 'Done']

/** A permutation of the indexes that spreads neighbors apart. */
const placeOf = (index: number): number => (index * 7919) % MANY
const items = Array.from({ length: MANY }, (_, index) => ({
  title: `Item ${index}`,
  properties: {
    note: `Words ${String(placeOf(index)).padStart(5, '0')}`,
    price: placeOf(index) % 100,
    ...(index % 4 > 0 && { state: STATES[index % 4 === 1 ? 0 : index % 3] }),
  },
}))

interface Listed {
  items: { title: string }[]
  groups?: { value?: string; count: number }[]
  calculations?: Record<string, number>
  pagination?: { cursor: string; remaining: number }
}

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
    const properties = [
      { type: 'text', name: 'Note' },
      { type: 'number', name: 'Price' },
      { type: 'singleSelect', name: 'State', options: STATES.map((name) => ({ name })) },
    ]
    const position = { position: 'end', pageId: await addDocument(bench, 'Document') }
    const added = await bench.call<{ collectionBlockId: string }>('collections_add', {
      schema: { name: 'Things', properties },
      position,
    })
    collectionId = added.collectionBlockId
    for (let from = 0; from < MANY; from += A_CALL) {
      await bench.call('items_add', { collectionId, items: items.slice(from, from + A_CALL), answer: 'ids' })
    }
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
