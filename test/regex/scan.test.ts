/** Scans of many texts, directly and in worker threads. */
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../src/regex/pattern.ts'
import { scanTexts } from '../../src/space/search/pattern-scan.ts'
import { letters } from './letters.ts'

const compiled = (source: string) => compilePattern(source, { caseSensitive: true })

/** Processes several hundred steps of [ab]{500} at each character, with a lookahead. */
const HOSTILE = compiled('[ab]*a[ab]{500}c(?!d)')
const hostileText = (length: number) => `c${letters('ab', length)}`

describe('a scan', () => {
  test('finds nothing in no texts', async () => {
    expect(await scanTexts(compiled('a'), [])).toEqual([])
  })

  test('returns each matching text with its first spans', async () => {
    const texts = ['none', 'foo 😀 foo foo', 'foo']
    expect(await scanTexts(compiled('foo(?! 😀)'), texts, 1)).toEqual([
      { index: 1, spans: [{ from: 7, to: 10 }] },
      { index: 2, spans: [{ from: 0, to: 3 }] },
    ])
  })

  test('finds the same in workers as directly, in the order of the texts', async () => {
    const texts = Array.from({ length: 5_000 }, (_, index) => `${letters('abcde ', 80, index)} ${index}`)
    texts[4_000] = `foo ${letters('xyz ', 1_200_000)} foo`
    const pattern = compiled('(?<![a-d])[a-d]{3}\\b|foo')
    const hits = await scanTexts(pattern, texts, 3)
    const expected = texts
      .map((text, index) => ({ index, spans: pattern.spans(text, 3) }))
      .filter(({ spans }) => spans.length > 0)
    expect(hits).toEqual(expected)
    expect(expected.length).toBeGreaterThan(500)
  })

  test('returns which texts match if no spans are requested', async () => {
    const texts = ['a', 'b', `${letters('xyz', 2_000_000)}a`, 'b']
    const hits = [
      { index: 0, spans: [] },
      { index: 2, spans: [] },
    ]
    expect(await scanTexts(compiled('a'), texts, 0)).toEqual(hits)
  })

  test('reports a text that costs too much', async () => {
    const text = 'a'.repeat(400_000)
    await expect(scanTexts(compiled('a(.*b)?'), [text], Infinity)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(
        /^Expected a pattern that does not look far beyond its matches, found one that reads far/,
      ),
    })
  })

  test('short scans finish before long ones that were started first', async () => {
    const order: string[] = []
    const note = (name: string) => () => order.push(name)
    const short = Array.from({ length: 500 }, () => letters('abc ', 400))
    const long = scanTexts(HOSTILE, [hostileText(30_000)]).then(note('long'))
    const second = scanTexts(HOSTILE, [hostileText(30_000)]).then(note('second'))
    await Promise.all([scanTexts(compiled('c(?=a)'), short), scanTexts(compiled('b c'), short)]).then(note('short'))
    await Promise.all([long, second])
    expect(order[0]).toBe('short')
    expect(order).toHaveLength(3)
  })
})
