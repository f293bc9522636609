/** What a command did, and how that is printed. */
import { escapeLines, jsonForTerminal, terminalRow } from '../base/control-characters.ts'

/** As a value, and in words: lines of fields, as they are. They are escaped here, where all of them pass. */
export interface CommandResult {
  value: unknown
  lines: readonly (readonly string[])[]
}

/** What a command prints: JSON, or its lines. */
export const formatResult = ({ value, lines }: CommandResult, { json }: { json: boolean }): string =>
  json ? jsonForTerminal(value, 2) : lines.map(terminalRow).join('\n')

/** Prints to standard error: standard output belongs to the protocol. */
export function log(text: string): void {
  process.stderr.write(`${escapeLines(text)}\n`)
}
