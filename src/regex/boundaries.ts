/** Evaluates assertions such as `^` and `\b` from the characters on both sides of a place. */
import type { Assertion } from './pattern-tree.ts'
import { ASSERTIONS } from './program.ts'

export const OTHER = 0
/** The start of the text, or its end. */
export const TEXT_EDGE = 1
export const NEWLINE = 2
export const WORD = 3

/**
 * Classifies a code unit next to a place. NaN is beyond the text. Words consist of ASCII letters, digits and
 * underscores.
 */
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

/** Like {@link assertionHolds}, at an offset in a text. */
export const assertionHoldsAt = (text: string, place: number, assertion: number): boolean =>
  assertionHolds(assertion, classifyUnit(text.charCodeAt(place - 1)), classifyUnit(text.charCodeAt(place)))
