import { escapeBorders, writeTableLines } from '../table-grid.ts'
import { hideTags } from './tag-attributes.ts'

/** A table of cells that are normalised as such already: the first row is the head. */
export const writeTable = (rows: readonly (readonly string[])[], aligns: readonly string[]): string =>
  writeTableLines(
    rows.map((cells) => cells.map(escapeCell)),
    aligns,
  )

export const escapeCell = (cell: string): string => escapeBorders(hideTags(cell))
