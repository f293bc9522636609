/**
 * Plans an undo: computes the target state of each row that the calls changed.
 *
 * Each column of a row is restored on its own, and so is the row's existence. A column goes back to its value before
 * the first of the calls if it still has the value that the last of them wrote. It is a conflict if another call
 * changed it in between and it does not already have the old value again.
 */
import { historyTable } from '../../../storage/history-tables.ts'
import type { Transaction } from '../../../storage/transaction.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { conflictOf, type UndoneEvents, type UndoPlan } from './planned-row.ts'
import type { RowEvent, RowHistory, RowState } from './row-history.ts'
import { UNSEEN_CALL } from './undo-reach.ts'
import { checkTies } from './undo-ties.ts'

export async function planUndo(tx: Transaction, undone: UndoneEvents): Promise<UndoPlan> {
  const plan: UndoPlan = { rows: new Map(), conflicts: [], skipped: new Set() }
  for await (const [key, history] of iterateCooperatively(undone.histories)) {
    const first = history.events.find((event) => undone.events.has(event))
    if (first === undefined) continue
    const { target, conflicting = leftReach(history, target) } = resolveRow(history, undone.events)
    if (conflicting !== undefined) {
      plan.conflicts.push(conflictOf(history, conflicting, undone.calls))
      plan.skipped.add(key)
    } else if (!isSame(target, history.now)) plan.rows.set(key, { key, history, target, firstChange: first.n })
  }
  await checkTies(tx, plan, undone)
  return plan
}

/**
 * Returns the event with which a row left the connection's reach, if the row would be restored. Whether it still exists
 * there makes no difference. A value stays in its item, so it can be restored beside one that the connection does not
 * see.
 */
function leftReach({ table, now, events }: RowHistory, target: RowState): RowEvent[] | undefined {
  const last = events.at(-1)
  if (table === 'value' || now.isThere || !target.isThere || last === undefined) return undefined
  return last.crossesReach || last.call === UNSEEN_CALL ? [last] : undefined
}

/** Returns the row without the events to revert, or the other events that conflict. */
function resolveRow(
  { table, events, now }: RowHistory,
  undone: ReadonlySet<RowEvent>,
): { target: RowState; conflicting?: RowEvent[] } {
  const { stamps = [], columns } = historyTable(table)
  const target: RowState = { isThere: now.isThere, columns: { ...now.columns } }
  const conflicting = new Set<RowEvent>()
  let isConflict = false
  const addConflict = (found: readonly RowEvent[]) => {
    isConflict = true
    for (const event of found) conflicting.add(event)
  }
  const others: RowEvent[] = []
  for (const event of events.toReversed()) {
    if (!undone.has(event)) others.push(event)
    // The state before this change is no longer stored, so the row cannot be compared with what these calls wrote.
    else if (event.isLost) addConflict([event])
    else if (others.some(({ isLost }) => isLost)) addConflict(others)
    else {
      restorePlace(target, event)
      if (!restoreExistence(target, event)) addConflict(others)
      for (const column of columns) {
        if (!restoreColumn(target, event, column, stamps)) addConflict(othersWith(others, column))
      }
    }
  }
  const first = events.find((event) => undone.has(event))
  const isLost = !target.isThere && !now.isThere && first?.before.isThere === true
  const loses = isLost && columns.some((column) => target.columns[column] !== now.columns[column])
  if (loses || changedAfterInsertion(events, undone, target, columns, stamps)) addConflict(others)
  return isConflict ? { target, conflicting: [...conflicting] } : { target }
}

/** The columns that say where a block is. */
const PLACE = ['document', 'parent', 'position']

/** Restores where a block was before its last move, if the event moved, added or deleted it. */
function restorePlace(target: RowState, { before, after }: RowEvent): void {
  const isMoved = PLACE.some((one) => before.columns[one] !== after.columns[one])
  if (before.isThere === after.isThere && !isMoved) return
  target.columns.previous = before.columns.previous ?? null
  target.columns.previousPosition = before.columns.previousPosition ?? null
}

/** @returns false if another event has added or deleted the row since */
function restoreExistence(target: RowState, { before, after }: RowEvent): boolean {
  if (before.isThere === after.isThere || target.isThere === before.isThere) return true
  const isUnchanged = target.isThere === after.isThere
  if (isUnchanged) target.isThere = before.isThere
  return isUnchanged
}

/**
 * @param stamps  columns that every change writes, so that another change of them is no conflict
 * @returns false if another event has changed the column since
 */
function restoreColumn(target: RowState, event: RowEvent, column: string, stamps: readonly string[]): boolean {
  const [old, left, current] = [event.before, event.after, target].map(({ columns }) => columns[column])
  if (old === left || old === current) return true
  const isRestored = left === current || stamps.includes(column)
  if (isRestored) target.columns[column] = old ?? null
  return isRestored
}

/** Returns those of the other events that changed a column, or all of them if none did. */
function othersWith(others: readonly RowEvent[], column: string): readonly RowEvent[] {
  const found = others.filter(({ before, after }) => before.columns[column] !== after.columns[column])
  return found.length === 0 ? others : found
}

/** True if other calls changed a row that would be deleted after these calls inserted it. */
function changedAfterInsertion(
  events: readonly RowEvent[],
  undone: ReadonlySet<RowEvent>,
  target: RowState,
  columns: readonly string[],
  stamps: readonly string[],
): boolean {
  const [first] = events
  if (target.isThere || first === undefined || first.before.isThere || !undone.has(first)) return false
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
