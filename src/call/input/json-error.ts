/**
 * Locates the first syntax error in JSON text. The messages of JavaScript engines differ by version and do not always
 * contain the position. Used only for texts that `JSON.parse` has refused.
 */
import type { Steps } from '../../base/work-steps.ts'

/** The first syntax error in a text. */
export interface JsonFault {
  /** Index in the text. */
  at: number
  expected: string
  found: string
}

/** Descriptions of what can come next. */
const EXPECTED = {
  value: 'a value',
  firstValue: 'a value or ]',
  key: 'a key in double quotes',
  firstKey: 'a key in double quotes or }',
  colon: 'a colon',
  objectEnd: 'a comma or }',
  arrayEnd: 'a comma or ]',
  end: 'the end',
} as const
type Expected = keyof typeof EXPECTED

const SPACE = /[ \t\r\n]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const WORD = /[\p{L}\p{N}_$]{1,20}/uy

const CLOSING = { '{': '}', '[': ']' } as const

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20

/** Tokens and escapes to read before yielding. */
const CHUNK = 10_000

/**
 * Finds the first error of a text that is not valid JSON, without recursion. Returns undefined for valid JSON.
 *
 * @param isLenient  true to accept control characters in strings, and a comma after the last entry
 */
export function* findJsonFault(text: string, isLenient = false): Steps<JsonFault | undefined> {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let steps = 0
  let at = endOf(SPACE, text, 0)
  let afterComma = -1
  const afterValue = (): Expected => (open.length === 0 ? 'end' : open.at(-1) === '{' ? 'objectEnd' : 'arrayEnd')

  for (; at < text.length; at = endOf(SPACE, text, at)) {
    if (++steps % CHUNK === 0) yield
    const character = text[at]
    const takesValue: boolean = expected === 'value' || expected === 'firstValue'
    const takesKey: boolean = expected === 'key' || expected === 'firstKey'
    const isAfterComma: boolean = afterComma === at
    if ((takesValue || takesKey) && character === '"') {
      at = endOfPlainText(text, at + 1, isLenient)
      while (text[at] !== '"') {
        const afterEscape = endOf(ESCAPE, text, at)
        if (afterEscape === at) return stringFault(text, at)
        at = endOfPlainText(text, afterEscape, isLenient)
        if (++steps % CHUNK === 0) yield
      }
      at += 1
      expected = takesKey ? 'colon' : afterValue()
    } else if (takesValue && (character === '{' || character === '[')) {
      open.push(character)
      expected = character === '{' ? 'firstKey' : 'firstValue'
      at += 1
    } else if (
      closes(expected, character) ||
      (isLenient && isAfterComma && character === CLOSING[open.at(-1) ?? '['])
    ) {
      open.pop()
      expected = afterValue()
      at += 1
    } else if (character === ',' && (expected === 'objectEnd' || expected === 'arrayEnd')) {
      expected = expected === 'objectEnd' ? 'key' : 'value'
      at += 1
      afterComma = endOf(SPACE, text, at)
    } else if (character === ':' && expected === 'colon') {
      expected = 'value'
      at += 1
    } else {
      const end = takesValue ? endOf(SCALAR, text, at) : at
      if (end === at) return { at, expected: EXPECTED[expected], found: shownAt(text, at) }
      at = end
      expected = afterValue()
    }
  }
  return expected === 'end' ? undefined : { at, expected: EXPECTED[expected], found: shownAt(text, at) }
}

const closes = (expected: Expected, character: string | undefined): boolean =>
  (character === ']' && (expected === 'firstValue' || expected === 'arrayEnd')) ||
  (character === '}' && (expected === 'firstKey' || expected === 'objectEnd'))

/** @param at  the index of an invalid character or escape in a string */
function stringFault(text: string, at: number): JsonFault {
  if (text[at] === '\\') {
    const found = JSON.stringify(text.slice(at, at + (text[at + 1] === 'u' ? 6 : 2)))
    return { at, expected: 'an escape such as \\n or \\u00e9 in the string', found }
  }
  const expected =
    at < text.length ? 'a string without line breaks and control characters' : 'the closing quote of the string'
  return { at, expected, found: shownAt(text, at) }
}

/** The index of the first character that ends a string, begins an escape, or is not allowed in a string. */
function endOfPlainText(text: string, start: number, isLenient: boolean): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code === BACKSLASH || (code < FIRST_PRINTABLE && !isLenient)) break
    at += 1
  }
  return at
}

/** The end of a match at this index, or the index itself if there is none. */
function endOf(form: RegExp, text: string, at: number): number {
  form.lastIndex = at
  return form.test(text) ? form.lastIndex : at
}

/** The text at the error. Words are shown whole, so that `undefined` and `True` are recognizable. */
function shownAt(text: string, at: number): string {
  if (at >= text.length) return 'the end'
  const end = endOf(WORD, text, at)
  return JSON.stringify(end === at ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.slice(at, end))
}

/** Line and column of an index, both from 1. Columns count characters, not UTF-16 code units. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  let line = 1
  for (let next = text.indexOf('\n'); next >= 0 && next < lineStart; next = text.indexOf('\n', next + 1)) line += 1
  const pairs = text.slice(lineStart, at).match(SURROGATE_PAIR)?.length ?? 0
  return { line, column: at - lineStart - pairs + 1 }
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g
