/** Character classes that CommonMark uses to decide about delimiters. */

import { eastAsianWidthType } from 'get-east-asian-width'

/**
 * What decides whether `**` can open or close beside a character. Chinese, Japanese and Korean text has no spaces
 * around punctuation, so `**注意：**正文` would not be bold by the rules of CommonMark alone. The CJK-friendly
 * amendments tell these characters apart.
 */
export type CharacterClass = 'space' | 'punctuation' | 'other' | 'CJK' | 'CJK punctuation'

const SPACE = /^[\t\n\v\f\r\p{Zs}]/u
/** An unpaired surrogate counts as the replacement character, which is a symbol. */
const PUNCTUATION = /^[\p{P}\p{S}\p{Cs}]/u
const ASCII_PUNCTUATION = /^[!-/:-@[-`{-~]/
/** Variation selectors, which are part of the character before them. The last one, that of emoji, is not. */
const SELECTOR = /^[\uFE00-\uFE0E]$/
/** Selects the full-width form of a quotation mark before it. */
const FULL_WIDTH = '\uFE01'
const IDEOGRAPHIC_SELECTOR = /^[\u{E0100}-\u{E01EF}]/u

/** The class of one character (a code point, with its selector). The edge of a text counts as white space. */
export function classOf(character: string): CharacterClass {
  if (character === '') return 'space'
  if (SPACE.test(character)) return 'space'
  const isPunctuation = PUNCTUATION.test(character)
  if (isCjk(character)) return isPunctuation ? 'CJK punctuation' : 'CJK'
  return isPunctuation ? 'punctuation' : 'other'
}

/** The first code point that is Korean. No Chinese and no Japanese one is before it. */
const FIRST_CJK = 0x1100

function isCjk(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code < FIRST_CJK) return false
  switch (eastAsianWidthType(code)) {
    case 'fullwidth':
    case 'halfwidth':
      return true
    case 'wide':
      return !/^\p{Emoji_Presentation}/u.test(character)
    case 'ambiguous':
      return /^[‘’“”]/.test(character) ? character.endsWith(FULL_WIDTH) : IDEOGRAPHIC_SELECTOR.test(character)
    case 'neutral':
      return /^\p{Script=Hangul}/u.test(character)
    case 'narrow':
      return false
  }
}

export const isSpace = (character: string) => classOf(character) === 'space'
export const isAsciiPunctuation = (character: string) => ASCII_PUNCTUATION.test(character)

/**
 * `**` between these classes may open, may close, or both. `_` is stricter: it does not work inside a word, nor in
 * Chinese, Japanese or Korean text.
 */
export function flanking(before: CharacterClass, after: CharacterClass, underscore: boolean) {
  if (before === 'space' || after === 'space') return { opens: after !== 'space', closes: before !== 'space' }
  const afterPunctuation = before === 'punctuation' || before === 'CJK punctuation'
  const beforePunctuation = after === 'punctuation' || after === 'CJK punctuation'
  if (underscore) return { opens: afterPunctuation, closes: beforePunctuation }
  const besideCjk = isCjkClass(before) || isCjkClass(after)
  return {
    opens: afterPunctuation || besideCjk || !beforePunctuation,
    closes: beforePunctuation || besideCjk || !afterPunctuation,
  }
}

const isCjkClass = (each: CharacterClass) => each === 'CJK' || each === 'CJK punctuation'

export function firstCharacter(text: string): string {
  const code = text.codePointAt(0)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** The last character, with its variation selector. A selector after a space selects nothing, and stands alone. */
export function lastCharacter(text: string): string {
  const last = lastCodePoint(text)
  if (!SELECTOR.test(last)) return last
  const before = lastCodePoint(text.slice(0, -1))
  return /^\p{Zs}/u.test(before) ? last : before + last
}

function lastCodePoint(text: string): string {
  const two = text.slice(-2)
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(two) ? two : text.slice(-1)
}

/** The most code units of a character with its selector. */
export const LONGEST_CHARACTER = 3

/** Normalizes a reference's label like CommonMark, ignoring letter case and runs of white space. */
export const definitionKey = (label: string) => label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase()
