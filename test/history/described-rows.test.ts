/** Every column that history keeps has its place in words, so that nothing a call changes is left out. */
import { describe, expect, test } from 'vitest'
import type { ChangedState } from '../../src/space/history/changed-states.ts'
import { describeRows } from '../../src/space/history/described-rows.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { HistoryRow } from '../../storage/history.ts'
import { HISTORY_TABLES, TABLE_NAMES, type TableName } from '../../storage/history-tables.ts'
import { buildSpace } from '../build.ts'

/** Columns that each change sets: when and by whom something was made or changed. */
const STAMPS = /^(?:created_at|created_by|modified_at|modified_by|revision|trashed_at)$/
/** Columns that say which row it is, and that no update changes. */
const OWNERS: Partial<Record<TableName, readonly string[]>> = {
  // An ID never changes.
  block: ['id', 'document'],
  property: ['collection'],
  option: ['property'],
  view: ['collection'],
  comment: ['block', 'author', 'thread'],
  reminder: ['block', 'participant'],
  element: ['board'],
  board_asset: ['board'],
  // Files are named by what they contain, which is read from another table.
  block_file: ['file'],
}
const JSON_COLUMNS: Readonly<Record<string, [before: string, after: string]>> = {
  json: ['{"x":1}', '{"x":2}'],
  attributes: ['{"color":"#111111"}', '{"color":"#222222"}'],
  config: ['{"format":"currency"}', '{"format":"percentage"}'],
  settings: [settings([]), settings(['x'])],
}

function settings(hidden: readonly string[]): string {
  const lists = { filters: [], sortBy: [], groupBy: [], order: [], hidden: [], widths: [], calculations: [] }
  return JSON.stringify({ ...lists, ...(hidden.length > 0 && { isCalculationsRowVisible: true }) })
}

const ALTERNATIVES: Readonly<Record<string, [before: string | number, after: string | number]>> = {
  ...JSON_COLUMNS,
  type: ['text', 'code'],
  text: ['some words', 'other words'],
  location: ['unsorted', 'templates'],
  list_style: ['bullet', 'numbered'],
  is_back_reference: [0, 1],
  unconfirmed: [0, 1],
}

/** The numbers of rows that a column refers to differ, and so do the words for them. */
function valuesOf(table: TableName, column: string): [before: string | number, after: string | number] {
  if (Object.hasOwn(HISTORY_TABLES[table].references, column)) return [1, 2]
  return ALTERNATIVES[column] ?? [7, 8]
}

function rowOf(table: TableName): HistoryRow {
  const { key, columns } = HISTORY_TABLES[table]
  return Object.fromEntries([...key, ...columns].map((column) => [column, valuesOf(table, column)[0]]))
}

/** Blocks, folders, properties and views with the numbers 1 and 2, so that a reference to them has a name. */
const REFERRED: ChangedState[] = (['block', 'folder', 'property', 'option', 'view'] as const).flatMap((table) =>
  [1, 2].map((number) => {
    const row = {
      ...rowOf(table),
      n: number,
      id: 100_000_000_000 + number,
      name: `${table} ${number}`,
      text: `${table} ${number}`,
    }
    return { table, number, before: row, after: row, documentBefore: 1, documentAfter: 1 }
  }),
)

async function described(before: HistoryRow | undefined, after: HistoryRow | undefined, table: TableName) {
  const { space } = await buildSpace()
  const state = { table, number: 9, before, after, documentBefore: 1, documentAfter: 1 }
  return space.read(OPERATOR_LINK, (view) => describeRows(view, [...REFERRED, state], 1_000))
}

const linesOf = ({ details }: Awaited<ReturnType<typeof described>>): string[] =>
  (details.get(1)?.all ?? []).map(({ sign, text }) => `${sign}${text}`)

describe.each(TABLE_NAMES)('a change of a row of %s', (table) => {
  const columns = HISTORY_TABLES[table].columns.filter(
    (column) => !STAMPS.test(column) && !OWNERS[table]?.includes(column),
  )

  test.each(columns)('in the column %s is in words, and in the hash unless it is an order', async (column) => {
    const before: HistoryRow = { ...rowOf(table), n: 9 }
    const after = { ...before, [column]: valuesOf(table, column)[1] }
    const same = await described(before, before, table)
    const changed = await described(before, after, table)
    expect(linesOf(same)).toEqual([])
    // The order among other rows follows from the calls, which a fingerprint covers as well.
    if (column === 'position') expect(changed.digest).toBe(same.digest)
    else expect(changed.digest).not.toBe(same.digest)
    const lines = linesOf(changed)
    expect(lines.map((line) => line[0])).toEqual(expect.arrayContaining(['-', '+']))
  })

  test('that only sets stamps says nothing', async () => {
    const before: HistoryRow = { ...rowOf(table), n: 9 }
    const stamps = HISTORY_TABLES[table].columns.filter((column) => STAMPS.test(column))
    const after = { ...before, ...Object.fromEntries(stamps.map((column) => [column, 99])) }
    const [same, changed] = [await described(before, before, table), await described(before, after, table)]
    expect([changed.digest, linesOf(changed)]).toEqual([same.digest, []])
  })
})

test('what a call sets to its own time reads the same at any time', async () => {
  const attributes = JSON.stringify({ taskInfo: { state: 'done', completedAt: new Date(1_000).toISOString() } })
  const row: HistoryRow = { ...rowOf('block'), n: 9, list_style: 'task', attributes }
  expect(linesOf(await described(undefined, row, 'block')).join()).toContain('completed at: now')
  const comment: HistoryRow = { ...rowOf('comment'), n: 9, resolved_at: 1_000 }
  expect(linesOf(await described(undefined, comment, 'comment')).join()).toContain('resolved: now')
})

test('a text of several lines stands below the row, each line behind a mark', async () => {
  const row: HistoryRow = {
    ...rowOf('comment'),
    n: 9,
    id: 100_000_000_009,
    author: 'Robot',
    content: 'One\n+two',
    resolved_at: null,
    resolved_by: null,
    unconfirmed: null,
  }
  expect(linesOf(await described(undefined, row, 'comment'))).toEqual([
    '+comment by Robot (100000000009) on "block 1" (100000000001): words: 7',
    '+  content',
    '+  | One',
    '+  | +two',
  ])
})
