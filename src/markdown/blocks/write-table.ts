import { hideTags } from './tag-attributes.ts'

/** A table of cells that are normalised as such already: the first row is the head. */
export function writeTable(rows: readonly (readonly string[])[], aligns: readonly string[]): string {
  const [head = [], ...body] = rows
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), `| ${aligns.map((align) => RULES[align] ?? '---').join(' | ')} |`, ...body.map(line)].join('\n')
}

const RULES: Record<string, string> = { left: ':---', center: ':---:', right: '---:' }

// Whatever the inline level wrote, each | of a cell takes a backslash of its own, and reading takes it off again.
export const escapeCell = (cell: string): string =>
  hideTags(cell)
    .replace(/\|/g, '\\|')
    .replace(/[ \t]*\n[ \t]*/g, ' ')
