/** Patterns on which engines that backtrack take for ever: here the time grows with the text, and with nothing else. */
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../src/pattern/pattern.ts'
import { median } from '../bench/figure.ts'
import { letters } from './letters.ts'
import { ownEngine } from './own.ts'

const MEGABYTE = 1_000_000

const COSTLY: readonly [source: string, text: (length: number) => string][] = [
  ['(a+)+$', (length) => `${'a'.repeat(length)}b`],
  ['(a|a)*b', (length) => `b${'c'.repeat(length)}`],
  ['(a|aa)+$', (length) => `${'a'.repeat(length)}!`],
  ['(?:a?){300}a{300}', (length) => letters('aaaaaaaaab', length)],
  ['([a-z]+)*\\d$', (length) => `${letters('abc', length)}x`],
  ['(.*)(.*)(.*)(.*)[^a]$', (length) => 'a'.repeat(length)],
  ['(x+x+)+y', (length) => `y${'x'.repeat(length)}`],
  ['(?=(a+)+$)b', (length) => `${'a'.repeat(length)}b`],
  ['(?=.*(?!(a|a)*c))(?<!aab)(a*)*d', (length) => `d${letters('ab', length)}`],
  ['(?<![ab]{20})[ab]+(?=(a|b)*c)', (length) => letters('ab', length)],
]

interface Tester {
  test(text: string): boolean
}

/** Those without lookarounds run on re2js; the engine that runs the others is asked for them too. */
const MACHINES: readonly [name: string, (source: string) => Tester][] = [
  ['a pattern', (source) => compilePattern(source, { caseSensitive: true })],
  ['the engine', (source) => ownEngine(source, true)],
]

describe.each(MACHINES)('the time of %s is in proportion to the text', (_, compiled) => {
  test.each(COSTLY)('%s', (source, text) => {
    const [one, two] = [text(MEGABYTE), text(2 * MEGABYTE)]
    const pattern = compiled(source)
    pattern.test(one)
    const rounds = Array.from({ length: 5 }, () => [timeOf(() => pattern.test(one)), timeOf(() => pattern.test(two))])
    const first = median(rounds.map(([time = 0]) => time))
    const second = median(rounds.map(([, time = 0]) => time))
    expect(first).toBeLessThan(1_000)
    // What is over in a moment is measured with a grain.
    expect(second).toBeLessThan(2.6 * first + 5)
  })

  test('steps by the hundred at each character, too many to keep', () => {
    const pattern = compiled('[ab]*a[ab]{500}c')
    const times = [20_000, 40_000].map((length) => {
      const text = `c${letters('ab', length)}`
      return median(Array.from({ length: 3 }, () => timeOf(() => pattern.test(text))))
    })
    const [first = 0, second = 0] = times
    expect(second).toBeLessThan(2.6 * first + 5)
  })
})

/** Milliseconds of this thread's own processor time. */
function timeOf(work: () => unknown): number {
  const from = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1_000
}

describe('what is read beyond matches', () => {
  test('is read again for few of them', () => {
    const pattern = compilePattern('a(.*b)?', { caseSensitive: true })
    expect(pattern.spans('a'.repeat(1_000))).toHaveLength(1_000)
    expect(pattern.spans('a'.repeat(MEGABYTE), 10)).toHaveLength(10)
  })

  test('is a fault where it is too much', () => {
    const pattern = compilePattern('a(.*b)?', { caseSensitive: true })
    expect(() => pattern.spans('a'.repeat(MEGABYTE))).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message:
          'Expected a pattern whose matches end where they are told, found one that reads far beyond each of them: 18 matches were found; ask for fewer, or leave out what may follow a match.',
      }),
    )
  })
})
