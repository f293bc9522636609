/**
 * Checks bounds of JSON text before it is parsed: ten MiB of nested `[` would keep `JSON.parse` busy for 1.5 seconds
 * and use 340 MB.
 */
import { FIELD_NAME_LENGTH, FIELDS_PER_OBJECT, MAX_JSON_LEVELS, MAX_JSON_VALUES } from '../../base/limits.ts'
import type { Steps } from '../../base/scheduling.ts'
import { callTooLarge, fieldNameTooLong, nestingTooDeep, tooManyFields } from '../limit-errors.ts'

/** Characters to scan before the next step: well below a millisecond. */
const CHARACTERS_PER_STEP = 65_536

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/**
 * One linear scan, without recursion. The text need not be valid JSON; for valid JSON, the counts are exact.
 *
 * @throws PAYLOAD_TOO_LARGE for more values than a call can have; VALIDATION_ERROR for too many levels, too many fields
 *   in one object, or a field name that is too long
 */
export function* checkJsonBounds(text: string): Steps<void> {
  /** For each open object the number of its fields; for each open array -Infinity. */
  const open: number[] = []
  let values = 0
  let stringLength = 0
  let nextStep = CHARACTERS_PER_STEP
  for (let at = 0; at < text.length; at++) {
    if (at >= nextStep) {
      yield
      nextStep = at + CHARACTERS_PER_STEP
    }
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const start = at
        do {
          if (at >= nextStep) {
            yield
            nextStep = at + CHARACTERS_PER_STEP
          }
          at = indexOfQuote(text, at + 1)
        } while (isEscaped(text, at))
        stringLength = at - start - 1
        break
      }
      case COLON:
        if (stringLength > FIELD_NAME_LENGTH) throw fieldNameTooLong()
        break
      case OPENING_BRACE:
      case OPENING_BRACKET:
        if (open.length >= MAX_JSON_LEVELS) throw nestingTooDeep()
        open.push(text.charCodeAt(at) === OPENING_BRACE ? 1 : Number.NEGATIVE_INFINITY)
        if (++values > MAX_JSON_VALUES) throw callTooLarge()
        break
      case COMMA: {
        const fields = (open.pop() ?? 0) + 1
        if (fields > FIELDS_PER_OBJECT) throw tooManyFields()
        open.push(fields)
        if (++values > MAX_JSON_VALUES) throw callTooLarge()
        break
      }
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        open.pop()
    }
  }
}

/** The index of the next quote, or the end of the text. */
function indexOfQuote(text: string, from: number): number {
  const at = text.indexOf('"', from)
  return at < 0 ? text.length : at
}

function isEscaped(text: string, at: number): boolean {
  if (at >= text.length) return false
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - 1 - before) % 2 === 1
}
