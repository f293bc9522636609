/** What assertions tell of a place by the characters on both its sides. */
import type { Assertion } from './pattern-tree.ts'
import { ASSERTIONS } from './program.ts'

export const OTHER = 0
/** The start of the text, or its end. */
export const TEXT_EDGE = 1
export const NEWLINE = 2
export const WORD = 3

/** What a code unit is to a place beside it; NaN, as beyond the text, is nothing. Words are of ASCII's letters. */
export function classifyUnit(unit: number): number {
  if (Number.isNaN(unit)) return TEXT_EDGE
  if (unit === 10) return NEWLINE
  const letter = unit | 0x20
  const isWord = (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 95
  return isWord ? WORD : OTHER
}

/** @param assertion  index in {@link ASSERTIONS} */
export function assertionHolds(assertion: number, before: number, after: number): boolean {
  switch (ASSERTIONS[assertion] as Assertion) {
    case 'textStart':
      return before === TEXT_EDGE
    case 'textEnd':
      return after === TEXT_EDGE
    case 'lineStart':
      return before === TEXT_EDGE || before === NEWLINE
    case 'lineEnd':
      return after === TEXT_EDGE || after === NEWLINE
    case 'word':
      return (before === WORD) !== (after === WORD)
    case 'notWord':
      return (before === WORD) === (after === WORD)
  }
}

/** As {@link assertionHolds}, of a place in a text. */
export const assertionHoldsAt = (text: string, place: number, assertion: number): boolean =>
  assertionHolds(assertion, classifyUnit(text.charCodeAt(place - 1)), classifyUnit(text.charCodeAt(place)))
