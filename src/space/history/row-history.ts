/**
 * The history of rows: for each row its changes, oldest first, with its state before and after each of them.
 *
 * Only states before a change are stored. The state after it is the state before the row's next change, or the current
 * row.
 */
import { type Change, changesOfRows, type HistoryRow, rowsBetween, rowsByNumbers } from '../../../storage/history.ts'
import { insertedRanges } from '../../../storage/history-ranges.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { addToGroup } from '../../base/grouping.ts'
import { iterateCooperatively, readInChunks } from '../../base/scheduling.ts'

/** A row at one moment. If the row does not exist then, the columns are the last known ones. */
export interface RowState {
  isThere: boolean
  columns: HistoryRow
}

/** One change of a row. */
export interface RowEvent {
  call: number
  /** The number of the change, in the order of all changes. */
  n: number
  before: RowState
  after: RowState
  /** The document that the row was in before the change. Null for rows that belong to no document. */
  document: number | null
  /** True if the state before the change is no longer stored. `before` then equals the state after it. */
  isLost: boolean
  /** True if the change took the row into the connection's reach, or out of it: see undo-reach.ts. */
  crossesReach?: boolean
}

/** A row, and its changes since a given call. */
export interface RowHistory {
  table: TableName
  /** Its number: the first column of its key. */
  number: number
  now: RowState
  events: readonly RowEvent[]
}

/** A key that is unique among the rows of all tables. */
export const rowKey = (table: TableName, number: number, rest: string | null): string =>
  `${table} ${number} ${rest ?? ''}`

/** The same key for a row that was read from the database. */
export function keyOfRow(table: TableName, row: HistoryRow): string {
  const [first = 'n', ...others] = historyTable(table).key
  return rowKey(table, row[first] as number, others.length === 0 ? null : others.map((one) => row[one]).join('/'))
}

/** The key columns of the row that a change belongs to. */
function keyColumns({ table, row, rest }: Pick<Change, 'table' | 'row' | 'rest'>): HistoryRow {
  const [first = 'n', ...others] = historyTable(table).key
  const columns: HistoryRow = { [first]: row }
  for (const [index, part] of (rest?.split('/') ?? []).entries()) columns[others[index] ?? ''] = Number(part)
  return columns
}

/** The maximum number of rows of one table that are read at once. */
const ROWS_PER_READ = 2_000

/** Numbers of rows by table. */
export type RowNumbers = ReadonlyMap<TableName, ReadonlySet<number>>

/**
 * Reads the histories of all rows with these numbers, by row key, with the changes of calls from the number `from` on.
 *
 * @param inserted  ranges whose rows are added if they still exist
 */
export async function readRowHistories(
  tx: Transaction,
  numbers: RowNumbers,
  inserted: readonly Change[],
  from: number,
): Promise<Map<string, RowHistory>> {
  const histories = new Map<string, RowHistory>()
  const byTable = new Map<TableName, Set<number>>()
  for (const [table, some] of numbers) byTable.set(table, new Set(some))
  await addInserted(tx, inserted, byTable)
  for (const [table, some] of byTable) {
    const wanted = [...some].sort((one, other) => one - other)
    const changes = await readInChunks(wanted, ROWS_PER_READ, (part) => changesOfRows(tx, table, part, from))
    const rows = await readInChunks(wanted, ROWS_PER_READ, (part) => rowsByNumbers(tx, table, part))
    const ranges = rangeOfEach(await rangesAround(tx, table, wanted, from), wanted)
    await addHistories(histories, table, { rows, changes, ranges })
  }
  return histories
}

/** A range of at most this many rows is read together with others, by the numbers of its rows. */
const SHORT_RANGE = 100

/** Adds the rows of ranges that still exist. */
async function addInserted(
  tx: Transaction,
  ranges: readonly Change[],
  byTable: Map<TableName, Set<number>>,
): Promise<void> {
  const short = new Map<TableName, number[]>()
  for (const { table, row, last } of ranges) {
    const end = last ?? row
    if (end - row < SHORT_RANGE) for (let n = row; n <= end; n++) addToGroup(short, table, n)
    else await addLongRange(tx, { table, row, end }, existingRows(byTable, table))
  }
  for (const [table, numbers] of short) {
    const [key = 'n'] = historyTable(table).key
    const found = existingRows(byTable, table)
    const rows = await readInChunks(numbers, ROWS_PER_READ, (part) => rowsByNumbers(tx, table, part))
    for (const one of rows) found.add(one[key] as number)
  }
}

function existingRows(byTable: Map<TableName, Set<number>>, table: TableName): Set<number> {
  const found = byTable.get(table) ?? new Set<number>()
  byTable.set(table, found)
  return found
}

async function addLongRange(
  tx: Transaction,
  { table, row, end }: { table: TableName; row: number; end: number },
  found: Set<number>,
): Promise<void> {
  const [key = 'n'] = historyTable(table).key
  for (let first = row; first <= end; ) {
    const rows = await rowsBetween(tx, table, first, end, ROWS_PER_READ)
    for (const one of rows) found.add(one[key] as number)
    first = rows.length < ROWS_PER_READ ? Infinity : (rows.at(-1)?.[key] as number) + 1
  }
}

async function rangesAround(
  tx: Transaction,
  table: TableName,
  numbers: readonly number[],
  from: number,
): Promise<Change[]> {
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (first === undefined || last === undefined) return []
  // Rows that were inserted with their block are covered by the block's range.
  return insertedRanges(tx, historyTable(table).isNumbered ? table : 'block', first, last, from)
}

/** What was read about the rows of one table. */
interface TableChanges {
  rows: readonly HistoryRow[]
  changes: readonly Change[]
  /** The range in which a row was inserted, by its number. */
  ranges: ReadonlyMap<number, Change>
}

async function addHistories(
  histories: Map<string, RowHistory>,
  table: TableName,
  { rows, changes, ranges }: TableChanges,
): Promise<void> {
  const current = new Map(rows.map((row) => [keyOfRow(table, row), row]))
  const changesByKey = new Map<string, Change[]>()
  for (const key of current.keys()) changesByKey.set(key, [])
  for (const change of changes) addToGroup(changesByKey, rowKey(table, change.row, change.rest), change)
  for await (const [key, list] of iterateCooperatively(changesByKey)) {
    const row = current.get(key)
    const number = Number(key.split(' ')[1])
    const range = list[0]?.kind === 'insert' ? undefined : ranges.get(number)
    const all = range === undefined ? list : [{ ...range, table, row: number }, ...list]
    const now: RowState =
      row === undefined ? { isThere: false, columns: lastKnownColumns(all) } : { isThere: true, columns: row }
    histories.set(key, { table, number, now, events: eventsOf(all, now) })
  }
}

/** Finds the first range that has a number, for each of the numbers. @param numbers  in order */
function rangeOfEach(ranges: readonly Change[], numbers: readonly number[]): Map<number, Change> {
  const found = new Map<number, Change>()
  for (const range of ranges) {
    const last = range.last ?? range.row
    for (let at = firstFrom(numbers, range.row); (numbers[at] ?? Infinity) <= last; at++) {
      const number = numbers[at]
      if (number !== undefined && !found.has(number)) found.set(number, range)
    }
  }
  return found
}

/** The index of the first number that is not below another; by halves, since there may be as many ranges as numbers. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** The columns of a row that no longer exists, as they were when it was last deleted. */
function lastKnownColumns(changes: readonly Change[]): HistoryRow {
  const last = changes.findLast(({ kind }) => kind === 'delete')
  return last === undefined ? {} : { ...keyColumns(last), ...columnsOf(last) }
}

function columnsOf({ before }: Change): HistoryRow {
  return before === null ? {} : (JSON.parse(before) as HistoryRow)
}

function eventsOf(changes: readonly Change[], now: RowState): RowEvent[] {
  const events: RowEvent[] = []
  let after = now
  // Newest first, because each state is derived from the one after it.
  for (const change of changes.toReversed()) {
    const { call, n, document, kind } = change
    const isLost = kind !== 'insert' && change.before === null
    const before: RowState =
      kind === 'insert'
        ? { isThere: false, columns: after.columns }
        : { isThere: true, columns: { ...after.columns, ...keyColumns(change), ...columnsOf(change) } }
    const next = events.at(-1)
    // A call that deletes a row and inserts it again has changed it.
    if (next?.call === call && kind === 'delete' && !next.before.isThere) {
      events[events.length - 1] = { call, n, before, after: next.after, document, isLost: isLost || next.isLost }
    } else events.push({ call, n, before, after, document, isLost })
    after = before
  }
  return events.reverse()
}
