/** What an entry of `change` says about the bytes of its row: how many there were before the call, and who wrote them. */
import type { LoggedTable } from '../../history-tables.ts'
import { documentSize, isCounted, restOf } from '../../logged-rows.ts'
import { NO_LINK } from '../../row-sizes.ts'
import { RUNNING_CALL } from './running-call.ts'

/** The link that wrote the rows of a table that `condition` selects by their numbers. */
export const lastRange = (table: string, condition: string): string =>
  `(SELECT writer FROM written_range WHERE tbl = '${table}'${condition} ORDER BY first DESC LIMIT 1)`

/** The link that wrote a row, which may be gone. */
function writerOf(table: LoggedTable, row: string): string {
  const number = `${row}.${table.key}`
  const rest = restOf(table, row) ?? "''"
  return `coalesce((SELECT writer FROM written_row WHERE tbl = '${table.name}' AND row = ${number} AND rest = ${rest}),
      ${lastRange(table.numbers, ` AND first <= ${number}`)}, ${NO_LINK.n})`
}

/** Only the first entry of a row in a call has its size, since later ones keep what the call itself wrote. */
function sizeBefore(table: LoggedTable, row: 'old' | 'new', size: string): string {
  const rest = restOf(table, row)
  const isOfRow = `tbl = '${table.name}' AND row = ${row}.${table.key} AND ${rest === undefined ? 'rest IS NULL' : `rest = ${rest}`}`
  return `CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE ${isOfRow} AND call = ${RUNNING_CALL} AND size IS NOT NULL)
      THEN ${size} END`
}

/** Values of `size` and `writer`, as SQL. */
export interface LoggedBytes {
  /** For a row that was there before. */
  before: string
  /** For a row that was not. */
  none: string
  isCounted(columns: readonly string[]): boolean
}

export const loggedBytes = (table: LoggedTable): LoggedBytes => ({
  before: `${sizeBefore(table, 'old', documentSize(table, 'old.'))}, ${writerOf(table, 'old')}`,
  none: `${sizeBefore(table, 'new', '0')}, NULL`,
  isCounted: (columns) => isCounted(table, columns),
})
