/** A table as rows of cells, and back. Runs in browsers, too. */

/** How a column stands in its cells; undefined where the table does not say. */
export type ColumnAlignment = 'left' | 'center' | 'right' | undefined

export interface TableGrid {
  /** Cells as inline Markdown, the head first. */
  rows: string[][]
  alignments: ColumnAlignment[]
}

/** @param table  a normalised GFM table */
export function readTableGrid(table: string): TableGrid {
  const [head = '', rule = '', ...body] = table.split('\n')
  const alignments = cellsOf(rule).map((mark): ColumnAlignment => {
    const [left, right] = [mark.startsWith(':'), mark.endsWith(':')]
    return left && right ? 'center' : left ? 'left' : right ? 'right' : undefined
  })
  return { rows: [head, ...body].map((line) => cellsOf(line).map((cell) => cell.replaceAll('\\|', '|'))), alignments }
}

/** The counterpart of {@link readTableGrid}. */
export const writeTableGrid = ({ rows, alignments }: TableGrid): string =>
  writeTableLines(
    rows.map((cells) => cells.map(escapeBorders)),
    alignments,
  )

/** @param rows  cells as they are written in a table */
export function writeTableLines(rows: readonly (readonly string[])[], alignments: readonly (string | undefined)[]) {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(alignments.map((one) => RULES[one ?? ''] ?? '---')), ...body.map(line)].join('\n')
}

const RULES: Record<string, string> = { left: ':---', center: ':---:', right: '---:' }

// Whatever the inline level wrote, each | of a cell takes a backslash of its own, and reading takes it off again.
export const escapeBorders = (cell: string): string => cell.replace(/\|/g, '\\|').replace(/[ \t]*\n[ \t]*/g, ' ')

// | a | b \| c |
//  ^ ^          one space stands at each side of a border, and a backslash before each | that is none
export const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ')
