/** Merging word by word: what both sides changed is kept, and only changes of the same words are a conflict. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeTexts } from '../../src/difference/merge-texts.ts'
import { PairCount } from '../../src/difference/pair-count.ts'

const BASE = 'The quick brown fox jumps over the lazy dog.'
const merge = (mine: string, theirs: string, base = BASE) => mergeTexts(base, mine, theirs)

describe('both changes are kept', () => {
  test.each([
    [
      'at opposite ends',
      'The very quick brown fox jumps over the lazy dog.',
      'The quick brown fox jumps over the lazy cat.',
      'The very quick brown fox jumps over the lazy cat.',
    ],
    [
      'in adjacent words',
      'The slow brown fox jumps over the lazy dog.',
      'The quick red fox jumps over the lazy dog.',
      'The slow red fox jumps over the lazy dog.',
    ],
    [
      'behind the same word',
      'The quick brown fox jumps over the lazy dog. Mine.',
      'The quick brown fox jumps over the lazy dog. Theirs.',
      'The quick brown fox jumps over the lazy dog. Theirs. Mine.',
    ],
    [
      'a sign beside a changed word',
      'The quick brown fox jumps over the lazy dogs.',
      'The quick brown fox jumps over the lazy dog!',
      'The quick brown fox jumps over the lazy dogs!',
    ],
    [
      'the same change, and another',
      'A quick brown fox jumps over the lazy cat.',
      'A quick brown fox jumps over the lazy dog.',
      'A quick brown fox jumps over the lazy cat.',
    ],
    [
      'marks around a changed word',
      'The **quick brown** fox jumps over the lazy dog.',
      'The quick brown fox leaps over the lazy dog.',
      'The **quick brown** fox leaps over the lazy dog.',
    ],
    [
      'marks around the last word, and words behind it',
      'The quick brown fox jumps over the lazy **dog**.',
      'The quick brown fox jumps over the lazy dog at noon.',
      'The quick brown fox jumps over the lazy **dog** at noon.',
    ],
    [
      'a link around the first word, and words before it',
      '[The](https://example.org) quick brown fox jumps over the lazy dog.',
      'Now The quick brown fox jumps over the lazy dog.',
      'Now [The](https://example.org) quick brown fox jumps over the lazy dog.',
    ],
    [
      'another kind of block',
      '# The quick brown fox jumps over the lazy dog.',
      'The quick brown fox jumps over the lazy cat.',
      '# The quick brown fox jumps over the lazy cat.',
    ],
    [
      'a paragraph that was divided',
      'The quick brown fox\n\njumps over the lazy dog.',
      'The quick brown fox jumps over the lazy cat.',
      'The quick brown fox\n\njumps over the lazy cat.',
    ],
    [
      'words that both removed in part',
      'The fox jumps over the lazy dog.',
      'The quick jumps over the lazy dog.',
      'The jumps over the lazy dog.',
    ],
  ])('%s', (_, mine, theirs, merged) => {
    expect(merge(mine, theirs)).toBe(merged)
  })

  test('one after the other, if the text was empty', () => {
    expect(merge('Mine', 'Theirs', '')).toBe('Theirs Mine')
    expect(merge('Mine, and more.', 'Theirs.', '')).toBe('Theirs. Mine, and more.')
  })
  test('marks up to the end of a text, and words behind it', () => {
    for (const marked of ['**two**', '*two*', '~~two~~', '==two==', '`two`', '<u>two</u>', '[two](https://a.org/)']) {
      expect(merge(`one ${marked}`, 'one two three', 'one two')).toBe(`one ${marked} three`)
      expect(merge('one two three', `one ${marked}`, 'one two')).toBe(`one ${marked} three`)
    }
    expect(merge('**one** two', 'zero one two', 'one two')).toBe('zero **one** two')
    expect(merge('one **two**', 'one two.', 'one two')).toBe('one **two**.')
  })
  test('in languages without spaces between words', () => {
    expect(mergeTexts('今日は天気がいい', '明日は天気がいい', '今日は天気が悪い')).toBe('明日は天気が悪い')
  })
  test('in cells of a table', () => {
    const table = (one: string, other: string) => `| A | B |\n| --- | --- |\n| ${one} | ${other} |`
    expect(mergeTexts(table('1', '2'), table('7', '2'), table('1', '9'))).toBe(table('7', '9'))
  })
})

describe('nothing is guessed', () => {
  test.each([
    ['the same word', 'The quick brown fox leaps over the lazy dog.', 'The quick brown fox hops over the lazy dog.'],
    ['the same word, in Cyrillic', 'Быстрая лисица', 'Быстрый лис', 'Быстрая лиса'],
    [
      'a word that the other side removed',
      'The quick brown fox over the lazy dog.',
      'The quick brown fox leaps over the lazy dog.',
    ],
    ['a number', 'Costs 13.50 now', 'Costs 12.75 now', 'Costs 12.50 now'],
    ['a date', 'On 2026-12-28', 'On 2026-11-29', 'On 2026-11-28'],
    ['an address', '[a](https://a.org/x)', '[a](https://b.org/y)', '[a](https://a.org/y)'],
    ['two kinds of block', '# Title', '- Title', 'Title'],
    ['two marks of the same words', 'one **two**', 'one *two*', 'one two'],
    ['a mark within words, and words at the same place', '今**日は**', '今も日は', '今日は'],
    ['two lists', '1. Title', '2. Title', 'Title'],
    ['another kind of block in an empty text', '# Mine', 'Theirs', ''],
    ['a table in an empty text', '| A |\n| --- |', 'Theirs', ''],
  ])('%s', (_, mine, theirs, base = BASE) => {
    expect(merge(mine, theirs, base)).toBeUndefined()
  })

  test('when too many words would have to be compared', () => {
    expect(mergeTexts('a b c d', 'x b c d', 'a b c y', new PairCount(3))).toBeUndefined()
    expect(mergeTexts('a b c d', 'x b c d', 'a b c y')).toBe('x b c y')
  })
})

describe('laws', () => {
  const words = fc.array(
    fc.constantFrom<string>('one', 'two', 'three', 'four', '**bold**', '今日', 'a_b', '1.5', '\n'),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  /** A list of words, and two lists that were made from it, with new words that each side alone has. */
  const versions = words.chain((base) => {
    const side = (name: string) =>
      fc
        .array(fc.record({ at: fc.nat(base.length), remove: fc.nat(2), put: fc.array(fc.nat(9), { maxLength: 2 }) }), {
          maxLength: 3,
        })
        .map((edits) => {
          const changed = [...base]
          for (const { at, remove, put } of edits) {
            changed.splice(at, remove, ...put.map((number) => `${name}${number}`))
          }
          return changed.join(' ')
        })
    return fc.record({ base: fc.constant(base.join(' ')), mine: side('M'), theirs: side('T') })
  })
  const newWords = (text: string) => text.match(/[MT]\d/g) ?? []

  test('no new word is lost, and none is doubled', () => {
    fc.assert(
      fc.property(versions, ({ base, mine, theirs }) => {
        const merged = mergeTexts(base, mine, theirs)
        if (merged === undefined) return
        expect(newWords(merged).sort()).toEqual([...newWords(mine), ...newWords(theirs)].sort())
      }),
    )
  })
  test('the one side alone is taken as it is', () => {
    fc.assert(
      fc.property(versions, ({ base, mine }) => {
        expect(mergeTexts(base, mine, base)).toBe(mine)
        expect(mergeTexts(base, base, mine)).toBe(mine)
        expect(mergeTexts(base, mine, mine)).toBe(mine)
      }),
    )
  })
  test('both sides agree on whether it is a conflict', () => {
    fc.assert(
      fc.property(versions, ({ base, mine, theirs }) => {
        expect(mergeTexts(base, mine, theirs) === undefined).toBe(mergeTexts(base, theirs, mine) === undefined)
      }),
    )
  })
})

test('the first letters of a word are not what was sent twice', () => {
  expect(mergeTexts('one', 'one p', 'one pier')).toBe('one pier p')
  expect(mergeTexts('one', 'one pier', 'one pier and more')).toBe('one pier and more')
})
