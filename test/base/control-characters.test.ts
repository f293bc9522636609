import { describe, expect, test } from 'vitest'
import {
  cleanName,
  escapeForTerminal,
  escapeLines,
  findControlCharacter,
  jsonForTerminal,
  terminalRow,
} from '../../src/base/control-characters.ts'

/** Every character that must be escaped on a terminal. */
const CONTROLS = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...[0x061c, 0x200e, 0x200f],
  ...range(0x2028, 0x202e),
  ...range(0x2066, 0x2069),
].map((code) => String.fromCharCode(code))
const HARMLESS = ' azAZ09\\"é中文עברית👩‍💻🏴󠁧󠁢󠁥󠁮󠁧󠁿\u00a0क्\u200dष'

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

describe('what is printed to a terminal', () => {
  test('is escaped where it would control the terminal or the direction of text, and nowhere else', () => {
    for (const control of CONTROLS) {
      expect(escapeForTerminal(`a${control}b`)).toMatch(/^a\\(?:[tnr]|u[0-9a-f]{4})b$/)
    }
    expect(escapeForTerminal('\u001b]0;x\u0007\u009b2J\u202e\t\r\n')).toBe(
      '\\u001b]0;x\\u0007\\u009b2J\\u202e\\t\\r\\n',
    )
    expect(escapeForTerminal(HARMLESS)).toBe(HARMLESS)
    expect(escapeForTerminal('a\u200bb\u{e0041}c')).toBe('a\\u200bb\\u{e0041}c')
  })

  test('is one line with separate fields', () => {
    expect(terminalRow(['a\tb', 'c\nd'])).toBe('a\\tb\tc\\nd')
  })

  test('has its further lines indented if it has several', () => {
    expect(escapeLines('Error: \u001b[2J\nat x\r\nat y')).toBe('Error: \\u001b[2J\n    at x\\r\n    at y')
  })

  test('contains none as JSON either, with the same value', () => {
    const value = { [`k${CONTROLS.join('')}`]: [CONTROLS.join(''), HARMLESS, 'a\u200b\u{e0041}'] }
    const json = jsonForTerminal(value)
    expect(findControlCharacter(json)).toBeUndefined()
    expect(JSON.parse(json)).toEqual(value)
    expect(json).toContain(String.raw`a\u200b\udb40\udc41`)
    expect(jsonForTerminal({ a: '\u009b' }, 2)).toBe('{\n  "a": "\\u009b"\n}')
  })
})

describe('a name', () => {
  test('is searched for the first control character', () => {
    for (const control of CONTROLS) expect(findControlCharacter(`a${control}`)).toMatch(/^U\+[0-9A-F]{4}$/)
    expect(findControlCharacter('a\u001b\u202e')).toBe('U+001B')
    expect(findControlCharacter(HARMLESS)).toBeUndefined()
  })

  test('that a client gives itself is shortened to one line', () => {
    expect(cleanName(' a\n\u001b b\u202e\u200b c ', 10)).toBe('a b c')
    expect(cleanName('👍'.repeat(20), 10)).toBe('👍'.repeat(10))
    expect(cleanName(`${'x'.repeat(79)}👍`, 10)).toBe('x'.repeat(10))
    expect(cleanName('\u0000\u009b\u2066', 10)).toBe('')
  })
})
