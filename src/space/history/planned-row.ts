import type { RowHistory, RowState } from './row-history.ts'

/** A row that will be changed, deleted or restored. */
export interface PlannedRow {
  key: string
  history: RowHistory
  target: RowState
  /** The sequence number of the first change to undo. */
  firstChange: number
}
