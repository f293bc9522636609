/** What is wrong with a pattern, and where. Places count characters from 1. */
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { PATTERN_LENGTH, PATTERN_LOOKAROUNDS, PATTERN_REPETITIONS, PATTERN_STEPS } from '../base/limits.ts'

const fault = (message: string) => new ScriptoriumError('INVALID_REGEX_ERROR', message)
const number = (value: number) => value.toLocaleString('en-US')

/** @param at  the place of what was found, from 1 */
export const unexpected = (expected: string, found: string, at: number, advice: string) =>
  fault(`Expected ${expected}, found ${found} at character ${at}; ${advice}.`)

export const tooLong = (length: number) =>
  fault(
    `Expected a pattern of at most ${number(PATTERN_LENGTH)} characters, found ${number(length)}; shorten it or search with several patterns.`,
  )

export const tooLarge = (at: number) =>
  fault(
    `Expected a pattern of at most ${number(PATTERN_STEPS)} steps, found more when the repetition at character ${at} is written out; lower its counts, or use * or +.`,
  )

export const tooManyLookarounds = (at: number) =>
  unexpected(
    `at most ${PATTERN_LOOKAROUNDS} lookaheads and lookbehinds in a pattern`,
    'another one',
    at,
    'leave some out, or search with several patterns',
  )

export const tooManyRepetitions = (found: string, at: number) =>
  unexpected(`at most ${number(PATTERN_REPETITIONS)} repetitions`, found, at, 'lower the counts, or use * or +')

export const tooManyNested = (count: number, at: number) =>
  unexpected(
    `repetitions inside repetitions that make at most ${number(PATTERN_REPETITIONS)}`,
    `${number(count)}`,
    at,
    'lower the counts, or use * or +',
  )

/** The pattern is sound, and this text is too much for it. */
export const tooFarBeyond = (found: number) =>
  invalid(
    `Expected a pattern whose matches end where they are told, found one that reads far beyond each of them: ${number(found)} matches were found; ask for fewer, or leave out what may follow a match.`,
  )
