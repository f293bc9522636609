import type { RowHistory, RowState } from './row-history.ts'

/** A row that an undo changes, deletes or restores. */
export interface PlannedRow {
  key: string
  history: RowHistory
  target: RowState
  /** The number of the first change to revert, in the order of all changes. */
  firstChange: number
}
