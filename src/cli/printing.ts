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

/** Prints to standard error, since standard output belongs to the protocol. */
export function log(text: string): void {
  logToStandardError(escapeLines(text))
}
