/** Character classes in pattern syntax: `[a-z\d]`, `[[:alpha:]]`, `\w`, `\p{Greek}`. */

import { foldCase } from './case-folding.ts'
import { unexpectedText } from './pattern-errors.ts'
import type { Reader } from './pattern-reader.ts'
import { negateRanges, type Ranges, unionRanges } from './ranges.ts'
import { unicodeClass } from './unicode-properties.ts'

/** Reads one escaped character, for escapes that are not classes. */
export type ReadEscape = (reader: Reader) => number

const set = (...characters: readonly string[]): Ranges =>
  unionRanges(
    characters.flatMap((range) => [range.codePointAt(0) ?? 0, range.codePointAt(range.length > 1 ? 2 : 0) ?? 0]),
  )

/** As in RE2: ASCII letters, digits and whitespace. `\s` does not match a vertical tab. */
const PERL: ReadonlyMap<string, Ranges> = new Map(
  Object.entries({
    d: set('0-9'),
    s: set('\t', '\n', '\f', '\r', ' '),
    w: set('0-9', 'A-Z', 'a-z', '_'),
  }),
)

const POSIX: ReadonlyMap<string, Ranges> = new Map(
  Object.entries({
    alnum: set('0-9', 'A-Z', 'a-z'),
    alpha: set('A-Z', 'a-z'),
    ascii: set('\x00-\x7f'),
    blank: set('\t', ' '),
    cntrl: set('\x00-\x1f', '\x7f'),
    digit: set('0-9'),
    graph: set('!-~'),
    lower: set('a-z'),
    print: set(' -~'),
    punct: set('!-/', ':-@', '[-`', '{-~'),
    space: set('\t-\r', ' '),
    upper: set('A-Z'),
    word: set('0-9', 'A-Z', 'a-z', '_'),
    xdigit: set('0-9', 'A-F', 'a-f'),
  }),
)

export const WORDS: Ranges = PERL.get('w') ?? []
export const NEWLINES: Ranges = set('\n')

/** A negated class is the complement of the folded class: `(?i)[^k]` does not match the Kelvin sign. */
function applyFlags(named: Ranges, fold: boolean, negative: boolean): Ranges {
  const whole = fold ? foldCaseCached(named) : named
  return negative ? negateRanges(whole) : whole
}

/** There are few named classes, but a pattern may use one with thousands of letters three hundred times. */
const foldedClasses = new Map<Ranges, Ranges>()

function foldCaseCached(named: Ranges): Ranges {
  const whole = foldedClasses.get(named) ?? foldCase(named)
  foldedClasses.set(named, whole)
  return whole
}

/**
 * Reads `\d`, `\W`, `\pL`, `\p{^Greek}` and the like. Returns undefined and reads nothing if the next text is not a
 * class.
 */
export function readEscapedClass(reader: Reader, fold: boolean): Ranges | undefined {
  if (reader.peek() !== '\\') return undefined
  const letter = reader.peek(1)
  const perl = PERL.get(letter.toLowerCase())
  if (perl !== undefined) {
    reader.at += 2
    return applyFlags(perl, fold, letter < 'a')
  }
  return letter === 'p' || letter === 'P' ? readUnicodeClass(reader, fold) : undefined
}

function readUnicodeClass(reader: Reader, fold: boolean): Ranges {
  const from = reader.at
  reader.at++
  let negative = reader.next() === 'P'
  let name = reader.next()
  if (name === '{') {
    const end = reader.find('}')
    name = end < 0 ? '' : reader.between(reader.at, end)
    if (end >= 0) reader.at = end + 1
    if (name.startsWith('^')) {
      negative = !negative
      name = name.slice(1)
    }
  }
  const named = unicodeClass(name)
  if (named !== undefined) return applyFlags(named, fold, negative)
  throw unexpectedText(
    'a Unicode category or script such as \\p{L}, \\p{Lu} or \\p{Greek}',
    reader.since(from),
    from + 1,
    'use one of those names, with its capitals',
  )
}

/** Reads a bracketed class `[…]`. */
export function readClass(reader: Reader, fold: boolean, readEscape: ReadEscape): Ranges {
  const from = reader.at
  reader.next()
  const negative = reader.accept('^')
  const ranges: number[] = []
  // A closing bracket in first position is a literal: []a], [^]a].
  for (let first = true; first || reader.peek() !== ']'; first = false) {
    if (reader.done) {
      throw unexpectedText('] at the end of the class', 'a [ that is never closed', from + 1, 'close it, or write \\[')
    }
    const inner = readPosixClass(reader, fold) ?? readEscapedClass(reader, fold)
    if (inner !== undefined) for (const bound of inner) ranges.push(bound)
    else for (const bound of readRange(reader, fold, readEscape)) ranges.push(bound)
  }
  reader.next()
  const whole = unionRanges(ranges)
  return negative ? negateRanges(whole) : whole
}

function readPosixClass(reader: Reader, fold: boolean): Ranges | undefined {
  if (!reader.sees('[:')) return undefined
  const end = reader.find(':]')
  if (end < 0) return undefined
  const text = reader.between(reader.at + 2, end)
  const negative = text.startsWith('^')
  const named = POSIX.get(negative ? text.slice(1) : text)
  if (named === undefined) {
    const names = [...POSIX.keys()].join(', ')
    throw unexpectedText(`one of the classes ${names}`, `[:${text}:]`, reader.place, 'use one of those names')
  }
  reader.at = end + 2
  return applyFlags(named, fold, negative)
}

function readRange(reader: Reader, fold: boolean, readEscape: ReadEscape): Ranges {
  const from = reader.at
  const low = readOne(reader, readEscape)
  let high = low
  // The hyphen in [a-] is a literal; the one in [a-\d] is an error.
  if (reader.peek() === '-' && reader.peek(1) !== ']' && reader.peek(1) !== '') {
    reader.next()
    const place = reader.place
    if (readEscapedClass(reader, fold) !== undefined) {
      const found = reader.between(place - 1, reader.at)
      throw unexpectedText('a character at the end of the range', found, place, 'write the hyphen last, or as \\-')
    }
    high = readOne(reader, readEscape)
  }
  if (high < low) {
    throw unexpectedText('a range from a lower to a higher character', reader.since(from), from + 1, 'swap its ends')
  }
  return fold ? foldCase([low, high]) : [low, high]
}

const readOne = (reader: Reader, readEscape: ReadEscape): number =>
  reader.peek() === '\\' ? readEscape(reader) : (reader.next().codePointAt(0) ?? 0)
