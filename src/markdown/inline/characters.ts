/** Character classes that CommonMark uses to decide about delimiters. */

import MarkdownIt from 'markdown-it'

const { utils } = new MarkdownIt('zero')

/** Distinguishes white space, punctuation and other characters, which decides whether `**` can open or close. */
export type CharacterClass = 'space' | 'punctuation' | 'other'

const LONE = /^[\uD800-\uDFFF]/u

/** The class of one character (a code point). The edge of a text counts as white space. */
export function classOf(character: string): CharacterClass {
  if (character === '') return 'space'
  // An unpaired surrogate counts as the replacement character.
  const code = LONE.test(character) ? 0xfffd : (character.codePointAt(0) ?? 0)
  if (utils.isWhiteSpace(code)) return 'space'
  return utils.isMdAsciiPunct(code) || utils.isPunctCharCode(code) ? 'punctuation' : 'other'
}

export const isSpace = (character: string) => classOf(character) === 'space'
export const isAsciiPunctuation = (character: string) => utils.isMdAsciiPunct(character.charCodeAt(0))

/** `**` with these neighbours may open, may close, or both. `_` is stricter: it does not work inside a word. */
export function flanking(before: CharacterClass, after: CharacterClass, underscore: boolean) {
  const left = after !== 'space' && (after !== 'punctuation' || before !== 'other')
  const right = before !== 'space' && (before !== 'punctuation' || after !== 'other')
  if (!underscore) return { opens: left, closes: right }
  return { opens: left && (!right || before === 'punctuation'), closes: right && (!left || after === 'punctuation') }
}

export function firstCharacter(text: string): string {
  const code = text.codePointAt(0)
  return code === undefined ? '' : String.fromCodePoint(code)
}

export function lastCharacter(text: string): string {
  const two = text.slice(-2)
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(two) ? two : text.slice(-1)
}

/**
 * A character as a character reference (`a` as `&#97;`); undefined for characters that Markdown does not allow as
 * references.
 */
export function encodeReference(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  return utils.isValidEntityCode(code) ? `&#${code};` : undefined
}

/** True if the text at `at` would be read as a character reference, such as `&amp;` or `&#35;`. */
export function isReference(text: string, at: number): boolean {
  REFERENCE.lastIndex = at
  const found = REFERENCE.exec(text)?.[0]
  return found !== undefined && (found[1] === '#' || utils.unescapeAll(found) !== found)
}
const REFERENCE = /&(?:#\d{1,8}|#[xX][\da-fA-F]{1,8}|[A-Za-z][A-Za-z\d]{1,31});/y

/** Decodes backslash escapes and character references, as in a destination. */
export const decode = (text: string) => utils.unescapeAll(text)

/** Normalizes a reference's label like CommonMark, ignoring letter case and runs of white space. */
export const definitionKey = (label: string) => utils.normalizeReference(label)
