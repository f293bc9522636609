import type { RowHistory, RowState } from './row-history.ts'

/** A row that is to become another, be removed, or come back. */
export interface PlannedRow {
  key: string
  history: RowHistory
  target: RowState
  /** The order of the first change that is taken back. */
  firstChange: number
}
