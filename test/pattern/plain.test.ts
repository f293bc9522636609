/** Which patterns run on re2js, and that those it is not for have their answers all the same. */
import { RE2JS } from 're2js'
import { describe, expect, test, vi } from 'vitest'
import { compilePattern } from '../../src/regex/pattern.ts'
import { ownEngine } from './own.ts'

/** How often re2js was asked for a pattern, and where the pattern matches. */
function run(source: string, text: string, caseSensitive = true) {
  const compile = vi.spyOn(RE2JS, 'compile')
  try {
    const spans = compilePattern(source, { caseSensitive }).spans(text)
    return { asked: compile.mock.calls.length, spans: spans.map(({ from, to }) => text.slice(from, to)) }
  } finally {
    compile.mockRestore()
  }
}

describe('re2js', () => {
  test.each<[source: string, text: string, spans: string[]]>([
    ['foo', 'foo 😀 foo', ['foo', 'foo']],
    ['(?i)straße', 'STRAẞE', ['STRAẞE']],
    ['(?P<year>\\d{4})-\\d+', 'on 2024-05', ['2024-05']],
    ['\\pL{2,100}', 'naïve 1', ['naïve']],
    ['(?i)[а-яё]+', 'Да, нет', ['Да', 'нет']],
  ])('runs %s', (source, text, spans) => expect(run(source, text)).toEqual({ asked: 1, spans }))

  test.each<[why: string, source: string, text: string, spans: string[]]>([
    ['lookaheads', 'foo(?= bar)', 'foo bar foo', ['foo']],
    ['lookbehinds', '(?<=a)b', 'ab b', ['b']],
    ['bounds by the million', `${'\\pL{900}'.repeat(9)}|ñ`, 'a ñ', ['ñ']],
    ['long ranges without case', '(?i)a[!-😀][!-🙏][!-🚀][a-\\x{1f600}][b-😀][c-😀]', 'Abcdefg', ['Abcdefg']],
  ])('is not asked for %s', (_, source, text, spans) => expect(run(source, text)).toEqual({ asked: 0, spans }))

  test('is asked in vain for names of Unicode that it does not know', () => {
    expect(run('\\p{Letter}+', 'aé1')).toEqual({ asked: 1, spans: ['aé'] })
    expect(run('\\p{Grek}', 'aβ')).toEqual({ asked: 1, spans: ['β'] })
  })
})

describe('long texts with many matches', () => {
  test.each([
    ['\\w+', 'abc '.repeat(20_000)],
    ['a(.*?c)?', 'ab'.repeat(1_000)],
    ['(a)|b', 'cb'.repeat(50_000)],
  ])('%s', (source, text) => {
    const pattern = compilePattern(source, { caseSensitive: true })
    const engine = ownEngine(source, true)
    const spans = pattern.spans(text)
    expect(spans).toEqual(engine.spans(text, Infinity))
    expect(spans.length).toBeGreaterThan(900)
    expect(pattern.spans(text, 3)).toEqual(spans.slice(0, 3))
    expect(pattern.exec(`${text}${text.repeat(40)}`)).toEqual(pattern.exec(text))
  })

  test('groups of a match far down a long text', () => {
    const pattern = compilePattern('(x)|(y)', { caseSensitive: true })
    const from = 3_000_000
    expect(pattern.exec(`${'a'.repeat(from)}y`)).toEqual([{ from, to: from + 1 }, undefined, { from, to: from + 1 }])
  })
})
