/**
 * What became of rows: for each row the changes of it, oldest first, and its state before and after each of them.
 *
 * Only states before a change are stored. The state after it is that before the next change of the row, or the row as it
 * is now.
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

/** A row at one moment. Of a row that is not there, the columns are as they last were. */
export interface RowState {
  isThere: boolean
  columns: HistoryRow
}

/** One change of a row. */
export interface RowEvent {
  call: number
  /** The order of all changes. */
  n: number
  before: RowState
  after: RowState
  /** The document that the row was in before; null for what belongs to none. */
  document: number | null
  /** Whether the state before it is not kept any more: `before` is as after it then. */
  isLost: boolean
}

/** A row, and its changes from some call on. */
export interface RowHistory {
  table: TableName
  /** Its number: the first column of its key. */
  number: number
  now: RowState
  events: readonly RowEvent[]
}

/** What tells rows of all tables apart. */
export const rowKey = (table: TableName, number: number, rest: string | null): string =>
  `${table} ${number} ${rest ?? ''}`

/** The same of a row that was read. */
export function keyOfRow(table: TableName, row: HistoryRow): string {
  const [first = 'n', ...others] = historyTable(table).key
  return rowKey(table, row[first] as number, others.length === 0 ? null : others.map((one) => row[one]).join('/'))
}

/** The columns of the key of a row that a change names. */
function keyColumns({ table, row, rest }: Pick<Change, 'table' | 'row' | 'rest'>): HistoryRow {
  const [first = 'n', ...others] = historyTable(table).key
  const columns: HistoryRow = { [first]: row }
  for (const [index, part] of (rest?.split('/') ?? []).entries()) columns[others[index] ?? ''] = Number(part)
  return columns
}

/** Rows of one table at most that are read at once. */
const ROWS_PER_READ = 2_000

/** Rows by table: those that a plan is about. */
export type RowNumbers = ReadonlyMap<TableName, ReadonlySet<number>>

/**
 * The histories of all rows with these numbers, by their keys, with changes of calls from the number `from` on.
 *
 * @param inserted  ranges whose rows are wanted, too, where they are still there
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
  // What came with its block is part of the block's range.
  return insertedRanges(tx, historyTable(table).isNumbered ? table : 'block', first, last, from)
}

/** What was read of the rows of one table. */
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

/** Of a row that is not there: as its last deletion left it. */
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
  // From the last to the first, since each state follows from the one after it.
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
