/** A list as people read it on a terminal: columns with headers. Programs get the fields of each line between tabs. */
import { escapeForTerminal } from '../base/control-characters.ts'

export interface Table {
  columns: readonly string[]
  /** As many fields each as there are columns. A column without any text is left out. */
  rows: readonly (readonly string[])[]
  /** Lines below the table. */
  notes?: readonly string[]
}

/** Between two columns. */
const GAP = '  '

export function formatTable({ columns, rows, notes = [] }: Table): string {
  const used = [...columns.keys()].filter((column) => rows.some((row) => row[column] !== ''))
  const cells = [columns, ...rows].map((row) => used.map((column) => escapeForTerminal(row[column] ?? '')))
  const widths = used.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column]))))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)))
      .join(GAP)
      .trimEnd(),
  )
  return [...lines, ...notes.map(escapeForTerminal)].join('\n')
}

const lengthOf = (text = ''): number => [...text].length
