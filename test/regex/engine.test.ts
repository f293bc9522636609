/**
 * The engine over several texts: the number of matches, how far it reads, and that no state is left from the text
 * before.
 */
import { describe, expect, test } from 'vitest'
import { ownEngine } from './own.ts'

const engine = (source: string) => ownEngine(source, true)

describe('matches of a text', () => {
  test('are at most as many as requested', () => {
    expect([0, 1, 2, 3, 4].map((most) => engine('a').spans('aaa', most).length)).toEqual([0, 1, 2, 3, 3])
    expect(engine('(?=a)').spans('aaa', 0)).toEqual([])
  })

  test('that are empty advance by one character, also by the last of the first 65,536', () => {
    const places = (text: string) =>
      engine('')
        .spans(text, Infinity)
        .map(({ from }) => from)
    expect([places('\uffffa'), places('\u{10000}a'), places('\u{10ffff}')]).toEqual([
      [0, 1, 2],
      [0, 2, 3],
      [0, 2],
    ])
  })
})

describe('reading beyond matches', () => {
  // Each a is a match, after which the rest of the text is read to check for a b.
  const pattern = 'a(.*b)?'
  const characters = (letters: number) => (letters * (letters - 1)) / 2
  const allowed = (letters: number) => 1_000_000 + 16 * letters

  test('may take up to a million characters, plus sixteen for each', () => {
    const letters = 1_430
    expect(characters(letters)).toBeLessThan(allowed(letters))
    expect(engine(pattern).spans('a'.repeat(letters), Infinity)).toHaveLength(letters)
  })

  test('ends there', () => {
    const letters = 1_431
    expect(characters(letters)).toBeGreaterThan(allowed(letters))
    expect(() => engine(pattern).spans('a'.repeat(letters), Infinity)).toThrow(
      'Expected a pattern that does not look far beyond its matches, found one that reads far beyond each of them: 1,408 matches were found; ask for fewer, or leave out what may follow a match.',
    )
  })

  test('counts only what follows a match', () => {
    // A match of a whole long text reads nothing beyond it.
    expect(engine('[ab]*').spans('ab'.repeat(1_000_000), Infinity)).toHaveLength(2)
  })
})

describe('lookarounds', () => {
  test('apply to the current text, however long earlier ones were', () => {
    const same = engine('a(?=b)|(?<=b)c')
    const texts = [10, 1_022, 1_023, 1_024, 1_025, 5_000, 5_001, 3, 10_002, 1_024].map((length, index) =>
      (index % 2 === 0 ? 'abc' : 'acb').repeat(length).slice(0, length),
    )
    for (const text of texts) {
      expect(same.spans(text, Infinity)).toEqual(engine('a(?=b)|(?<=b)c').spans(text, Infinity))
      const expected = [...text.matchAll(/a(?=b)|(?<=b)c/g)].map(({ index }) => ({ from: index, to: index + 1 }))
      expect(same.spans(text, Infinity)).toEqual(expected)
    }
  })
})
