import { escapeBorders, writeTableLines } from '../table-grid.ts'
import { hideTags } from './tag-attributes.ts'

/** Writes a table from normalized cells. The first row is the header row. */
export const writeTable = (rows: readonly (readonly string[])[], aligns: readonly string[]): string =>
  writeTableLines(
    rows.map((cells) => cells.map(escapeCell)),
    aligns,
  )

export const escapeCell = (cell: string): string => escapeBorders(hideTags(cell))
