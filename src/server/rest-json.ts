/** Reads JSON, and of JSON that is none says where it breaks and what stands there. */
import { invalid } from '../errors.ts'

/**
 * @param where  what the text is, for the message: `the body`, `the parameter position`
 * @throws VALIDATION_ERROR with line and column, both from 1, of the first fault
 */
export function readJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = jsonFault(text)
    if (fault === undefined) throw error
    const { line, column } = placeOf(text, fault.at)
    throw invalid(
      `Expected ${fault.expected} at line ${line}, column ${column} of ${where}, which is to be JSON, found ${fault.found}; mend it there.`,
    )
  }
}

interface Fault {
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

/**
 * The first place where a text is no JSON; none when it is. The engine's own messages differ from version to version
 * and name a place only at times. Without recursion: no nesting is too deep for it.
 */
export function jsonFault(text: string): Fault | undefined {
  const open: ('{' | '[')[] = []
  let expected = 'value' as Expected
  let at = 0
  const after = (): Expected => {
    const around = open.at(-1)
    return around === undefined ? 'end' : around === '{' ? 'objectEnd' : 'arrayEnd'
  }
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at += 1
    const character = text[at]
    if (expected === 'end' && character === undefined) return undefined
    const next = step(expected, character)
    if (next === undefined) return { at, expected: EXPECTED[expected], found: describe(text, at) }
    if (next === 'open') {
      open.push(character as '{' | '[')
      expected = character === '{' ? 'firstKey' : 'first'
    } else if (next === 'close') {
      open.pop()
      expected = after()
    } else if (next === 'string') {
      const end = stringEnd(text, at)
      if (typeof end !== 'number') return end
      at = end - 1
      expected = expected === 'key' || expected === 'firstKey' ? 'colon' : after()
    } else if (next === 'scalar') {
      const end = endOf(NUMBER, text, at) ?? endOf(WORD, text, at)
      if (end === undefined) return { at, expected: EXPECTED[expected], found: describe(text, at) }
      at = end - 1
      expected = after()
    } else expected = next
    at += 1
  }
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

/** The index after a string's closing quote, or what is wrong in it. */
function stringEnd(text: string, start: number): number | Fault {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
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
      return { at, expected: 'a string without line breaks and control characters', found: describe(text, at) }
    }
    at += 1
  }
  return { at, expected: 'the closing quote of the string', found: describe(text, at) }
}

const NAME = /[\p{L}\p{N}_$]{1,20}/uy

/** What stands there: a word whole, so that `undefined` and `True` are recognised. */
function describe(text: string, at: number): string {
  if (at >= text.length) return 'the end'
  const end = endOf(NAME, text, at)
  return JSON.stringify(end === undefined ? String.fromCodePoint(text.codePointAt(at) ?? 0) : text.slice(at, end))
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: Array.from(before.slice(start)).length + 1 }
}
