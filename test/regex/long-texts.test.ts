/** Many matches in long texts, and Unicode names that only some engines know. */
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../src/regex/pattern.ts'

describe('reading beyond matches', () => {
  test('is repeated for few of them', () => {
    const pattern = compilePattern('a(.*b)?', { caseSensitive: true })
    expect(pattern.spans('a'.repeat(1_000))).toHaveLength(1_000)
    expect(pattern.spans('a'.repeat(1_000_000), 10)).toHaveLength(10)
  })
})

describe('long texts with many matches', () => {
  test.each([
    ['\\w+', 'abc '.repeat(20_000)],
    ['a(.*?c)?', 'ab'.repeat(1_000)],
    ['(a)|b', 'cb'.repeat(50_000)],
  ])('%s', (source, text) => {
    const pattern = compilePattern(source, { caseSensitive: true })
    const spans = pattern.spans(text)
    const native = [...text.matchAll(new RegExp(source, 'g'))].map(({ 0: { length }, index }) => ({
      from: index,
      to: index + length,
    }))
    expect(spans).toEqual(native)
    expect(spans.length).toBeGreaterThan(900)
    expect(pattern.spans(text, 3)).toEqual(spans.slice(0, 3))
    expect(pattern.exec(`${text}${text.repeat(40)}`)).toEqual(pattern.exec(text))
  })

  test('groups of a match far into a long text', () => {
    const pattern = compilePattern('(x)|(y)', { caseSensitive: true })
    const from = 3_000_000
    expect(pattern.exec(`${'a'.repeat(from)}y`)).toEqual([{ from, to: from + 1 }, undefined, { from, to: from + 1 }])
  })
})

test.each([
  ['\\p{Letter}+', 'aé1', 'aé'],
  ['\\p{Grek}', 'aβ', 'β'],
  [`${'\\pL{900}'.repeat(9)}|ñ`, 'a ñ', 'ñ'],
  ['(?i)a[!-😀][!-🙏][!-🚀][a-\\x{1f600}][b-😀][c-😀]', 'Abcdefg', 'Abcdefg'],
])('%s', (source, text, found) => {
  const [span] = compilePattern(source, { caseSensitive: true }).spans(text)
  expect(text.slice(span?.from, span?.to)).toBe(found)
})
