/**
 * What an editor of configuration files can do. Each changes one entry in the text and leaves every other character as it
 * is, comments and layout included; `host-config.ts` checks that afterwards by parsing.
 */

export interface ConfigFormat {
  /** For sentences: "JSON". */
  title: string
  /** The whole file as a value; undefined if it holds nothing. @throws ConfigSyntaxError */
  parse(text: string): unknown
  /** Adds or replaces `name` under `key`, which may be missing. The text parses, and `key` is a table of names if it is there. */
  set(text: string, key: string, name: string, entry: Readonly<Record<string, unknown>>): string
  /** Removes `name` from under `key`, where it is. */
  remove(text: string, key: string, name: string): string
}

/** A text that is not of its format. Line and column count from 1. */
export class ConfigSyntaxError extends Error {
  readonly line: number
  readonly column: number

  constructor(reason: string, line: number, column: number) {
    super(reason)
    this.name = 'ConfigSyntaxError'
    this.line = line
    this.column = column
  }
}

/** A file that parses, but writes the entry in a form in which it cannot be changed without touching the rest. */
export class ConfigLayoutError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ConfigLayoutError'
  }
}

/** Line and column of an offset, from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** How the text ends its lines. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** A text of lines that end with `\n`, with other ends. */
export const withLineEnds = (text: string, lineEnd: string): string => text.replaceAll('\n', lineEnd)

/** Offset of the first character of the line that an offset is in. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The blanks that the line of an offset begins with. */
export const indentAt = (text: string, offset: number): string =>
  /[ \t]*/y.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''
