/** Checks the ties between the rows of an undo plan, and between them and the rows that stay. */
import { existingNumbers, type HistoryRow, rowsByNumbers, rowsReferringTo } from '../../../storage/history.ts'
import { historyTable, TABLE_NAMES, type TableName } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { addToGroup } from '../../base/grouping.ts'
import { ratingMax } from '../../base/ratings.ts'
import { readLater, type TieConflict } from './later-events.ts'
import { conflictOf, type PlannedRow, type UndoneEvents, type UndoPlan } from './planned-row.ts'
import { misplacedRows } from './planned-trees.ts'
import { keyOfRow, type RowEvent } from './row-history.ts'
import { closingDependencies, lostRules } from './undo-dependencies.ts'
import { closingBlockers } from './undo-task-blockers.ts'

/**
 * Finds rows whose planned state would be invalid: they would refer to a missing row, be deleted while other rows refer
 * to them, have the same key as another row, be misplaced in the tree, be ratings above the maximum of their property, or
 * make items or tasks depend on themselves. If conflicts are skipped, rows that need a skipped row are skipped as well.
 */
export async function checkTies(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<void> {
  for (;;) {
    const found = [
      ...(await missingReferences(tx, plan, options)),
      ...(await remainingReferrers(tx, plan, options)),
      ...(await takenKeys(tx, plan, options)),
      ...(await misplaced(tx, plan, options)),
      ...(await excessRatings(tx, plan, options)),
      ...(await closingDependencies(tx, plan, options)),
      ...(await lostRules(tx, plan, options)),
      ...(await closingBlockers(tx, plan, options)),
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
    const existing = await seenNumbers(tx, table, [...byNumber.keys()], options)
    const missing = [...byNumber].filter(([number]) => !(planned.get(number) ?? existing.has(number)))
    const later = await readLater(
      tx,
      table,
      missing.map(([number]) => number),
      options,
    )
    for (const [number, rows] of missing) {
      const conflict = conflictOf({ table, number }, later.ofNumber(number), options.calls)
      for (const { key } of rows) found.push({ key, conflict })
    }
  }
  return found
}

/** Returns those of the given numbers that rows of the table have, if the connection sees these rows. */
async function seenNumbers(
  tx: Transaction,
  table: TableName,
  numbers: readonly number[],
  { reach }: UndoneEvents,
): Promise<Set<number>> {
  if (!reach.isNarrow) return existingNumbers(tx, table, numbers)
  const seen = await reach.seenRows(table, await rowsByNumbers(tx, table, numbers))
  const [key = 'n'] = historyTable(table).key
  return new Set([...seen].map((row) => row[key] as number))
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
      // Rows that the connection does not see are deleted as well, as they are when a tool deletes what they refer to.
      const referrers = await options.reach.seenRows(table, await rowsReferringTo(tx, table, column, [...rows.keys()]))
      const staying = [...referrers].filter((row) => {
        const planned = plan.rows.get(keyOfRow(table, row))
        return planned === undefined || (planned.target.isThere && planned.target.columns[column] === row[column])
      })
      const [first = 'n'] = historyTable(table).key
      const later = await readLater(
        tx,
        table,
        staying.map((row) => row[first] as number),
        options,
      )
      for (const row of staying) {
        const key = keyOfRow(table, row)
        const events = later.ofKey(key)
        // These calls inserted the row with its block, without a log entry of its own, so it is deleted with the block.
        const isAsLeft = events.length === 0 || isUnchangedSince(table, events[0], row)
        if (isAsLeft && !plan.skipped.has(key)) continue
        const target = rows.get(row[column] as number)
        const conflict = conflictOf({ table, number: row[first] as number }, events, options.calls)
        if (target !== undefined) found.push({ key: target.key, conflict })
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
      const taken = (await rowsReferringTo(tx, table, owner, [...owners])).flatMap((existing) => {
        const row = wanted.get(keyOf(existing))
        const key = keyOfRow(table, existing)
        const planned = plan.rows.get(key)
        const stays =
          planned === undefined || (planned.target.isThere && keyOf(planned.target.columns) === keyOf(existing))
        return row === undefined || row.key === key || !stays ? [] : [{ key: row.key, number: existing.n as number }]
      })
      const later = await readLater(
        tx,
        table,
        taken.map(({ number }) => number),
        options,
      )
      for (const { key, number } of taken)
        found.push({ key, conflict: conflictOf({ table, number }, later.ofNumber(number), options.calls) })
    }
  }
  return found
}

/** Finds rows that would be below themselves, or in a different document than their parent. */
async function misplaced(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const found: TieConflict[] = []
  for (const [table, rows] of Map.groupBy(await misplacedRows(tx, plan.rows.values()), ({ table }) => table)) {
    const ownNumber = (key: string) => plan.rows.get(key)?.history.number ?? 0
    const later = await readLater(
      tx,
      table,
      rows.flatMap(({ key, number }) => [number, ownNumber(key)]),
      options,
    )
    for (const { key, number } of rows) {
      const events = [...later.ofNumber(number), ...later.ofNumber(ownNumber(key))]
      found.push({ key, conflict: conflictOf({ table, number }, events, options.calls) })
    }
  }
  return found
}

/** Finds ratings that would be above the maximum of their property, since one of the two would change. */
async function excessRatings(tx: Transaction, plan: UndoPlan, options: UndoneEvents): Promise<TieConflict[]> {
  const planned = [...plan.rows.values()].filter(({ target }) => target.isThere)
  const values = planned.filter(({ history, target }) => history.table === 'value' && target.columns.number !== null)
  const properties = planned.filter(({ history, target }) => history.table === 'property' && isRating(target.columns))
  if (values.length === 0 && properties.length === 0) return []
  const numbers = values.map(({ target }) => target.columns.property as number)
  const maxima = new Map<number, number>()
  for (const row of await rowsByNumbers(tx, 'property', numbers)) noteMaximum(maxima, row)
  for (const { target } of properties) noteMaximum(maxima, target.columns)
  const isAbove = ({ property, number }: HistoryRow) => Number(number) > (maxima.get(property as number) ?? Infinity)
  const excess = values.filter(({ target }) => isAbove(target.columns))
  const laterProperties = await readLater(
    tx,
    'property',
    excess.map(({ target }) => target.columns.property as number),
    options,
  )
  const found = excess.map(({ key, target }): TieConflict => {
    const number = target.columns.property as number
    return { key, conflict: conflictOf({ table: 'property', number }, laterProperties.ofNumber(number), options.calls) }
  })
  for (const { key, history } of properties) {
    const kept = (await rowsReferringTo(tx, 'value', 'property', [history.number])).filter(
      (row) => !plan.rows.has(keyOfRow('value', row)) && isAbove(row),
    )
    const items = kept.map(({ item }) => item as number)
    const laterValues = await readLater(tx, 'value', items.slice(0, 1), options)
    for (const number of items.slice(0, 1)) {
      found.push({ key, conflict: conflictOf({ table: 'value', number }, laterValues.ofNumber(number), options.calls) })
    }
  }
  return found
}

const isRating = (property: HistoryRow): boolean => property.type === 'rating'

function noteMaximum(maxima: Map<number, number>, property: HistoryRow): void {
  if (isRating(property)) maxima.set(property.n as number, ratingMax({ config: property.config as string | null }))
}
