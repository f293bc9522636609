/**
 * Checks bounds of JSON text before it is parsed: ten MiB of nested `[` would keep `JSON.parse` busy for 1.5 seconds
 * and use 340 MB.
 */
import type { Steps } from './work-steps.ts'

/** The most that a text may contain: values, nesting levels, fields of one object, and characters of a field's name. */
export interface JsonBounds {
  values: number
  levels: number
  fields: number
  nameLength: number
}

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
 * @returns the first bound that the text exceeds, if any
 */
export function* exceededJsonBound(text: string, bounds: JsonBounds): Steps<keyof JsonBounds | undefined> {
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
        if (stringLength > bounds.nameLength) return 'nameLength'
        break
      case OPENING_BRACE:
      case OPENING_BRACKET:
        if (open.length >= bounds.levels) return 'levels'
        open.push(text.charCodeAt(at) === OPENING_BRACE ? 1 : Number.NEGATIVE_INFINITY)
        if (++values > bounds.values) return 'values'
        break
      case COMMA: {
        const fields = (open.pop() ?? 0) + 1
        if (fields > bounds.fields) return 'fields'
        open.push(fields)
        if (++values > bounds.values) return 'values'
        break
      }
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        open.pop()
    }
  }
  return undefined
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
