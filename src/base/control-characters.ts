/**
 * Characters that steer a terminal or reorder a text instead of being read: control characters (C0, DEL, C1), line and
 * paragraph separators, and the controls of bidirectional text. What others wrote may hold them, and printed as they
 * are they forge lines of a list or hide what a line says.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const CONTROLS = new RegExp(CONTROL, 'g')
/** Those that `JSON.stringify` leaves as they are. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const SHORT_ESCAPES: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const hexCode = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')
const escapeCharacter = (character: string): string => SHORT_ESCAPES[character] ?? `\\u${hexCode(character)}`

/** A text as one line of a terminal shows it, harmless: `\n`, `\t`, `\u001b`. All other characters stay. */
export const escapeForTerminal = (text: string): string => text.replace(CONTROLS, escapeCharacter)

/** The fields of one line of a list, tabs between them, each escaped. */
export const terminalRow = (fields: readonly string[]): string => fields.map(escapeForTerminal).join('\t')

/**
 * A text of several lines, such as an error with its stack. Each line is escaped, and all but the first are indented,
 * so that none can pass for the beginning of another entry.
 */
export const escapeLines = (text: string): string => text.split('\n').map(escapeForTerminal).join('\n    ')

/** JSON that a terminal can show, and that reads back as the same value. @param indent  spaces for each level */
export const jsonForTerminal = (value: unknown, indent?: number): string =>
  escapeJson(JSON.stringify(value, null, indent))

/** The same of what is JSON already: these characters stand in its strings alone. */
export const escapeJson = (json: string): string => json.replace(CONTROLS_IN_JSON, escapeCharacter)

/** The first such character of a text as `U+001B`; none where it has none. */
export function findControlCharacter(text: string): string | undefined {
  const found = CONTROL.exec(text)?.[0]
  return found && `U+${hexCode(found).toUpperCase()}`
}

/**
 * A name that a program gives itself, on one line: without invisible characters, at most `length` characters. Empty
 * where nothing is left.
 */
export function cleanName(name: string, length: number): string {
  // Cut first: a name may come with megabytes, of which no more is looked at.
  const line = name
    .slice(0, 8 * length)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return [...line.toWellFormed()].slice(0, length).join('').trim()
}
