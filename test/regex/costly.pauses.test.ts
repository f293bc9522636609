/** Patterns on which backtracking engines take forever. Here the time grows linearly with the text. */
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../src/space/search/compile-pattern.ts'
import { letters } from './letters.ts'

const MEGABYTE = 1_000_000
/** The ratio of the lengths of the long and the short text. */
const LONGER = 4
/** Between the ratio of linear time, 4, and that of quadratic time, 16. */
const MOST = 8
/**
 * In milliseconds. The processor time of a thread is measured in ticks of four, so that something short may take none.
 */
const GRAIN = 20

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

const compiled = (source: string): Tester => compilePattern(source, { caseSensitive: true })

describe('the time of a pattern is proportional to the text', () => {
  test.each(COSTLY)('%s', (source, text) => {
    const pattern = compiled(source)
    const { short, long } = times(pattern, text(MEGABYTE / LONGER), text(MEGABYTE))
    expect(long).toBeLessThan(1_000)
    expect(long).toBeLessThan(MOST * short + GRAIN)
  })

  test('hundreds of steps at each character, too many to cache', () => {
    const text = (length: number) => `c${letters('ab', length)}`
    const { short, long } = times(compiled('[ab]*a[ab]{500}c'), text(10_000), text(10_000 * LONGER))
    expect(long).toBeLessThan(MOST * short + GRAIN)
  })
})

/** The minimum of several rounds, since other load on the machine only increases a time. */
function times(pattern: Tester, short: string, long: string): { short: number; long: number } {
  pattern.test(short)
  const turns = [1, 2, 3].map(() => [timeOf(() => pattern.test(short)), timeOf(() => pattern.test(long))] as const)
  return { short: Math.min(...turns.map(([time]) => time)), long: Math.min(...turns.map(([, time]) => time)) }
}

/** Returns the milliseconds of this thread's processor time. */
function timeOf(work: () => unknown): number {
  const from = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1_000
}
