/** Converts a table to rows of cells, and back. Also runs in browsers. */

/** The alignment of a column; undefined if not specified. */
export type ColumnAlignment = 'left' | 'center' | 'right' | undefined

export interface TableGrid {
  /** Cells as inline Markdown, beginning with the header row. */
  rows: string[][]
  alignments: ColumnAlignment[]
}

/** @param table  a normalized GFM table */
export function readTableGrid(table: string): TableGrid {
  const [head = '', rule = '', ...body] = table.split('\n')
  const alignments = cellsOf(rule).map((mark): ColumnAlignment => {
    const [left, right] = [mark.startsWith(':'), mark.endsWith(':')]
    return left && right ? 'center' : left ? 'left' : right ? 'right' : undefined
  })
  return { rows: [head, ...body].map((line) => cellsOf(line).map((cell) => cell.replaceAll('\\|', '|'))), alignments }
}

/** The inverse of {@link readTableGrid}. */
export const writeTableGrid = ({ rows, alignments }: TableGrid): string =>
  writeTableLines(
    rows.map((cells) => cells.map(escapeBorders)),
    alignments,
  )

/** @param rows  cells in their written form */
export function writeTableLines(rows: readonly (readonly string[])[], alignments: readonly (string | undefined)[]) {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(alignments.map((one) => RULES.get(one ?? '') ?? '---')), ...body.map(line)].join('\n')
}

const RULES: ReadonlyMap<string, string> = new Map(Object.entries({ left: ':---', center: ':---:', right: '---:' }))

// Independent of inline escapes, each | in a cell gets a backslash, which parsing removes again.
export const escapeBorders = (cell: string): string =>
  cell.replace(/\|/g, '\\|').replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, ' ')

// | a | b \| c |
//  ^ ^          one space stands at each side of a border, and a backslash before each | that is none
export const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ')
