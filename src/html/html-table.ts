/** The cells of a table in rows and columns. */
import { formatNumber } from '../base/format-number.ts'
import { IMPORT_TABLE_CELLS } from '../base/limits.ts'
import { attributeOf, findAll, type HtmlElement, isElement, named } from './html-tree.ts'

/** A place of the grid: a cell where it begins, or undefined where another cell reaches, or none stands. */
export type TableGrid = (HtmlElement | undefined)[][]

/**
 * Rows of the same length. A merged cell stands at its first place; its other places are empty. Columns in which no cell
 * begins are left out.
 *
 * @throws Error if there are too many cells
 */
export function tableGrid(table: HtmlElement): TableGrid {
  const rows = findAll(table, named('tr'))
  /** By column: in how many of the next rows a cell above reaches. */
  let reach: number[] = []
  let merged = 0
  const grid = rows.map((row) => {
    const line: TableGrid[number] = []
    const next = reach.map((left) => Math.max(0, left - 1))
    let column = 0
    for (const cell of row.children.filter(isElement).filter(named('td', 'th'))) {
      while ((reach[column] ?? 0) > 0) column++
      const [wide, high] = [span(cell, 'colspan'), span(cell, 'rowspan')]
      merged += wide - 1
      if (merged > IMPORT_TABLE_CELLS) throw tableTooLarge(rows.length, column + wide)
      line[column] = cell
      for (let place = column; place < column + wide; place++) next[place] = high - 1
      column += wide
    }
    reach = next
    return line
  })
  const columns = grid.reduce((most, { length }) => Math.max(most, length), 0)
  if (rows.length * columns > IMPORT_TABLE_CELLS) throw tableTooLarge(rows.length, columns)
  const isUsed = Array.from({ length: columns }, (_, column) => grid.some((line) => line[column] !== undefined))
  return grid.map((line) => isUsed.flatMap((used, column) => (used ? [line[column]] : [])))
}

/** The largest values that browsers take. 0 means all rows that follow. */
const MOST = { colspan: 1_000, rowspan: 65_534 }

function span(cell: HtmlElement, name: keyof typeof MOST): number {
  const text = attributeOf(cell, name).trim()
  if (!/^\d{1,9}$/.test(text)) return 1
  const number = Number(text)
  if (number === 0) return name === 'rowspan' ? MOST.rowspan : 1
  return Math.min(number, MOST[name])
}

const tableTooLarge = (rows: number, columns: number): Error =>
  new Error(
    `Expected tables of at most ${formatNumber(IMPORT_TABLE_CELLS)} cells, found one of ${rows} rows and ${columns} columns; make several tables of it.`,
  )
