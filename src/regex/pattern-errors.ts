/** Errors in patterns. Places count characters from 1. */
import { PATTERN_LENGTH, PATTERN_LOOKAROUNDS, PATTERN_REPETITIONS, PATTERN_STEPS } from './pattern-limits.ts'

/** A pattern that cannot be compiled, or that would take too long on a text. */
export class PatternError extends Error {
  /** `syntax`: the pattern is not valid. `cost`: it is valid, and this text would take too long. */
  readonly reason: 'syntax' | 'cost'

  constructor(reason: PatternError['reason'], message: string) {
    super(message)
    this.name = 'PatternError'
    this.reason = reason
  }
}

const syntaxError = (message: string) => new PatternError('syntax', message)
const formatNumber = (value: number) => value.toLocaleString('en-US')

/** @param at  place of the unexpected text, counted from 1 */
export const unexpectedText = (expected: string, found: string, at: number, advice: string) =>
  syntaxError(`Expected ${expected}, found ${found} at character ${at}; ${advice}.`)

export const patternTooLong = (length: number) =>
  syntaxError(
    `Expected a pattern of at most ${formatNumber(PATTERN_LENGTH)} characters, found ${formatNumber(length)}; shorten it or search with several patterns.`,
  )

export const programTooLarge = (at: number) =>
  syntaxError(
    `Expected a pattern of at most ${formatNumber(PATTERN_STEPS)} steps, found more when the repetition at character ${at} is written out; lower its counts, or use * or +.`,
  )

export const tooManyLookarounds = (at: number) =>
  unexpectedText(
    `at most ${PATTERN_LOOKAROUNDS} lookaheads and lookbehinds in a pattern`,
    'another one',
    at,
    'leave some out, or search with several patterns',
  )

export const tooManyRepetitions = (found: string, at: number) =>
  unexpectedText(
    `at most ${formatNumber(PATTERN_REPETITIONS)} repetitions`,
    found,
    at,
    'lower the counts, or use * or +',
  )

export const tooManyNested = (count: number, at: number) =>
  unexpectedText(
    `repetitions inside repetitions that make at most ${formatNumber(PATTERN_REPETITIONS)}`,
    `${formatNumber(count)}`,
    at,
    'lower the counts, or use * or +',
  )

/** The pattern is valid, but too costly on this text. */
export const matchTooCostly = (matches: number) =>
  new PatternError(
    'cost',
    `Expected a pattern that does not look far beyond its matches, found one that reads far beyond each of them: ${formatNumber(matches)} matches were found; ask for fewer, or leave out what may follow a match.`,
  )
