/** Changes single cells and rows of a table, and leaves the others byte for byte unchanged. */
import { invalid } from '../base/errors.ts'
import type { Block } from './block.ts'
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

/** The characters of a row that an error message shows. */
const SHOWN_LENGTH = 80

/**
 * A row that is written with fewer cells than the row in whose place it stands would empty the other cells, unseen by
 * the person who wrote it. Rows that are not in the other table stand for each other in their order.
 *
 * @param before  the table as it is stored
 * @param after  the table as it was written
 * @throws VALIDATION_ERROR if such a cell has words
 */
export function assertCellsKept(before: string, { text, shortRows }: Pick<Block, 'text' | 'shortRows'>): void {
  if (shortRows === undefined) return
  const [olds, news] = [rowsOf(before), rowsOf(text)]
  const replaced = changedRows(olds, news)
  for (const [index, row] of changedRows(news, olds).entries()) {
    const count = shortRows.get(row)
    const old = olds[replaced[index] ?? -1]
    if (count === undefined || old === undefined) continue
    const cells = cellsOf(old)
    if (cells.slice(count).every((cell) => cell === '')) continue
    const shown = old.length > SHOWN_LENGTH ? `${old.slice(0, SHOWN_LENGTH)}…` : old
    throw invalid(
      `Expected ${cells.length} cells in row ${row} of the table, in place of ${shown}, found ${count}; write all of them, with nothing between the bars for an empty one. Nothing was written.`,
    )
  }
}

const rowsOf = (table: string): string[] => table.split('\n').toSpliced(1, 1)

/** The indexes of the rows that the other table has fewer times. */
function changedRows(rows: readonly string[], others: readonly string[]): number[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return [...rows.keys()].filter((index) => {
    const row = rows[index] ?? ''
    const count = counts.get(row) ?? 0
    counts.set(row, count - 1)
    return count <= 0
  })
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
