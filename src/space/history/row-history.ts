/**
 * Row histories: the changes of each row, oldest first, with its state before and after each of them.
 *
 * Only the state before a change is stored. The state after it is the state before the row's next change, or the
 * current row.
 */
import {
  type Change,
  changesOfRows,
  type HistoryRow,
  insertedRanges,
  rowsBetween,
  rowsByNumbers,
} from '../../../storage/history.ts'
import { historyTable, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { readInChunks } from '../../base/scheduling.ts'

/** The state of a row at one point in time. For a row that does not exist, the columns have their last values. */
export interface RowState {
  isThere: boolean
  columns: HistoryRow
}

/** One change of a row. */
export interface RowEvent {
  call: number
  /** The sequence number among all changes. */
  n: number
  before: RowState
  after: RowState
  /** The document that contained the row before the change; null for rows outside of documents. */
  document: number | null
  /** True if the state before the change is no longer stored. `before` equals `after` then. */
  isLost: boolean
}

/** A row, and its changes since some call. */
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

/** The key of a row that was read. */
export function keyOfRow(table: TableName, row: HistoryRow): string {
  const [first = 'n', ...others] = historyTable(table).key
  return rowKey(table, row[first] as number, others.length === 0 ? null : others.map((one) => row[one]).join('/'))
}

/** The key columns of the row that a change refers to. */
function keyColumns({ table, row, rest }: Pick<Change, 'table' | 'row' | 'rest'>): HistoryRow {
  const [first = 'n', ...others] = historyTable(table).key
  const columns: HistoryRow = { [first]: row }
  for (const [index, part] of (rest?.split('/') ?? []).entries()) columns[others[index] ?? ''] = Number(part)
  return columns
}

/** Maximum number of rows of one table to read at once. */
const ROWS_PER_READ = 2_000

/** Row numbers by table. */
export type RowNumbers = ReadonlyMap<TableName, ReadonlySet<number>>

/**
 * Reads the histories of all rows with these numbers, by row key, including changes of calls from number `from` on.
 *
 * @param inserted  ranges whose existing rows are included
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
  for (const range of inserted) await addInserted(tx, range, byTable)
  for (const [table, some] of byTable) {
    const wanted = [...some].sort((one, other) => one - other)
    const changes = await readInChunks(wanted, ROWS_PER_READ, (part) => changesOfRows(tx, table, part, from))
    const rows = await readInChunks(wanted, ROWS_PER_READ, (part) => rowsByNumbers(tx, table, part))
    const ranges = await rangesAround(tx, table, wanted, from)
    addHistories(histories, table, { rows, changes, ranges })
  }
  return histories
}

async function addInserted(
  tx: Transaction,
  { table, row, last }: Change,
  byTable: Map<TableName, Set<number>>,
): Promise<void> {
  const [key = 'n'] = historyTable(table).key
  const found = byTable.get(table) ?? new Set<number>()
  byTable.set(table, found)
  for (let first = row; first <= (last ?? row); ) {
    const rows = await rowsBetween(tx, table, first, last ?? row, ROWS_PER_READ)
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
  // Rows that were inserted with their block are part of the block's range.
  return insertedRanges(tx, historyTable(table).isNumbered ? table : 'block', first, last, from)
}

/** The changes that were read of the rows of one table. */
interface TableChanges {
  rows: readonly HistoryRow[]
  changes: readonly Change[]
  ranges: readonly Change[]
}

function addHistories(
  histories: Map<string, RowHistory>,
  table: TableName,
  { rows, changes, ranges }: TableChanges,
): void {
  const current = new Map(rows.map((row) => [keyOfRow(table, row), row]))
  const changesByKey = new Map<string, Change[]>()
  for (const key of current.keys()) changesByKey.set(key, [])
  for (const change of changes) {
    const key = rowKey(table, change.row, change.rest)
    const list = changesByKey.get(key)
    if (list === undefined) changesByKey.set(key, [change])
    else list.push(change)
  }
  for (const [key, list] of changesByKey) {
    const row = current.get(key)
    const number = Number(key.split(' ')[1])
    const range = list[0]?.kind === 'insert' ? undefined : rangeOf(ranges, number)
    const all = range === undefined ? list : [{ ...range, table, row: number }, ...list]
    const now: RowState =
      row === undefined ? { isThere: false, columns: lastKnownColumns(all) } : { isThere: true, columns: row }
    histories.set(key, { table, number, now, events: eventsOf(all, now) })
  }
}

const rangeOf = (ranges: readonly Change[], number: number): Change | undefined =>
  ranges.find((one) => one.row <= number && number <= (one.last ?? one.row))

/** For a row that does not exist: its columns when it was last deleted. */
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
  // From last to first, since each state is derived from the following one.
  for (const change of changes.toReversed()) {
    const { call, n, document, kind } = change
    const isLost = kind !== 'insert' && change.before === null
    const before: RowState =
      kind === 'insert'
        ? { isThere: false, columns: after.columns }
        : { isThere: true, columns: { ...after.columns, ...keyColumns(change), ...columnsOf(change) } }
    events.push({ call, n, before, after, document, isLost })
    after = before
  }
  return events.reverse()
}
