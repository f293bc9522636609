/** Reads the opening of a group: `(`, `(?:`, `(?i-s:`, `(?P<name>`, `(?<!`. */

import { unexpectedText } from './pattern-errors.ts'
import { backreferenceError } from './pattern-escapes.ts'
import type { Reader } from './pattern-reader.ts'

export interface Flags {
  /** `i`: case-insensitive. */
  fold: boolean
  /** `m`: `^` and `$` match at each line. */
  lines: boolean
  /** `s`: `.` also matches a line feed. */
  all: boolean
  /** `U`: repetitions are lazy, and greedy with `?`. */
  lazy: boolean
}

export type GroupPrefix =
  | { kind: 'capture' }
  | { kind: 'plain'; flags: Flags }
  | { kind: 'look'; behind: boolean; negative: boolean }
  /** `(?i)`: already closed; applies to the rest of the enclosing group. */
  | { kind: 'flags'; flags: Flags }

/** @param names  names of the groups so far; a new name is added */
export function readGroupPrefix(reader: Reader, flags: Flags, names: Set<string>): GroupPrefix {
  const from = reader.at
  reader.next()
  if (!reader.accept('?')) return { kind: 'capture' }
  for (const [text, behind, negative] of LOOKAROUND_PREFIXES)
    if (reader.accept(text)) return { kind: 'look', behind, negative }
  if (reader.sees('P<') || reader.sees('<')) {
    readName(reader, from, names)
    return { kind: 'capture' }
  }
  rejectUnsupportedPrefix(reader, from)
  return readFlags(reader, from, flags)
}

const LOOKAROUND_PREFIXES: readonly (readonly [text: string, behind: boolean, negative: boolean])[] = [
  ['=', false, false],
  ['!', false, true],
  ['<=', true, false],
  ['<!', true, true],
]

function readName(reader: Reader, from: number, names: Set<string>): void {
  const place = reader.place
  reader.accept('P')
  reader.accept('<')
  const name = reader.takeWhile(/[^>]/)
  const closed = reader.accept('>')
  if (!closed || !/^\w+$/.test(name)) {
    const found = reader.since(from)
    throw unexpectedText('a name of letters, digits and _ as in (?P<name>…)', found, from + 1, 'write such a name')
  }
  if (names.has(name)) {
    throw unexpectedText('each group to have a name of its own', `a second ${name}`, place, 'give it another name')
  }
  names.add(name)
}

/** Groups of other engines, and what to write instead. */
const UNSUPPORTED_PREFIXES: readonly (readonly [opening: RegExp, what: string, advice: string])[] = [
  [/^>/, 'the atomic group (?>', 'write (?: in place of it: no pattern backtracks here'],
  [/^\(/, 'the conditional (?(', 'write both cases as alternatives'],
  [/^(R|P>|&|[+-]?\d)/, 'a recursion', 'write out what it repeats'],
  [/^#/, 'the comment (?#', 'leave it out'],
  [/^\|/, 'the branch reset (?|', 'write (?: in place of it'],
]

function rejectUnsupportedPrefix(reader: Reader, from: number): void {
  const rest = reader.between(reader.at, reader.at + 3)
  if (rest.startsWith('P=')) {
    reader.takeWhile(/[^)]/)
    reader.next()
    throw backreferenceError(reader.since(from), from + 1)
  }
  for (const [opening, what, advice] of UNSUPPORTED_PREFIXES) {
    if (opening.test(rest)) throw unexpectedText(SUPPORTED, what, from + 1, advice)
  }
}

const SUPPORTED = 'a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!'

/** Reads `i-s:` or `i-s)`. */
function readFlags(reader: Reader, from: number, outer: Flags): GroupPrefix {
  const flags = { ...outer }
  let value = true
  let letters = 0
  for (;;) {
    const place = reader.place
    const letter = reader.next()
    const name = FLAG_LETTERS.get(letter)
    if (name !== undefined) {
      flags[name] = value
      letters++
    } else if (letter === '-' && value) {
      value = false
      letters = 0
    } else if (letter === ':' && (value || letters > 0)) return { kind: 'plain', flags }
    else if (letter === ')' && letters > 0) return { kind: 'flags', flags }
    else if (letter === '' || letter === ':' || letter === ')' || letter === '-') {
      throw unexpectedText(SUPPORTED, reader.since(from), from + 1, 'write (?: for a group that captures nothing')
    } else throw unexpectedText('the flags i, m, s and U', letter, place, 'leave it out')
  }
}

const FLAG_LETTERS: ReadonlyMap<string, keyof Flags> = new Map(
  Object.entries({ i: 'fold', m: 'lines', s: 'all', U: 'lazy' }),
)
