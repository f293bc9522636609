/** Scans of many texts do not block the event loop. Their results are tested in scan.test.ts. */
import { describe, expect, test } from 'vitest'
import { compilePattern, type Pattern } from '../../src/regex/pattern.ts'
import { scanTexts } from '../../src/space/search/pattern-scan.ts'
import { LONGEST_PAUSE, longestPause } from '../support/pauses.ts'
import { letters } from './letters.ts'

const compiled = (source: string) => compilePattern(source, { caseSensitive: true })

/** Processes several hundred steps of [ab]{500} at each character, without and with a lookahead. */
const PLAIN = compiled('[ab]*a[ab]{500}c')
const HOSTILE = compiled('[ab]*a[ab]{500}c(?!d)')

describe('a scan does not block', () => {
  // Threads, Unicode tables and compiled code are created once, and must not be part of the measurement.
  const warm = (pattern: Pattern) => scanTexts(pattern, Array(2_000).fill('ab '.repeat(60)), 10).catch(() => [])

  test('a hostile pattern never blocks the event loop, and ends with an error', { timeout: 30_000 }, async () => {
    const short = Array.from({ length: 500 }, (_, seed) => `${letters('ab', 190, seed)}c`)
    const long = Buffer.from(`${letters('ab', 1_000_000)}c`.repeat(12)).toString()
    const texts = [...short, long, 'last']
    await warm(HOSTILE)
    await warm(PLAIN)
    expect(await longestPause(() => scanTexts(HOSTILE, short))).toBeLessThan(LONGEST_PAUSE)
    const pause = await longestPause(() =>
      expect(scanTexts(PLAIN, texts)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message:
          'Expected a pattern that is searched for within 5 seconds, found one that takes longer: 500 of 502 texts were searched; search in fewer of them, or use shorter repetitions.',
      }),
    )
    expect(pause).toBeLessThan(LONGEST_PAUSE)
  })

  const COSTLY: readonly [source: string, text: string][] = [
    ['(?:a?){300}a{300}', letters('aaaaaaaaab', 1_000_000)],
    ['(a|a)*[bd]', 'a'.repeat(1_000_000)],
    ['(a+)+$', `${'a'.repeat(1_000_000)}b`],
    ['((a{0,10}){0,10}){0,10}[bd]', letters('aaac', 1_000_000)],
    ['([ab]*a[ab]{12}|b)+[cd]', letters('ab', 1_000_000)],
    ['a(.*b)?', 'a'.repeat(100_000)],
    ['\\pL{900}'.repeat(9), letters('aβ9', 1_000_000)],
    [`(?i)${'[a-😀]'.repeat(160)}`, letters('ab', 100_000)],
  ]

  test.each(COSTLY)('%s never blocks it, in long and short texts', async (source, text) => {
    await warm(compiled(source))
    for (const length of [text.length, 3_000, 200]) {
      const texts = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
        text.slice(index * length).slice(0, length),
      )
      // On long texts, the pattern that reads far beyond its matches is refused.
      const scan = () =>
        scanTexts(compiled(source), texts, 10).catch((error) => expect(error.code).toBe('VALIDATION_ERROR'))
      expect(await longestPause(scan)).toBeLessThan(LONGEST_PAUSE)
    }
  })

  test('many texts with many matches never block it either', async () => {
    const texts = Array.from({ length: 100_000 }, () => letters('abcdefgh ', 40))
    await warm(compiled('[a-h]+(?= )'))
    const pause = await longestPause(() => scanTexts(compiled('[a-h]+(?= )'), texts))
    expect(pause).toBeLessThan(LONGEST_PAUSE)
  })
})
