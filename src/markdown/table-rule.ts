/** The line below the header of a table, and whether the header fits it. */

/** The cells of a line of a table, as GFM counts them: a bar after a backslash is none, also in code. */
function cellsIn(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/)
  if (cells[0] === '') cells.shift()
  if (cells.at(-1) === '') cells.pop()
  return cells
}

/** The number of columns of a line such as `| --- | :--: |` or `---|---`; undefined if the line is none of these. */
export function ruleColumns(line: string): number | undefined {
  if (!line.includes('|') || !line.includes('-')) return undefined
  const cells = cellsIn(line)
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim())) ? cells.length : undefined
}

/** A line like the one below a header, and what stands above it. */
export interface MisfitHeader {
  /** The columns of the line below. */
  columns: number
  /** The line above; undefined if there is none. */
  header: string | undefined
  cells: number
}

/** The first header of a text that has another number of cells than the line below it, which is why it is text. */
export function misfitHeader(text: string): MisfitHeader | undefined {
  let header: string | undefined
  for (const line of text.split('\n')) {
    const columns = ruleColumns(line)
    const cells = header === undefined ? 0 : cellsIn(header).length
    if (columns !== undefined && columns !== cells) return { columns, header, cells }
    header = line
  }
  return undefined
}

/** The lines of a table or of text like it, each with its cells in one form. */
export const comparableLines = (text: string): string[] =>
  text.split('\n').map((line) =>
    cellsIn(line)
      .map((cell) => cell.trim())
      .join('|'),
  )
