import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readInline } from '../../src/markdown/inline/read-inline.ts'
import { normalizeText } from '../../src/markdown/inline-text.ts'
import { findTags, isWrittenTag, tagKey, tagWithAncestors } from '../../src/markdown/tags.ts'
import { runs } from '../support/runs.ts'

const tagsOf = (markdown: string): string[] =>
  [...findTags(readInline(markdown)).values()].flat().map(({ name }) => name)

describe('tags in text', () => {
  test.each([
    ['#one at the start, and #two', ['one', 'two']],
    ['nested #project/alpha/x', ['project/alpha/x']],
    ['**#bold** and ==#marked==', ['bold', 'marked']],
    ['after a line\n#next, or a break<br>#too', ['next', 'too']],
    ['punctuation ends it: #a, #b. #c! #d; #e) #f"', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['#2026-goals #v2 #x_y-z', ['2026-goals', 'v2', 'x_y-z']],
    [
      '#日本語 #Ünïcode #नमस्ते #مدرسة #שלום #한국어 #ไทย #می‌خواهم',
      ['日本語', 'Ünïcode', 'नमस्ते', 'مدرسة', 'שלום', '한국어', 'ไทย', 'می‌خواهم'],
    ],
    ['#🚀launch', ['🚀launch']],
    ['#a/ #a//b', ['a', 'a']],
  ])('%s', (markdown, expected) => {
    expect(tagsOf(markdown)).toEqual(expected)
  })

  test.each([
    ['`#code`'],
    ['$#formula$'],
    ['[#label](https://example.org/#fragment)'],
    ['<https://example.org/#fragment> and https://example.org/#fragment'],
    ['![#alt](https://example.org/a.png)'],
    ['a#b, (#c), /#d, "#e'],
    ['**a**#b [c](u)#d `e`#f'],
    ['#1 #2026 #_ #- #🚀'],
    ['##twice # apart'],
    [`#${'a'.repeat(101)}`],
  ])('none in %s', (markdown) => {
    expect(tagsOf(markdown)).toEqual([])
  })

  test('the canonical text keeps them as they are written', () => {
    const tag = fc
      .stringMatching(/^[\p{L}\p{N}-]{1,8}(_[\p{L}\p{N}]{1,4})?(\/[\p{L}\p{N}-]{1,8}){0,2}$/u)
      .filter(isWrittenTag)
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1, maxLength: 4 }), (names) => {
        const text = names.map((name) => `word #${name}`).join(' ')
        expect(normalizeText(text)).toBe(text)
        expect(tagsOf(text)).toEqual(names)
      }),
      { numRuns: runs(200, 5_000) },
    )
  })

  test('upper and lower case are one tag, and a tag is found by those that contain it', () => {
    expect(tagKey('Über')).toBe(tagKey('u\u0308BER'))
    expect(tagKey('schön')).not.toBe(tagKey('schon'))
    expect(tagWithAncestors('a/b/c')).toEqual(['a', 'a/b', 'a/b/c'])
  })
})
