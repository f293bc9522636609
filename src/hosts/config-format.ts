/**
 * The interface of editors for configuration files. Each changes one entry in the text and leaves every other character
 * as it is, including comments and layout. `host-config.ts` verifies this by parsing.
 */

export interface ConfigFormat {
  /** The name of the format for messages, such as "JSON". */
  title: string
  /** Parses the whole file; undefined if it is empty. @throws ConfigSyntaxError */
  parse(text: string): unknown
  /**
   * Adds or replaces `name` under `key`, which may be missing. The text parses, and `key` is a table of names if it is
   * there.
   */
  set(text: string, key: string, name: string, entry: Readonly<Record<string, unknown>>): string
  /** Removes `name` from `key`, where it exists. */
  remove(text: string, key: string, name: string): string
}

/** A syntax error. Line and column count from 1. */
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

/** A valid file in which the entry is written in a form that cannot be changed without touching other content. */
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

/** The line ending of a text. */
export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** Converts line endings from `\n`. */
export const withLineEnds = (text: string, lineEnd: string): string => text.replaceAll('\n', lineEnd)

/** The offset at which the line of a given offset begins. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1

/** The indentation of the line at an offset. */
export const indentAt = (text: string, offset: number): string =>
  /[ \t]*/y.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''
