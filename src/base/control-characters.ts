/**
 * Escapes characters that control a terminal, reorder text or are not seen: control characters (C0, DEL, C1), line and
 * paragraph separators, bidirectional controls, and everything else that {@link replaceUnseen} finds. Text from others
 * may contain them. Printed raw, they can forge lines of a list or hide what a line contains.
 */
import { codeOf, replaceUnseen } from './unseen-characters.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ '\t': '\\t', '\n': '\\n', '\r': '\\r' }))

function escapeCharacter(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return SHORT_ESCAPES.get(character) ?? (hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`)
}

/**
 * Escapes unseen characters so that the text is safe on one line of a terminal: `\n`, `\t`, `\u001b`. All other
 * characters are unchanged.
 */
export const escapeForTerminal = (text: string): string =>
  replaceUnseen(text, escapeCharacter).replace(/[\n\t]/g, escapeCharacter)

/** One line of a list: the fields, each escaped, separated by tabs. */
export const terminalRow = (fields: readonly string[]): string => fields.map(escapeForTerminal).join('\t')

/**
 * Escapes a multi-line text, such as an error with its stack. Every line after the first is indented, so that none can
 * pass for the start of another entry.
 */
export const escapeLines = (text: string): string => text.split('\n').map(escapeForTerminal).join('\n    ')

/**
 * JSON that is safe to print on a terminal and parses back to the same value.
 *
 * @param indent  spaces per level
 */
export const jsonForTerminal = (value: unknown, indent?: number): string =>
  escapeJson(JSON.stringify(value, null, indent))

/** Like {@link jsonForTerminal} for text that is already JSON. These characters can occur only inside its strings. */
export const escapeJson = (json: string): string => replaceUnseen(json, escapeInJson)

/** JSON escapes UTF-16 code units, of which a character may have two. */
const escapeInJson = (character: string): string =>
  character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The first control character of a text, as `U+001B`; undefined if there is none. */
export function findControlCharacter(text: string): string | undefined {
  const character = CONTROL.exec(text)?.[0]
  return character && codeOf(character)
}

/**
 * Cleans the name that a client program reports for itself: one line, no invisible characters, at most `length`
 * characters. Empty if nothing is left.
 */
export function cleanName(name: string, length: number): string {
  // Cut first, so that a name of several megabytes costs nothing.
  const line = name
    .slice(0, 8 * length)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return [...line.toWellFormed()].slice(0, length).join('').trim()
}
