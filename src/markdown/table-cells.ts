/** Changes single cells and rows of a table, and leaves the others byte for byte unchanged. */
import { invalid } from '../base/errors.ts'
import { escapeCell } from './blocks/write-table.ts'
import { normalizeCell, plainText } from './inline-text.ts'
import { cellsOf } from './table-grid.ts'

/** One change. Exactly one of `markdown` (with `column`), `cells` and `remove` must be given. */
export interface TableRowChange {
  /** 0 is the header row. One more than the last row adds a row. */
  row: number
  /** The column's header text, or its index from 0. */
  column?: string | number | undefined
  /** The new content of the cell, as inline Markdown. */
  markdown?: string | undefined
  /** The new contents of all cells in the row. */
  cells?: readonly string[] | undefined
  remove?: boolean | undefined
}

/**
 * @param table  a normalized GFM table
 * @param changes  applied in order; row numbers take earlier changes into account
 * @throws VALIDATION_ERROR for a row, a column or a number of cells that the table does not have
 */
export function changeTableRows(table: string, changes: readonly TableRowChange[]): string {
  const [head = '', rule = '', ...body] = table.split('\n')
  const rows = [head, ...body].map(cellsOf)
  for (const change of changes) changeRow(rows, change)
  const [first = [], ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return [first, rule, ...rest].join('\n')
}

/** The number of rows below the header row, and the number of columns. */
export function tableSize(table: string): { rows: number; columns: number } {
  const [head = '', _rule, ...body] = table.split('\n')
  return { rows: body.length, columns: cellsOf(head).length }
}

/** The table with each cell, in its written form, changed by `map`. */
export function mapTableCells(table: string, map: (cell: string) => string): string {
  const lines = table.split('\n')
  return lines.map((line, index) => (index === 1 ? line : `| ${cellsOf(line).map(map).join(' | ')} |`)).join('\n')
}

/** The cells of a table (without its delimiter row) in their written form, and their start indexes. */
export function tableCellPlaces(table: string): { cell: string; at: number }[] {
  const places: { cell: string; at: number }[] = []
  let start = 0
  for (const [index, line] of table.split('\n').entries()) {
    let at = start + '| '.length
    for (const cell of index === 1 ? [] : cellsOf(line)) {
      places.push({ cell, at })
      at += cell.length + ' | '.length
    }
    start += line.length + 1
  }
  return places
}

function changeRow(rows: string[][], { row, column, markdown, cells, remove }: TableRowChange): void {
  const [head = []] = rows
  const found = rows[row]
  if (found === undefined && (row !== rows.length || cells === undefined)) {
    throw invalid(
      `Expected a row from 0 (the head) to ${rows.length - 1}, or ${rows.length} with cells to add one, found ${row}.`,
    )
  }
  const forms = [markdown !== undefined && column !== undefined, cells !== undefined, remove === true]
  if (forms.filter(Boolean).length !== 1) {
    throw invalid(
      'Expected column with markdown, or cells, or remove: true for a row, found none or several; give one.',
    )
  }
  if (cells !== undefined) {
    if (cells.length !== head.length) {
      throw invalid(`Expected ${head.length} cells, as many as the table has columns, found ${cells.length}.`)
    }
    rows[row] = cells.map(written)
  } else if (remove === true) {
    if (row === 0)
      throw invalid('Expected a row below the head to remove, found 0; delete the whole table with blocks_delete.')
    rows.splice(row, 1)
  } else if (found !== undefined) {
    found[columnNumber(head, column ?? '')] = written(markdown ?? '')
  }
}

const written = (cell: string): string => escapeCell(normalizeCell(cell))

function columnNumber(head: readonly string[], column: string | number): number {
  const names = head.map((cell) => plainText(cell.replaceAll('\\|', '|')))
  const number = typeof column === 'string' && names.includes(column) ? names.indexOf(column) : Number(column)
  if (String(column) !== '' && head[number] !== undefined) return number
  throw invalid(`Expected a column (${names.join(', ')}, or its number from 0), found ${column}.`)
}
