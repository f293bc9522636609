import MarkdownIt from 'markdown-it'
import { invalid } from '../../base/errors.ts'
import type { BlockState, Rule } from './parser-state.ts'

const [readTable] = new MarkdownIt('zero').enable('table').block.ruler.getRules('')

/** What the start of a row has beside markdown-it's own fields. */
export interface RowMeta {
  /** The cells that are beyond the header. */
  beyond: readonly string[]
  /** How many cells the row was written with. */
  written: number
}

/**
 * markdown-it's table, which leaves out cells beyond the header. They are part of what was written, so they are noted
 * with their row, and widen the table.
 *
 *     | a | b |
 *     | - | - |
 *     | 1 | 2 | three |
 *               ^
 */
export const table: Rule = (state, start, end, silent) => {
  const first = state.tokens.length
  if (readTable?.(state, start, end, silent) !== true) return false
  if (silent) return true
  const rows = state.tokens.slice(first).filter(({ type }) => type === 'tr_open')
  const cells = rows.map(({ map }) => cellsOf(state, map?.[0] ?? start))
  const width = cells[0]?.length ?? 0
  for (const [index, row] of rows.entries()) {
    const own = cells[index] ?? []
    row.meta = { beyond: visible(own.slice(width)), written: own.length } satisfies RowMeta
  }
  return true
}

function cellsOf(state: BlockState, line: number): string[] {
  const cells = state
    .lineText(line)
    .trim()
    .split(/(?<!\\)\|/)
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim())
}

/** Without empty cells at the end, which show nothing. */
const visible = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)

/** Empty cells that may be added to a table, as many as markdown-it adds to short rows. */
const MOST_ADDED_CELLS = 65_536

/**
 * Gives all rows as many cells as the longest one has.
 *
 * @throws VALIDATION_ERROR if a long row of a long table would need too many empty cells in the others
 */
export function widenRows(rows: string[][]): void {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const added = rows.reduce((sum, { length }) => sum + width - length, 0)
  if (added > MOST_ADDED_CELLS) {
    throw invalid(
      `Expected a table whose rows have about as many cells as its header, found a row of ${width} cells, for which the others would need ${added} empty ones; give the header as many cells, or split the table.`,
    )
  }
  for (const row of rows) while (row.length < width) row.push('')
}
