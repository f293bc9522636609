/** The result of a command, and how it is printed. */
import { logToStandardError } from '../base/background.ts'
import { escapeLines, jsonForTerminal, terminalRow } from '../base/control-characters.ts'

/** The result as a value, and as lines of unescaped fields, which are escaped here in one place. */
export interface CommandResult {
  value: unknown
  lines: readonly (readonly string[])[]
}

/** Formats a result as JSON or as lines. */
export const formatResult = ({ value, lines }: CommandResult, { json }: { json: boolean }): string =>
  json ? jsonForTerminal(value, 2) : lines.map(terminalRow).join('\n')

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
