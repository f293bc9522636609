/** Changes single cells and rows of a table, and leaves the others byte for byte unchanged. */
import { invalid } from '../base/errors.ts'
import { shorten } from '../base/shorten.ts'
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
 * the person who wrote it. It stands in place of the changed row with the same first cell, or else of any that is gone.
 *
 * @param before  the table as it is stored
 * @param after  the table as it was written
 * @throws VALIDATION_ERROR if such a cell has text
 */
export function assertCellsKept(before: string, { text, shortRows }: Pick<Block, 'text' | 'shortRows'>): void {
  if (shortRows === undefined) return
  const [[oldHead, ...olds], [newHead, ...news]] = [rowsOf(before), rowsOf(text)]
  assertRowKept(oldHead, newHead, shortRows)
  const changed = surplus(olds, news, ({ line }) => line)
  const written = surplus(news, olds, ({ line }) => line)
  const byFirst = new Map<string, TableRow>()
  for (const row of changed) byFirst.set(firstOf(row), longer(byFirst.get(firstOf(row)), row))
  const gone = goneRows(changed, written, shortRows)
  const longest = gone.length > 0 ? gone.reduce(longer) : undefined
  for (const row of written) assertRowKept(byFirst.get(firstOf(row)) ?? longest, row, shortRows)
}

/** A row of a table without the line below the header, and its number. */
interface TableRow {
  line: string
  cells: readonly string[]
  row: number
}

const rowsOf = (table: string): TableRow[] =>
  table
    .split('\n')
    .toSpliced(1, 1)
    .map((line, row) => ({ line, cells: cellsOf(line), row }))

const firstOf = ({ cells }: TableRow): string => cells[0] ?? ''
const othersOf = ({ cells }: TableRow): string => cells.slice(1).join(' | ')

/** The number of cells up to the last one with text. */
const lengthOf = ({ cells }: TableRow): number => cells.findLastIndex((cell) => cell !== '') + 1
const longer = (one: TableRow | undefined, other: TableRow): TableRow =>
  one === undefined || lengthOf(other) > lengthOf(one) ? other : one

function assertRowKept(old: TableRow | undefined, written: TableRow | undefined, short: ReadonlyMap<number, number>) {
  if (old === undefined || written === undefined || old.line === written.line) return
  const { row } = written
  const count = short.get(row)
  if (count === undefined || lengthOf(old) <= count) return
  throw invalid(
    `Expected ${old.cells.length} cells in row ${row} of the table, in place of ${shorten(old.line, SHOWN_LENGTH)}, found ${count}; write all of them, with nothing between the bars for an empty one. Nothing was written.`,
  )
}

/** The changed rows whose first cell is in no written row, and whose other cells are in none that is whole. */
function goneRows(changed: readonly TableRow[], written: readonly TableRow[], short: ReadonlyMap<number, number>) {
  const whole = surplus(written, changed, firstOf).filter(({ row }) => !short.has(row))
  return surplus(surplus(changed, written, firstOf), whole, othersOf)
}

/** The rows of which the other table has fewer with the same key. */
function surplus(rows: readonly TableRow[], others: readonly TableRow[], keyOf: (row: TableRow) => string) {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return rows.filter((row) => {
    const count = counts.get(keyOf(row)) ?? 0
    counts.set(keyOf(row), count - 1)
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
