/** Pure functions that merge tables. */
import { readTableGrid, writeTableGrid } from '../../../markdown/table-grid.ts'
import { escapeTags } from './block-text.ts'

/** Row 0 is the header row. */
export interface CellPlace {
  row: number
  column: number
}

/** The table with a new text in one cell. A cell that already has this text keeps its original spelling. */
export function withCell(table: string, { row, column }: CellPlace, text: string): string {
  const grid = readTableGrid(table)
  const cells = grid.rows[row]
  const content = escapeTags(text.trim().replace(/\s*\n\s*/g, '<br>'))
  if (cells?.[column] === undefined || cells[column] === content) return table
  cells[column] = content
  return writeTableGrid(grid)
}

/** Finds a cell again after others changed the table: its row is the one with the same text. */
export function followCell(before: string, after: string, { row, column }: CellPlace): CellPlace | undefined {
  const [one, other] = [readTableGrid(before).rows, readTableGrid(after).rows]
  if (one[0]?.length !== other[0]?.length) return undefined
  const wanted = one[row]?.join('\n')
  const isSame = (cells: readonly string[] | undefined) => cells?.join('\n') === wanted
  if (isSame(other[row])) return { row, column }
  const found = other.findIndex((cells, index) => index > 0 && isSame(cells))
  return found > 0 && row > 0 ? { row: found, column } : undefined
}

/**
 * Merges two versions of a table, if one side only changed cells in rows that the other side left unchanged.
 *
 * @param base  the common ancestor
 * @returns undefined if the user must choose
 */
export function mergeTables(base: string, mine: string, theirs: string): string | undefined {
  const [before, now] = [readTableGrid(base), readTableGrid(mine)]
  if (before.rows.length !== now.rows.length || before.alignments.length !== now.alignments.length) return undefined
  let merged = theirs
  for (const [row, cells] of now.rows.entries()) {
    for (const [column, text] of cells.entries()) {
      if (text === before.rows[row]?.[column]) continue
      const place = followCell(base, theirs, { row, column })
      if (place === undefined) return undefined
      merged = withCell(merged, place, text)
    }
  }
  return merged
}
