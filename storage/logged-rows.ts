/** SQL about rows of the tables that history keeps, which the triggers of both engines have in common. */
import type { LoggedTable } from './history-tables.ts'
import { DOCUMENT_SIZES, type RowSize, sizeOf } from './row-sizes.ts'

/** The key of a row besides its number, as text. @param row  its alias */
export const restOf = ({ rest }: LoggedTable, row: string): string | undefined =>
  rest.length === 0 ? undefined : rest.map((column) => `${row}.${column}`).join(" || '/' || ")

/** How many bytes a row counts. @param row  its alias with a point after it; empty for none */
export const documentSize = ({ name }: LoggedTable, row = ''): string => sizeOf(DOCUMENT_SIZES[name], row)

/** True if a set of columns has texts, so that a caller who changes one of them has written the row. */
export function isCounted({ name }: LoggedTable, columns: readonly string[]): boolean {
  const { texts }: RowSize = DOCUMENT_SIZES[name]
  return texts.some((text) => columns.includes(text))
}
