/** Reads escaped characters. */
import { unexpectedText } from './pattern-errors.ts'
import type { Reader } from './pattern-reader.ts'
import { LAST_CODE_POINT } from './ranges.ts'

const NAMED_ESCAPES: ReadonlyMap<string, number> = new Map(Object.entries({ a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }))

/** Advice for escapes that only other engines support. */
const UNSUPPORTED_ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Z: 'write \\z for the end of the text',
    G: 'write \\A for the start of the text',
    K: 'use a lookbehind such as (?<=a)',
    R: 'write \\r?\\n',
    X: 'write . for one character',
    h: 'write [ \\t]',
    H: 'write [^ \\t]',
    N: 'write [^\\n]',
    C: 'write (?s:.) for any character',
    u: 'write \\x{…} with its code in hexadecimal',
  }),
)

/**
 * Reads an escaped character, including its backslash.
 *
 * @throws PatternError for backreferences and for escapes that are not a character
 */
export function readEscape(reader: Reader): number {
  const from = reader.at
  const place = reader.place
  reader.next()
  const letter = reader.next()
  if (letter === '') {
    throw unexpectedText('a character after the backslash', 'the end', place, 'write \\\\ for a backslash')
  }
  const code = NAMED_ESCAPES.get(letter)
  if (code !== undefined) return code
  if (letter === 'x') return readHexadecimal(reader, from)
  if (letter >= '0' && letter <= '9') return readOctal(reader, letter, from)
  if (letter === 'k' && "<{'".includes(reader.peek() || ' ')) {
    reader.takeWhile(/[^>}']/)
    reader.next()
    throw backreferenceError(reader.since(from), place)
  }
  if (letter < '\x80' && !/[A-Za-z]/.test(letter)) return letter.charCodeAt(0)
  const advice =
    UNSUPPORTED_ESCAPES.get(letter) ?? (letter > '\x7f' ? 'leave the backslash out' : 'write the letter alone')
  throw unexpectedText('an escape such as \\d, \\n or \\.', `\\${letter}`, place, advice)
}

export const backreferenceError = (found: string, place: number) =>
  unexpectedText(
    'a pattern without backreferences',
    found,
    place,
    'write out what it repeats, or search with two patterns',
  )

/** `\x7f`, `\x{1F600}` */
function readHexadecimal(reader: Reader, from: number): number {
  const braced = reader.accept('{')
  const digits = braced ? reader.takeWhile(/[^}]/) : reader.next() + reader.next()
  const closed = braced ? reader.accept('}') : digits.length === 2
  const code = /^[0-9a-fA-F]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
  if (closed && code <= LAST_CODE_POINT) return code
  throw unexpectedText(
    '\\x7F or \\x{10FFFF} at most',
    reader.since(from),
    from + 1,
    'write the code in hexadecimal digits',
  )
}

// \0   \012   \12      and never   \1   \9
function readOctal(reader: Reader, first: string, from: number): number {
  const isOctal = (digit: string) => digit >= '0' && digit <= '7'
  if (first !== '0' && !(isOctal(first) && isOctal(reader.peek()))) {
    reader.takeWhile(/\d/)
    throw backreferenceError(reader.since(from), from + 1)
  }
  let code = Number(first)
  for (let digits = 1; digits < 3 && isOctal(reader.peek()); digits++) code = code * 8 + Number(reader.next())
  return code
}
