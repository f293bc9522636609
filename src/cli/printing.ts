/** The result of a command, and how it is printed. */
import { logToStandardError } from '../base/background.ts'
import { escapeLines, jsonForTerminal, terminalRow } from '../base/control-characters.ts'
import { formatTable, type Table } from './terminal-table.ts'

/** The result as a value, and as lines of unescaped fields, which are escaped here in one place. */
export interface CommandResult {
  value: unknown
  lines: readonly (readonly string[])[]
  /** What a terminal shows of a list in place of the lines. */
  table?: Table
}

/** Formats a result as JSON, as a table for a terminal, or as lines. */
export function formatResult(
  { value, lines, table }: CommandResult,
  { json, isTerminal = false }: { json: boolean; isTerminal?: boolean },
): string {
  if (json) return jsonForTerminal(value, 2)
  return isTerminal && table !== undefined ? formatTable(table) : lines.map(terminalRow).join('\n')
}

/** Prints a result to standard output. */
export const printOutput = (result: CommandResult, { json }: { json: boolean }): void =>
  void process.stdout.write(`${formatResult(result, { json, isTerminal: process.stdout.isTTY })}\n`)

/** The lines of a difference. A tab between a title and `before` or `after`, or in code, is printed as it is. */
export const differenceLines = (text: string): string[][] => text.split('\n').map((line) => line.split('\t'))

/** How much a line that is printed matters. */
type Severity = 'info' | 'warn' | 'error'

type ServerLog = Record<Severity, (line: string) => void>

let serverLog: ServerLog | undefined

/**
 * Sends what is printed to standard error to the log of a server from now on, so that all of its lines are JSON.
 *
 * @returns ends this
 */
export function logTo(destination: ServerLog): () => void {
  serverLog = destination
  return () => {
    serverLog = undefined
  }
}

/** Prints to standard error, since standard output belongs to the protocol. */
export function log(text: string, severity: Severity = 'warn'): void {
  if (serverLog === undefined) logToStandardError(escapeLines(text))
  else serverLog[severity](text)
}
