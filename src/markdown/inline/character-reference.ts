/** Character references, such as `&amp;` and `&#35;`, and what backslashes and references stand for. */

import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import type { InlineState } from './inline-state.ts'

const SPELLED = '&(?:#\\d{1,7}|#[xX][\\da-fA-F]{1,6}|[A-Za-z][A-Za-z\\d]{1,31});'
const REFERENCE = new RegExp(SPELLED, 'y')
const ENCODED = new RegExp(`\\\\([!-/:-@[-\`{-~])|${SPELLED}`, 'g')
/** Characters that no reference stands for: they are read as the replacement character. */
const NOT_ENCODED = /[^\P{Cc}\t\n\f\r]|\p{Cs}|\p{Noncharacter_Code_Point}/u
const LAST_CODE = 0x10ffff
const REPLACEMENT = '\ufffd'

/**
 *     a &amp; b
 *       ^
 */
export function readReference(state: InlineState, silent: boolean): boolean {
  const found = referenceAt(state.src, state.pos)
  if (found === undefined) return false
  if (!silent) state.add({ type: 'literal', content: characterOf(found) ?? REPLACEMENT })
  state.pos += found.length
  return true
}

/** True if the text at `at` would be read as a character reference. */
export const isReference = (text: string, at: number): boolean => referenceAt(text, at) !== undefined

/** Decodes backslash escapes and character references, as in a destination. */
export function decode(text: string): string {
  if (!/[\\&]/.test(text)) return text
  return text.replace(ENCODED, (found, escaped: string | undefined) => escaped ?? characterOf(found) ?? found)
}

/**
 * A character as a character reference (`a` as `&#97;`); undefined for characters that Markdown does not allow as
 * references.
 */
export function encodeReference(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0
  return decodeNumber(code) === undefined ? undefined : `&#${code};`
}

function referenceAt(text: string, at: number): string | undefined {
  REFERENCE.lastIndex = at
  const found = REFERENCE.exec(text)?.[0]
  return found?.[1] === '#' || (found && decodeName(found) !== undefined) ? found : undefined
}

/** What a reference stands for; undefined for a number that is none of a character. */
function characterOf(reference: string): string | undefined {
  if (reference[1] !== '#') return decodeName(reference)
  const digits = reference.slice(2, -1)
  return decodeNumber(/^x/i.test(digits) ? Number(`0${digits}`) : Number(digits))
}

/** Browsers know the names themselves; elsewhere, the package has a table of them. */
const decodeName = (reference: string): string | undefined =>
  decodeNamedCharacterReference(reference.slice(1, -1)) || undefined

function decodeNumber(code: number): string | undefined {
  if (code > LAST_CODE) return undefined
  const character = String.fromCodePoint(code)
  return NOT_ENCODED.test(character) ? undefined : character
}
