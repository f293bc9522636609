/**
 * Reads JSON part by part: `JSON.parse` holds a thread for as long as it takes, which of ten million characters can be
 * more than a second, and it reads to the end what is too much.
 *
 *     {"blocks":[{"type":"text"}, … {"type":"line"}, … ],"position":"end"}
 *                └─ some at once ─┘ └─ some more ─┘
 *
 * What is long is opened, and of what it holds as many entries are parsed at once as make a part.
 */
import type { Parts } from '../breathe.ts'
import { BODY_VALUES, FIELD_NAME_LENGTH, FIELDS_PER_OBJECT, JSON_LEVELS } from '../limits.ts'
import { longName, tooDeep, tooLarge, tooManyFields } from './too-much.ts'

/** The first place where a text is no JSON. */
export interface Fault {
  /** Index in the text. */
  at: number
  expected: string
  found: string
}

/** What may stand next, with the words for it. */
const EXPECTED = {
  value: 'a value',
  first: 'a value or ]',
  key: 'a key in double quotes',
  firstKey: 'a key in double quotes or }',
  colon: 'a colon',
  objectEnd: 'a comma or }',
  arrayEnd: 'a comma or ]',
  end: 'the end',
} as const
type Expected = keyof typeof EXPECTED
type Begins = 'open' | 'close' | 'string' | 'scalar'

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y

/** An object or array that is not closed yet. */
interface Open {
  opening: '{' | '['
  start: number
  /** Where the first entry begins that was not parsed yet, and where the one does that is being read. */
  from: number
  entry: number
  /** In an object: where the key of that entry stands, its quotes included. */
  key: readonly [from: number, to: number]
  entries: number
  /** What was parsed, once it is known to be long. */
  value?: unknown[] | Record<string, unknown>
  /** Whether the entry that is being read was put there already. */
  isGiven: boolean
}

export class JsonReading {
  readonly #text: string
  readonly #part: number
  readonly #open: Open[] = []
  #expected: Expected = 'value'
  #at = 0
  #values = 0
  /** Where the last part ended. */
  #rested = 0
  #whole: { value: unknown } | undefined

  /** @param part  characters that are read in one go */
  constructor(text: string, part: number) {
    this.#text = text
    this.#part = part
  }

  /**
   * The value, or the first fault. The engine's own messages differ from version to version and name a place only at
   * times. Without recursion.
   *
   * @throws PAYLOAD_TOO_LARGE and VALIDATION_ERROR for what no call can hold
   */
  *read(): Parts<{ value: unknown } | { fault: Fault }> {
    const text = this.#text
    for (;;) {
      while (isSpace(text.charCodeAt(this.#at)) && !this.#isPartOver) this.#at += 1
      if (this.#isPartOver) {
        yield
        this.#rested = this.#at
        continue
      }
      const character = text[this.#at]
      if (this.#expected === 'end' && character === undefined) return this.#whole ?? { value: JSON.parse(text) }
      const next = step(this.#expected, character)
      let fault: Fault | undefined
      if (next === 'open') this.#begin(character as '{' | '[')
      else if (next === 'close') this.#close()
      else if (next === 'string') fault = yield* this.#string()
      else if (next === 'scalar') fault = this.#scalar()
      else if (next === undefined) fault = this.#unexpected()
      else {
        if (character === ',') this.#comma()
        this.#expected = next
        this.#at += 1
      }
      if (fault !== undefined) return { fault }
    }
  }

  get #isPartOver(): boolean {
    return this.#at - this.#rested >= this.#part
  }

  #unexpected(): Fault {
    return { at: this.#at, expected: EXPECTED[this.#expected], found: shownAt(this.#text, this.#at) }
  }

  /** What is expected after a value. */
  #after(): Expected {
    const around = this.#open.at(-1)
    return around === undefined ? 'end' : around.opening === '{' ? 'objectEnd' : 'arrayEnd'
  }

  #count(): void {
    this.#values += 1
    if (this.#values > BODY_VALUES) throw tooLarge()
  }

  #begin(opening: '{' | '['): void {
    if (this.#open.length >= JSON_LEVELS) throw tooDeep()
    this.#count()
    const start = this.#at
    this.#at += 1
    const from = this.#at
    this.#open.push({ opening, start, from, entry: from, key: [from, from], entries: 1, isGiven: false })
    this.#expected = opening === '{' ? 'firstKey' : 'first'
  }

  #comma(): void {
    const around = this.#open.at(-1)
    if (around === undefined) return
    this.#count()
    around.entries += 1
    if (around.opening === '{' && around.entries > FIELDS_PER_OBJECT) throw tooManyFields()
    if (around.isGiven) {
      around.isGiven = false
      around.from = this.#at + 1
    } else if (this.#at - around.from >= this.#part) {
      this.#toParts()
      this.#take(around, this.#at)
    }
    around.entry = this.#at + 1
  }

  #close(): void {
    const closed = this.#open.at(-1)
    if (closed === undefined) return
    if (closed.value === undefined && this.#at - closed.start >= this.#part) this.#toParts()
    if (closed.value !== undefined && !closed.isGiven) this.#take(closed, this.#at)
    this.#open.pop()
    if (closed.value !== undefined) this.#give(closed.value)
    this.#expected = this.#after()
    this.#at += 1
  }

  /** From here on everything that is open is put together by hand, and what of it is complete is parsed. */
  #toParts(): void {
    // Around what is put together by hand all is; the innermost of that may have entries that wait.
    const innermost = this.#open.findLastIndex(({ value }) => value !== undefined)
    for (const open of this.#open.slice(Math.max(innermost, 0))) {
      open.value ??= open.opening === '[' ? [] : {}
      if (open.entry > open.from) this.#take(open, open.entry - 1)
    }
  }

  /** Parses the entries that end before a comma or the closing bracket. */
  #take(open: Open, end: number): void {
    const entries = this.#text.slice(open.from, end)
    if (Array.isArray(open.value)) for (const value of JSON.parse(`[${entries}]`)) open.value.push(value)
    else for (const [key, value] of Object.entries(JSON.parse(`{${entries}}`))) put(open.value, key, value)
    open.from = end + 1
  }

  /** A value that was read apart, and takes its place. */
  #give(value: unknown): void {
    this.#toParts()
    const around = this.#open.at(-1)
    if (around === undefined) this.#whole = { value }
    else {
      if (Array.isArray(around.value)) around.value.push(value)
      else put(around.value, JSON.parse(this.#text.slice(...around.key)), value)
      around.isGiven = true
    }
  }

  *#string(): Parts<Fault | undefined> {
    const text = this.#text
    const start = this.#at
    const isKey = this.#expected === 'key' || this.#expected === 'firstKey'
    let end = stringUpTo(text, start + 1, start + (isKey ? FIELD_NAME_LENGTH : this.#part))
    if (typeof end !== 'number') return end
    if (text.charCodeAt(end) !== QUOTE) {
      if (isKey) throw longName()
      let value = JSON.parse(`"${text.slice(start + 1, end)}"`) as string
      while (text.charCodeAt(end) !== QUOTE) {
        yield
        const from: number = end
        end = stringUpTo(text, from, from + this.#part)
        if (typeof end !== 'number') return end
        value += JSON.parse(`"${text.slice(from, end)}"`)
      }
      this.#give(value)
    }
    this.#at = end + 1
    const around = this.#open.at(-1)
    if (isKey && around !== undefined) around.key = [start, this.#at]
    this.#expected = isKey ? 'colon' : this.#after()
    return undefined
  }

  #scalar(): Fault | undefined {
    const end = endOf(NUMBER, this.#text, this.#at) ?? endOf(WORD, this.#text, this.#at)
    if (end === undefined) return this.#unexpected()
    this.#at = end
    this.#expected = this.#after()
    return undefined
  }
}

function put(object: object = {}, key: string, value: unknown): void {
  // Told of where arguments are read; assigned it would be lost.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  else (object as Record<string, unknown>)[key] = value
}

/** What a character means where this is expected: what is expected after it, or what it begins or ends. */
function step(expected: Expected, character: string | undefined): Expected | Begins | undefined {
  switch (expected) {
    case 'value':
    case 'first':
      if (character === undefined) return undefined
      if (expected === 'first' && character === ']') return 'close'
      if (character === '{' || character === '[') return 'open'
      return character === '"' ? 'string' : 'scalar'
    case 'key':
    case 'firstKey':
      if (expected === 'firstKey' && character === '}') return 'close'
      return character === '"' ? 'string' : undefined
    case 'colon':
      return character === ':' ? 'value' : undefined
    case 'objectEnd':
      return character === ',' ? 'key' : character === '}' ? 'close' : undefined
    case 'arrayEnd':
      return character === ',' ? 'value' : character === ']' ? 'close' : undefined
    case 'end':
      return undefined
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function endOf(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at
  return form.test(text) ? form.lastIndex : undefined
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20

/** The index of a string's closing quote, or how far it was read when that is beyond `most`; or what is wrong in it. */
function stringUpTo(text: string, start: number, most: number): number | Fault {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || at >= most) return at
    if (code === BACKSLASH) {
      const end = endOf(ESCAPE, text, at)
      if (end === undefined) {
        const found = JSON.stringify(text.slice(at, at + (text[at + 1] === 'u' ? 6 : 2)))
        return { at, expected: 'an escape such as \\n or \\u00e9 in the string', found }
      }
      at = end
      continue
    }
    if (code < FIRST_PRINTABLE) {
      return { at, expected: 'a string without line breaks and control characters', found: shownAt(text, at) }
    }
    at += 1
  }
  return { at, expected: 'the closing quote of the string', found: shownAt(text, at) }
}

const NAME = /[\p{L}\p{N}_$]{1,20}/uy

/** What stands there: a word whole, so that `undefined` and `True` are recognised. */
function shownAt(text: string, at: number): string {
  if (at >= text.length) return 'the end'
  const end = endOf(NAME, text, at)
  return JSON.stringify(end === undefined ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.slice(at, end))
}

/** The line and the column of an index, both from 1; columns count characters, not their halves. */
export function* placeOf(text: string, at: number, part: number): Parts<{ line: number; column: number }> {
  let [line, column] = [1, 1]
  let rested = 0
  for (let index = 0; index < at; index++) {
    const code = text.codePointAt(index) ?? 0
    if (code > LAST_OF_ONE_UNIT && index + 1 < at) index += 1
    column += 1
    if (code === LINE_FEED) [line, column] = [line + 1, 1]
    if (index - rested < part) continue
    yield
    rested = index
  }
  return { line, column }
}

const LAST_OF_ONE_UNIT = 0xffff
const LINE_FEED = 0x0a
