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
/** Where an object or array may end. */
const MAY_CLOSE: ReadonlySet<Expected> = new Set(['firstKey', 'objectEnd', 'firstValue', 'arrayEnd'])

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
export function findJsonFault(text: string, isLenient = false): Steps<JsonFault | undefined> {
  return new JsonReader(text, isLenient).findFault()
}

class JsonReader {
  readonly #text: string
  readonly #isLenient: boolean
  /** The objects and arrays around the index, innermost last. */
  readonly #open: ('{' | '[')[] = []
  #expected: Expected = 'value'
  #at = 0
  /** The index of the token after the last comma. */
  #afterComma = -1
  #steps = 0

  constructor(text: string, isLenient: boolean) {
    this.#text = text
    this.#isLenient = isLenient
  }

  *findFault(): Steps<JsonFault | undefined> {
    while (this.#skipSpace() < this.#text.length) {
      if (++this.#steps % CHUNK === 0) yield
      const isString = this.#text[this.#at] === '"' && (this.#takesValue || this.#takesKey)
      const fault = isString ? yield* this.#readString() : this.#readToken()
      if (fault !== undefined) return fault
    }
    return this.#expected === 'end' ? undefined : this.#fault()
  }

  get #takesValue(): boolean {
    return this.#expected === 'value' || this.#expected === 'firstValue'
  }

  get #takesKey(): boolean {
    return this.#expected === 'key' || this.#expected === 'firstKey'
  }

  get #afterValue(): Expected {
    if (this.#open.length === 0) return 'end'
    return this.#open.at(-1) === '{' ? 'objectEnd' : 'arrayEnd'
  }

  #skipSpace(): number {
    this.#at = endOf(SPACE, this.#text, this.#at)
    return this.#at
  }

  *#readString(): Steps<JsonFault | undefined> {
    const text = this.#text
    const next = this.#takesKey ? 'colon' : this.#afterValue
    let at = endOfPlainText(text, this.#at + 1, this.#isLenient)
    while (text[at] !== '"') {
      const afterEscape = endOf(ESCAPE, text, at)
      if (afterEscape === at) return stringFault(text, at)
      at = endOfPlainText(text, afterEscape, this.#isLenient)
      if (++this.#steps % CHUNK === 0) yield
    }
    this.#moveTo(at + 1, next)
    return undefined
  }

  /** Reads anything except a string. */
  #readToken(): JsonFault | undefined {
    const character = this.#text[this.#at]
    const after = this.#at + 1
    if (this.#takesValue && (character === '{' || character === '[')) {
      this.#open.push(character)
      this.#moveTo(after, character === '{' ? 'firstKey' : 'firstValue')
    } else if (this.#mayClose && character === CLOSING[this.#open.at(-1) ?? '[']) {
      this.#open.pop()
      this.#moveTo(after, this.#afterValue)
    } else if (character === ',' && (this.#expected === 'objectEnd' || this.#expected === 'arrayEnd')) {
      this.#moveTo(after, this.#expected === 'objectEnd' ? 'key' : 'value')
      this.#afterComma = this.#skipSpace()
    } else if (character === ':' && this.#expected === 'colon') this.#moveTo(after, 'value')
    else return this.#readScalar()
    return undefined
  }

  get #mayClose(): boolean {
    return MAY_CLOSE.has(this.#expected) || (this.#isLenient && this.#afterComma === this.#at)
  }

  #readScalar(): JsonFault | undefined {
    const end = this.#takesValue ? endOf(SCALAR, this.#text, this.#at) : this.#at
    if (end === this.#at) return this.#fault()
    this.#moveTo(end, this.#afterValue)
    return undefined
  }

  #moveTo(at: number, expected: Expected): void {
    this.#at = at
    this.#expected = expected
  }

  #fault(): JsonFault {
    return { at: this.#at, expected: EXPECTED[this.#expected], found: shownAt(this.#text, this.#at) }
  }
}

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
