/**
 * Plans an undo: computes the target state of each row that the calls changed.
 *
 * Each column of a row is restored on its own, and so is the row's existence. A column goes back to its value before
 * the first of the calls if it still has the value that the last of them wrote. It is a conflict if another call
 * changed it in between and it does not already have the old value again.
 */

import { existingNumbers, type HistoryRow, rowsReferringTo } from '../../../storage/history.ts'
import { historyTable, TABLE_NAMES, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { addToGroup } from '../../base/grouping.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import type { PlannedRow } from './planned-row.ts'
import { misplacedRows } from './planned-trees.ts'
import { keyOfRow, type RowEvent, type RowHistory, type RowState, readRowHistories } from './row-history.ts'

/** A row that other calls changed later, so that it cannot be restored. */
export interface Conflict {
  table: TableName
  number: number
  /** The numbers of those calls. Empty if they are not known. */
  calls: readonly number[]
}

export interface UndoPlan {
  rows: Map<string, PlannedRow>
  conflicts: Conflict[]
  /** Keys of the rows that are left unchanged because of a conflict. */
  skipped: Set<string>
}

/** The events that an undo reverts. */
export interface UndoneEvents {
  /** Histories of all rows that the calls changed. */
  histories: ReadonlyMap<string, RowHistory>
  isUndone(event: RowEvent): boolean
  /** The numbers of the calls, and the number of the first of them. */
  calls: ReadonlySet<number>
  from: number
  /** True if rows with a conflict, and all rows that need them, are left unchanged. */
  skipsConflicts: boolean
}

export async function planUndo(tx: Transaction, undone: UndoneEvents): Promise<UndoPlan> {
  const plan: UndoPlan = { rows: new Map(), conflicts: [], skipped: new Set() }
  for await (const [key, history] of iterateCooperatively(undone.histories)) {
    const first = history.events.find(undone.isUndone)
    if (first === undefined) continue
    const { target, conflictingCalls } = resolveRow(history, undone.isUndone)
    if (conflictingCalls !== undefined) {
      plan.conflicts.push(conflictOf(history, conflictingCalls))
      plan.skipped.add(key)
    } else if (!isSame(target, history.now)) plan.rows.set(key, { key, history, target, firstChange: first.n })
  }
  await checkTies(tx, plan, undone)
  return plan
}

const conflictOf = ({ table, number }: RowHistory, calls: Iterable<number>): Conflict => ({
  table,
  number,
  calls: [...new Set(calls)],
})

/** Returns the row without the events to revert, or the other calls that conflict. */
function resolveRow(
  { table, events, now }: RowHistory,
  isUndone: (event: RowEvent) => boolean,
): { target: RowState; conflictingCalls?: number[] } {
  const { stamps = [], columns } = historyTable(table)
  const target: RowState = { isThere: now.isThere, columns: { ...now.columns } }
  const conflicting = new Set<number>()
  const others: RowEvent[] = []
  for (const event of events.toReversed()) {
    if (!isUndone(event)) {
      others.push(event)
      continue
    }
    // The state before this change is no longer stored, so the row cannot be compared with what these calls wrote.
    if (event.isLost || others.some(({ isLost }) => isLost)) {
      for (const { call } of event.isLost ? [event] : others) conflicting.add(call)
      continue
    }
    const { before, after } = event
    if (before.isThere !== after.isThere || PLACE.some((one) => before.columns[one] !== after.columns[one])) {
      target.columns.previous = before.columns.previous ?? null
      target.columns.previousPosition = before.columns.previousPosition ?? null
    }
    if (before.isThere !== after.isThere && target.isThere !== before.isThere) {
      if (target.isThere === after.isThere) target.isThere = before.isThere
      else for (const { call } of others) conflicting.add(call)
    }
    for (const column of columns) {
      const [old, left, current] = [before.columns[column], after.columns[column], target.columns[column]]
      if (old === left || old === current) continue
      if (left === current || stamps.includes(column)) target.columns[column] = old ?? null
      else for (const { call } of othersWith(others, column)) conflicting.add(call)
    }
  }
  const isLost = !target.isThere && !now.isThere && events.find(isUndone)?.before.isThere === true
  const loses = isLost && columns.some((column) => target.columns[column] !== now.columns[column])
  if (loses || changedAfterInsertion(events, isUndone, target, columns, stamps))
    for (const { call } of others) conflicting.add(call)
  return conflicting.size === 0 ? { target } : { target, conflictingCalls: [...conflicting] }
}

/** The columns that say where a block is. */
const PLACE = ['document', 'parent', 'position']

/** Returns those of the other events that changed a column, or all of them if none did. */
function othersWith(others: readonly RowEvent[], column: string): readonly RowEvent[] {
  const found = others.filter(({ before, after }) => before.columns[column] !== after.columns[column])
  return found.length === 0 ? others : found
}

/** True if other calls changed a row that would be deleted after these calls inserted it. */
function changedAfterInsertion(
  events: readonly RowEvent[],
  isUndone: (event: RowEvent) => boolean,
  target: RowState,
  columns: readonly string[],
  stamps: readonly string[],
): boolean {
  const [first] = events
  if (target.isThere || first === undefined || first.before.isThere || !isUndone(first)) return false
  const last = events.at(-1)
  if (last !== undefined && !last.after.isThere) return false
  return columns.some(
    (column) =>
      column !== 'position' && !stamps.includes(column) && target.columns[column] !== first.after.columns[column],
  )
}

function isSame(one: RowState, other: RowState): boolean {
  if (one.isThere !== other.isThere) return false
  return !one.isThere || Object.entries(one.columns).every(([column, value]) => other.columns[column] === value)
}

/**
 * Finds rows whose planned state would be invalid: they would refer to a missing row, be deleted while other rows refer
 * to them, have the same key as another row, or be misplaced in the tree. If conflicts are skipped, rows that need a
 * skipped row are skipped as well.
 */
async function checkTies(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<void> {
  for (;;) {
    const found = [
      ...(await missingReferences(tx, plan, options)),
      ...(await remainingReferrers(tx, plan, options)),
      ...(await takenKeys(tx, plan, options)),
      ...(await misplaced(tx, plan, options)),
    ]
    if (found.length === 0) return
    for (const { key, conflict } of found) {
      plan.conflicts.push(conflict)
      plan.rows.delete(key)
      plan.skipped.add(key)
    }
    // One conflict is enough to write nothing. The others of this pass are only listed in the message.
    if (!options.skipsConflicts) return
  }
}

interface TieConflict {
  /** The key of the row whose planned state is invalid. */
  key: string
  conflict: Conflict
}

/** Finds rows that would refer to a row that does not exist. */
async function missingReferences(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const wanted = new Map<TableName, Map<number, PlannedRow[]>>()
  for (const row of plan.rows.values()) {
    if (!row.target.isThere) continue
    for (const [column, table] of Object.entries(historyTable(row.history.table).references)) {
      const number = row.target.columns[column]
      if (typeof number !== 'number') continue
      const byNumber = wanted.get(table) ?? new Map<number, PlannedRow[]>()
      wanted.set(table, byNumber)
      addToGroup(byNumber, number, row)
    }
  }
  const found: TieConflict[] = []
  for (const [table, byNumber] of wanted) {
    const planned = plannedNumbers(plan, table)
    const existing = await existingNumbers(tx, table, [...byNumber.keys()])
    for (const [number, rows] of byNumber) {
      if (planned.get(number) ?? existing.has(number)) continue
      const calls = await laterCalls(tx, table, number, options)
      for (const { key } of rows) found.push({ key, conflict: { table, number, calls } })
    }
  }
  return found
}

/** The tables whose row with the same number is deleted along with a row of this table. */
const tablesDeletedWith = (table: TableName): readonly TableName[] =>
  table === 'block' ? ['block', 'collection'] : [table]

/** Maps the numbers of a table's planned rows to whether they will exist. */
function plannedNumbers(plan: UndoPlan, table: TableName): Map<number, boolean> {
  const numbers = new Map<number, boolean>()
  for (const { history, target } of plan.rows.values()) {
    if (history.table === table) numbers.set(history.number, target.isThere)
    else if (!target.isThere && tablesDeletedWith(history.table).includes(table)) numbers.set(history.number, false)
  }
  return numbers
}

/** Finds rows that would be deleted although other rows, which stay, refer to them. */
async function remainingReferrers(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const going = new Map<TableName, Map<number, PlannedRow>>()
  for (const row of plan.rows.values()) {
    const { table, number, now } = row.history
    if (row.target.isThere || !now.isThere) continue
    for (const one of tablesDeletedWith(table))
      going.set(one, (going.get(one) ?? new Map<number, PlannedRow>()).set(number, row))
  }
  const found: TieConflict[] = []
  for (const table of TABLE_NAMES) {
    for (const [column, referred] of Object.entries(historyTable(table).references)) {
      const rows = going.get(referred)
      if (rows === undefined || isClearedOnDelete(table, column)) continue
      for (const referring of await rowsReferringTo(tx, table, column, [...rows.keys()])) {
        const planned = plan.rows.get(keyOfRow(table, referring))
        if (planned !== undefined && !(planned.target.isThere && planned.target.columns[column] === referring[column]))
          continue
        const target = rows.get(referring[column] as number)
        const [key = 'n'] = historyTable(table).key
        const number = referring[key] as number
        const events = await laterEvents(tx, table, number, options, keyOfRow(table, referring))
        // These calls inserted the row with its block, without a log entry of its own, so it is deleted with the block.
        const isAsLeft = events.length === 0 || isUnchangedSince(table, events[0], referring)
        const staysByConflict = plan.skipped.has(keyOfRow(table, referring))
        if (isAsLeft && !staysByConflict) continue
        const calls = callsOf(events)
        if (target !== undefined) found.push({ key: target.key, conflict: { table, number, calls } })
      }
    }
  }
  return found
}

/** True if a row is as it was before another call changed it, because that change was undone since. */
function isUnchangedSince(table: TableName, first: RowEvent | undefined, row: HistoryRow): boolean {
  const { columns, stamps = [] } = historyTable(table)
  return (
    first?.before.isThere === true &&
    columns.every((column) => stamps.includes(column) || first.before.columns[column] === row[column])
  )
}

/** True if the reference is simply cleared when its target is deleted. */
const isClearedOnDelete = (table: TableName, column: string): boolean =>
  table === 'collection' && column === 'active_view'

/** Finds rows that would have the same unique key as another row that stays. */
async function takenKeys(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const found: TieConflict[] = []
  for (const table of TABLE_NAMES) {
    for (const columns of historyTable(table).unique) {
      const keyOf = (row: HistoryRow): string => JSON.stringify(columns.map((column) => row[column]))
      const wanted = new Map<string, PlannedRow>()
      for (const row of plan.rows.values()) {
        const { history, target } = row
        if (history.table !== table || !target.isThere) continue
        if (!history.now.isThere || keyOf(target.columns) !== keyOf(history.now.columns))
          wanted.set(keyOf(target.columns), row)
      }
      if (wanted.size === 0) continue
      const [owner = 'n'] = columns
      const owners = new Set([...wanted.values()].map(({ target }) => target.columns[owner] as number))
      for (const existing of await rowsReferringTo(tx, table, owner, [...owners])) {
        const row = wanted.get(keyOf(existing))
        const key = keyOfRow(table, existing)
        const planned = plan.rows.get(key)
        const stays =
          planned === undefined || (planned.target.isThere && keyOf(planned.target.columns) === keyOf(existing))
        if (row === undefined || row.key === key || !stays) continue
        const number = existing.n as number
        found.push({ key: row.key, conflict: { table, number, calls: await laterCalls(tx, table, number, options) } })
      }
    }
  }
  return found
}

/** Finds rows that would be below themselves, or in a different document than their parent. */
async function misplaced(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const found: TieConflict[] = []
  for (const { key, table, number } of await misplacedRows(tx, plan.rows.values())) {
    const own = plan.rows.get(key)?.history.number ?? number
    const calls = [...(await laterCalls(tx, table, number, options)), ...(await laterCalls(tx, table, own, options))]
    found.push({ key, conflict: { table, number, calls } })
  }
  return found
}

/** The other calls that changed a row since the first of the calls to undo. */
const laterCalls = async (
  tx: Transaction,
  table: TableName,
  number: number,
  options: UndoneEvents,
): Promise<number[]> => callsOf(await laterEvents(tx, table, number, options))

const callsOf = (events: readonly RowEvent[]): number[] => [...new Set(events.map(({ call }) => call))]

/**
 * Returns what other calls changed in a row since the first of the calls to undo, oldest first.
 *
 * @param key  selects one row if several rows have the number
 */
async function laterEvents(
  tx: Transaction,
  table: TableName,
  number: number,
  { from, calls }: UndoneEvents,
  key?: string,
): Promise<RowEvent[]> {
  const histories = await readRowHistories(tx, new Map([[table, new Set([number])]]), [], from)
  const meant = key === undefined ? [...histories.values()] : [histories.get(key)]
  return meant.flatMap((history) => history?.events ?? []).filter(({ call }) => !calls.has(call))
}
