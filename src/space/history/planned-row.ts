import type { TableName } from '../../../storage/history-tables.ts'
import type { RowEvent, RowHistory, RowState } from './row-history.ts'
import { UNSEEN_CALL, type UndoReach } from './undo-reach.ts'

/** A row that an undo changes, deletes or restores. */
export interface PlannedRow {
  key: string
  history: RowHistory
  target: RowState
  /** The number of the first change to revert, in the order of all changes. */
  firstChange: number
}

/** A row that cannot be restored. */
export interface Conflict {
  table: TableName
  number: number
  /** The numbers of the calls that changed the row later, as far as the connection sees them. */
  calls: readonly number[]
  /** True if there are later changes that the connection does not see, or that are not known. */
  isHidden: boolean
  /** True for the property of a relation that leads out of the connection's reach. It stays, although nothing changed it. */
  leadsOut?: boolean
}

export interface UndoPlan {
  rows: Map<string, PlannedRow>
  conflicts: Conflict[]
  /** Keys of the rows that are left unchanged because of a conflict. */
  skipped: Set<string>
}

/** The events that an undo reverts. */
export interface UndoneEvents {
  /** Histories of all rows that the calls changed, as the connection sees them. */
  histories: ReadonlyMap<string, RowHistory>
  events: ReadonlySet<RowEvent>
  /** The numbers of the calls, and the number of the first of them. */
  calls: ReadonlySet<number>
  from: number
  /** True if rows with a conflict, and all rows that need them, are left unchanged. */
  skipsConflicts: boolean
  reach: UndoReach
}

/**
 * @param events  the changes of the row that conflict
 * @param undone  the numbers of the calls to undo, which are not named as later ones
 */
export function conflictOf(
  { table, number }: Pick<RowHistory, 'table' | 'number'>,
  events: readonly RowEvent[],
  undone: ReadonlySet<number>,
): Conflict {
  const calls = [...new Set(events.map(({ call }) => call))].filter((call) => call !== UNSEEN_CALL && !undone.has(call))
  return { table, number, calls, isHidden: calls.length === 0 || events.some(({ call }) => call === UNSEEN_CALL) }
}
