/** What an automaton caches and evicts: each transition is computed once, and the cache has limits. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Automaton, type CacheLimits } from '../../src/regex/automaton.ts'
import { Engine } from '../../src/regex/engine.ts'
import { parsePattern } from '../../src/regex/pattern-parser.ts'
import { chance } from '../prove/proof.ts'

const engine = (source: string, room?: CacheLimits) => new Engine(parsePattern(source, { caseSensitive: true }), room)

/** Counts the transitions computed during the work, and the size of the largest table of an automaton. */
function made(work: () => unknown): { moves: number; table: number } {
  const move = vi.mocked(Automaton.prototype.move)
  move.mockClear()
  work()
  const automata = new Set(move.mock.contexts as Automaton[])
  return { moves: move.mock.calls.length, table: Math.max(0, ...[...automata].map((one) => one.moves.length)) }
}

/**
 * A random text of a and b. With `[ab]*a[ab]{n}`, which must know the last n characters, almost every character leads
 * to a new state.
 */
function tangled(length: number): string {
  const next = chance(7)
  return Array.from({ length }, () => (next() < 0.5 ? 'a' : 'b')).join('')
}

beforeEach(() => void vi.spyOn(Automaton.prototype, 'move'))
afterEach(() => void vi.restoreAllMocks())

describe('a transition is computed', () => {
  test('once for each state and character', () => {
    const words = engine('\\w+\\d')
    // From the start to a word, from letter to letter, and to the end of the text.
    expect(made(() => words.test('aaaa')).moves).toBe(3)
    expect(made(() => words.test('aaaaaaaa')).moves).toBe(0)
    // With the digit, and to the match.
    expect(made(() => words.test('aa1')).moves).toBe(2)
    // Backward from the end: the digit, two letters, and the start of the text.
    expect(made(() => words.spans('aa1', 1)).moves).toBe(4)
    expect(made(() => words.spans('aa1', 1)).moves).toBe(0)
  })

  test('once for steps reached in another order, if all of them count', () => {
    const looking = engine('[ab](?=[ab]*b|ba*)')
    expect(made(() => looking.spans(tangled(300), Infinity)).moves).toBe(16)
  })
})

describe('the cache', () => {
  /** In `^\w{60}\d` each letter leads to a new state of two steps. There is also a state for the start of the text. */
  const fits = (letters: number, room: CacheLimits) => {
    const chain = engine('^\\w{60}\\d', room)
    const text = 'a'.repeat(letters)
    made(() => chain.test(text))
    return made(() => chain.test(text)).moves === 0
  }

  test('keeps at least a number of states', () => {
    const room = { moves: 0, states: 16, steps: 1_000_000, unkept: 0 }
    expect([fits(14, room), fits(15, room)]).toEqual([true, false])
  })

  test('keeps states with a number of transitions', () => {
    // With its four classes and the end of the text, a state has five transitions. Two rows belong to no state.
    const room = { moves: 20 * 5, states: 0, steps: 1_000_000, unkept: 0 }
    expect([fits(17, room), fits(18, room)]).toEqual([true, false])
  })

  test('keeps states with a number of steps', () => {
    const room = { moves: 1_000_000, states: 16, steps: 20, unkept: 0 }
    expect([fits(10, room), fits(11, room)]).toEqual([true, false])
  })

  test('uses at most 2 MB, for a pattern with unlimited states', () => {
    const endless = engine('[ab]*a[ab]{16}\\d')
    const { table } = made(() => endless.test(tangled(150_000)))
    expect(table).toBeGreaterThan(2 ** 16)
    expect(table * 4).toBeLessThanOrEqual(2 * 2 ** 20)
  })
})

describe('after the cache was cleared', () => {
  const UNKEPT = 10
  const room = { moves: 0, states: 16, steps: 1_000_000, unkept: UNKEPT }

  /**
   * Counts the transitions computed for a text of runs, given as letters with their lengths. The pattern must accept
   * each run.
   */
  function movesFor(source: string, ...runs: [letter: string, times: number][]): number {
    const pattern = engine(source, room)
    return made(() => pattern.test(runs.map(([letter, times]) => letter.repeat(times)).join(''))).moves
  }
  const once = (between: number) => movesFor('^a{5}c*a{10}b*\\d', ['a', 5], ['c', between], ['a', 10], ['b', 50])
  const KEPT = 18
  /** One transition for each character that is processed without caching, and one back to a cached state. */
  const AGAIN = UNKEPT + 1

  test('at less than four characters per state nothing is cached for a while', () => {
    // The cache is evicted at character 14 + `between`, when it has 17 rows.
    expect(once(17 * 4 - 14 - 1)).toBe(KEPT + AGAIN)
    expect(once(17 * 4 - 14)).toBe(KEPT)
  })

  test('and again the next time, from where it was cleared', () => {
    const twice = (between: number) =>
      movesFor('^a{5}c*a{10}b*a{16}c*\\d', ['a', 5], ['c', 100], ['a', 10], ['b', between], ['a', 16], ['c', 100])
    // The new letter is processed without caching, and so are the nine after it.
    expect(twice(17 * 4 - 15 - 1)).toBe(twice(17 * 4 - 15) + UNKEPT)
  })

  test('more characters are needed if a state has many transitions', () => {
    // Each of the 220 letters is a class of its own. With the other classes and the end of the text, a state has 229
    // transitions, and one character is required for 32 of them.
    const letters = Array.from({ length: 220 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('1|')
    const wide = (between: number) =>
      movesFor(`^a{5}c*a{10}b*(?:${letters})\\d`, ['a', 5], ['c', between], ['a', 10], ['b', 50])
    const enough = Math.ceil((17 * 229) / 32)
    expect([wide(enough - 14 - 1), wide(enough - 14)]).toEqual([KEPT + AGAIN, KEPT])
  })
})
