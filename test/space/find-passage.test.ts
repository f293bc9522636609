import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runToCompletion } from '../../src/base/work-steps.ts'
import { findPassage, nearestPassage } from '../../src/space/editing/find-passage.ts'
import { runs } from '../support/runs.ts'

const placesOf = (text: string, passage: string) => runToCompletion(findPassage(text, passage))
const found = (text: string, passage: string) => placesOf(text, passage).map(({ at, end }) => text.slice(at, end))
const nearest = (text: string, passage: string) => runToCompletion(nearestPassage(text, passage))

describe('findPassage', () => {
  test.each([
    ['line one\nline two', 'one\r\nline', 'one\nline'],
    ['don’t stop “now”', 'don\'t stop "now"', 'don’t stop “now”'],
    ['don\'t stop "now"', 'don’t stop “now”', 'don\'t stop "now"'],
    ['call\u00a0me now', 'call me', 'call\u00a0me'],
    ['call me now', 'call\u202fme', 'call me'],
    ['a cafe\u0301 open', 'café', 'cafe\u0301'],
    ['a café open', 'cafe\u0301', 'café'],
    ['서울에서', '서울'.normalize('NFD'), '서울'],
    ['서울에서'.normalize('NFD'), '서울', '서울'.normalize('NFD')],
    ['“a” cafe\u0301 “b” x', 'café "b"', 'cafe\u0301 “b”'],
  ])('in %j should find %j', (text, passage, expected) => {
    expect(found(text, passage)).toEqual([expected])
  })

  test('should not find what differs in more', () => {
    expect(found('a — b', 'a - b')).toEqual([])
    expect(found('Word', 'word')).toEqual([])
    expect(found('x caf\u00e9', 'x\u00a0cafe')).toEqual([])
  })

  test('should prefer a passage that is exactly the same, and find all that are the same otherwise', () => {
    expect(placesOf('“a” "a"', '"a"')).toEqual([{ at: 4, end: 7 }])
    expect(placesOf('“a” ‟a”', '"a"')).toHaveLength(2)
    expect(placesOf('aaa', 'aa')).toHaveLength(2)
    expect(placesOf('a', '')).toEqual([])
  })

  test('long runs of marks are not brought into order, and many quotes yield', () => {
    expect(found(`e${'\u0301\u0316'.repeat(100_000)} “x”`, '"x"')).toEqual(['“x”'])
    expect([...findPassage('“a” '.repeat(50_000), '"b"')].length).toBeGreaterThanOrEqual(10)
  })

  test('any passage should be found in any text, however its characters are written', () => {
    const pieces = [
      'a',
      ' ',
      '\u00a0',
      '“',
      '"',
      '’',
      "'",
      '\r\n',
      '\n',
      'e\u0301',
      'é',
      '각',
      '각'.normalize('NFD'),
      '😀',
    ]
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, texts, texts, (before, passage, after) => {
        const other = passage.replaceAll('"', '“').replaceAll("'", '’').replaceAll(' ', '\u00a0').normalize('NFD')
        expect(found(`${before}<${passage}>${after}`, `<${other}>`)).toEqual([`<${passage}>`])
      }),
      { numRuns: runs(200, 10_000) },
    )
  })
})

describe('nearestPassage', () => {
  test.each([
    ['The quick brown fox jumps', 'quick brawn fox', 'quick brown fox'],
    ['Meeting on Tuesday at noon', 'on Thursday at', 'Tuesday'],
    ['这是重要的事情', '重要事情', '重要'],
    ['İ, The quick brown fox', 'quick brawn fox', 'quick brown fox'],
  ])('in %j the one of %j should have %j', (text, passage, expected) => {
    expect(nearest(text, passage)).toContain(expected)
  })

  test('should be nothing where too little is the same', () => {
    expect(nearest('The quick brown fox', 'lazy dogs')).toBeUndefined()
    expect(nearest('', 'a')).toBeUndefined()
    expect(nearest('abc', 'x')).toBeUndefined()
  })

  test('should be cut around the first difference', () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index}`)
    const shown = nearest(`before ${words.join(' ')} after`, words.join(' ').replace('word50 ', 'other '))
    expect(shown).toContain('word50')
    expect(shown?.length).toBeLessThanOrEqual(122)
  })

  test('should pause after the same number of characters, whatever they are', () => {
    const pauses = (text: string) => [...nearestPassage(text, 'ba'.repeat(500))].length
    expect(pauses('ab'.repeat(100_001))).toBe(20)
    expect(pauses('xy'.repeat(100_001))).toBe(20)
  })
})
