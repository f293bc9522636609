import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeText } from '../../src/markdown/inline-text.ts'
import {
  formatLink,
  plainTitle,
  readTitle,
  type TitleAttribute,
  titleFromPlain,
  truncateTitle,
  writeTitle,
} from '../../src/markdown/inline-title.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'

/** A title, as Markdown and as a value with attributes. */
function same(text: string, value: string, ...attributes: TitleAttribute[]): void {
  expect(readTitle(text)).toEqual({ value, attributes })
  expect(writeTitle({ value, attributes })).toBe(text)
  expect(plainTitle(text)).toBe(value)
}

describe('readTitle and writeTitle', () => {
  test('should agree on plain text', () => same('Plans for 2026', 'Plans for 2026'))

  test('should agree on each mark', () => {
    same(
      '**a** *b* ~~c~~',
      'a b c',
      { start: 0, end: 1, type: 'bold' },
      { start: 2, end: 3, type: 'italic' },
      { start: 4, end: 5, type: 'strikethrough' },
    )
    same('`a` $b$', 'a b', { start: 0, end: 1, type: 'code' }, { start: 2, end: 3, type: 'formula' })
    same('<highlight color="red">a</highlight>', 'a', { start: 0, end: 1, type: 'highlight', color: 'red' })
    same('<comment id="7">a</comment>', 'a', { start: 0, end: 1, type: 'commentMarker', markerId: '7' })
    same('[a](https://x)', 'a', { start: 0, end: 1, type: 'link', url: 'https://x' })
    same('[a](block://1)', 'a', { start: 0, end: 1, type: 'blockLink', blockId: '1' })
    same('[a](date://2026-01-01)', 'a', { start: 0, end: 1, type: 'dateLink', date: '2026-01-01' })
  })

  test('should nest marks, the longer one outside', () => {
    same('**a[b](u)** c', 'ab c', { start: 0, end: 2, type: 'bold' }, { start: 1, end: 2, type: 'link', url: 'u' })
  })

  test('should count UTF-16 code units', () => {
    same('😀 **b**', '😀 b', { start: 3, end: 4, type: 'bold' })
  })

  test('should split overlapping marks', () => {
    same('**&#97;_b_**_c_&#100;', 'abcd', { start: 0, end: 2, type: 'bold' }, { start: 1, end: 3, type: 'italic' })
    same(
      '<highlight color="red">a[b](u)</highlight>[c](u)',
      'abc',
      { start: 0, end: 2, type: 'highlight', color: 'red' },
      { start: 1, end: 3, type: 'link', url: 'u' },
    )
  })

  test('should not open or close a mark next to white space', () => {
    const attributes: TitleAttribute[] = [
      { start: 0, end: 2, type: 'bold' },
      { start: 1, end: 4, type: 'italic' },
    ]
    expect(writeTitle({ value: 'ab c', attributes })).toBe('**a*b*** *c*')
  })

  test('should read an autolink as a link, and an image as its alt text', () => {
    expect(readTitle('<me@x.example> ![b](u)')).toEqual({
      value: 'me@x.example b',
      attributes: [{ start: 0, end: 12, type: 'link', url: 'mailto:me@x.example' }],
    })
  })

  test('should write a formula with the delimiters it needs', () => {
    const attributes = [{ start: 0, end: 3, type: 'formula' }] as const
    expect(writeTitle({ value: 'a$b', attributes: [...attributes] })).toBe('$$a$b$$')
    expect(() => writeTitle({ value: '$$$', attributes: [...attributes] })).toThrow(
      'Expected a formula that $…$ or $$…$$ can hold, found "$$$"; write \\$ for a dollar sign in it, and end it with neither space nor backslash.',
    )
  })

  test.each([
    [0, 5],
    [-1, 1],
    [2, 2],
    [3, 2],
    [0.5, 1],
  ])('should reject a range from %d to %d', (start, end) => {
    expect(() => writeTitle({ value: 'abcd', attributes: [{ start, end, type: 'bold' }] })).toThrow(
      `Expected start and end of a title attribute within 0 and 4, start before end, found ${start} and ${end} of bold; count UTF-16 code units of the value.`,
    )
  })

  test('should reject a range that begins within a character', () => {
    expect(() => writeTitle({ value: 'a😀', attributes: [{ start: 2, end: 3, type: 'code' }] })).toThrow(
      'Expected start and end of a title attribute between characters, found 2 of code inside of 😀; count UTF-16 code units of the value, of which such a character has two.',
    )
  })

  test('should reject more attributes than a title can use', () => {
    const attributes = Array.from({ length: 301 }, (): TitleAttribute => ({ start: 0, end: 1, type: 'bold' }))
    expect(() => writeTitle({ value: 'a', attributes })).toThrow(
      'Expected at most 300 attributes of a title, found 301; join those that touch, or leave some out.',
    )
  })

  test('should reject more comments over one character than can be read back', () => {
    const attributes = Array.from(
      { length: 51 },
      (_, id): TitleAttribute => ({ start: 0, end: 1, type: 'commentMarker', markerId: `${id}` }),
    )
    expect(() => writeTitle({ value: 'a', attributes })).toThrow(
      'Expected at most 50 links, highlights and comments over one character of a title, found 51; leave some out.',
    )
    expect(readTitle(writeTitle({ value: 'a', attributes: attributes.slice(1) })).attributes).toHaveLength(50)
  })

  test('should reject an unknown color', () => {
    expect(() =>
      writeTitle({ value: 'a', attributes: [{ start: 0, end: 1, type: 'highlight', color: 'lime' }] }),
    ).toThrow(
      'Expected a highlight color, one of yellow, green, mint, cyan, blue, purple, pink, red, gray, gradient-blue, gradient-purple, gradient-red, gradient-yellow, gradient-brown, found "lime"; use one of them, or leave color out for yellow.',
    )
  })
})

describe('titleFromPlain', () => {
  test.each([
    ['*a* # b', '\\*a* # b'],
    [' a ', '&#32;a&#32;'],
    ['<page>', '\\<page>'],
    ['a\r\n\nb', 'a b'],
    ['end\\', 'end\\\\'],
    ['plain', 'plain'],
  ])('should write %j as %j', (plain, title) => expect(titleFromPlain(plain)).toBe(title))

  const pieces = [
    '*',
    '_',
    '`',
    '[',
    '](u)',
    '<b>',
    '<',
    '>',
    '\\',
    '&amp;',
    '&',
    ' ',
    'a',
    '!',
    '$',
    '~~',
    '==',
    '😀',
    '\t',
    '|',
    '#',
    '\u00a0',
    '\u2028',
    '\0',
    '\ud800',
  ]
  const lines = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string({ unit: anyCharacter }).map((text) => text.replace(/[\r\n]/g, '')),
  )

  test('should show exactly the characters of any line, in normal form', () => {
    fc.assert(
      fc.property(lines, (line) => {
        const title = titleFromPlain(line)
        expect(plainTitle(title)).toBe(line)
        expect(normalizeText(title)).toBe(title)
      }),
      { numRuns: runs(150, 3000) },
    )
  })
})

describe('any title', () => {
  const value = fc
    .array(fc.constantFrom('a', 'b', ' ', '.', '*', '$', '`', '[', '€', '\\', '_'), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(''))
  const mark = fc.constantFrom(
    ...(['bold', 'italic', 'strikethrough', 'code'] as const).map((type) => ({ type })),
    ...['u', 'v'].map((url) => ({ type: 'link' as const, url })),
    { type: 'highlight' as const, color: 'red' },
    { type: 'highlight' as const, color: 'blue' },
    { type: 'commentMarker' as const, markerId: '1' },
  )
  const titles = value.chain((text) => {
    const place = fc.integer({ min: 0, max: text.length })
    const attribute = fc
      .tuple(place, place, mark)
      .filter(([start, end]) => start < end)
      .map(([start, end, what]): TitleAttribute => ({ start, end, ...what }))
    return fc.array(attribute, { maxLength: 5 }).map((attributes) => ({ value: text, attributes }))
  })

  /** The marks of each character. Emphasis is ignored on white space, and only the last link counts. */
  const over = (title: { value: string; attributes: readonly TitleAttribute[] }) =>
    [...title.value].map((character, at) => {
      const active = title.attributes.filter(({ start, end }) => start <= at && at < end)
      const link = active.findLast(({ type }) => type === 'link')
      return active
        .filter((each) => each.type !== 'link' || each === link)
        .filter(({ type }) => character !== ' ' || !['bold', 'italic', 'strikethrough'].includes(type))
        .map(({ start: _, end: __, ...what }) => JSON.stringify(what))
        .filter((each, index, all) => all.indexOf(each) === index)
        .sort()
    })

  test('should be read back with the same marks over each character', () => {
    fc.assert(
      fc.property(titles, (title) => {
        const text = writeTitle(title)
        const read = readTitle(text)
        expect(read.value).toBe(title.value)
        expect(over(read)).toEqual(over(title))
        expect(normalizeText(text)).toBe(text)
        // The result of parsing is in normal form: a round trip does not change it.
        expect(readTitle(writeTitle(read))).toEqual(read)
      }),
      { numRuns: runs(150, 3000) },
    )
  })
})

test('formatLink should be read back as a link over the title, whatever that is', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'[]()<>*_`~=$&\\!:|a \t'), maxLength: 12 })
  const titles = fc
    .oneof(signs, fc.string({ unit: anyCharacter, maxLength: 20 }))
    .filter((title) => title.trim() !== '')
  fc.assert(
    fc.property(titles, (title) => {
      const value = title.replace(/[\r\n]+/g, ' ')
      const attributes = [{ start: 0, end: value.length, type: 'blockLink', blockId: '1' }]
      expect(readTitle(formatLink('block://1', title))).toEqual({ value, attributes })
    }),
    { numRuns: runs(150, 2_000) },
  )
})

describe('truncateTitle', () => {
  test('should be what a reader sees of a text that can be a title', () => {
    expect(truncateTitle('**bold**\nand [a link](https://example.org)')).toBe('bold and a link')
  })

  test('should be the beginning of a longer one', () => {
    const words = truncateTitle('**bold** words '.repeat(1_000))
    expect(words).toMatch(/^bold words bold .* words…$/)
    expect(words.length).toBeLessThan(6_000)
  })
})
