/** The meaning of patterns: that of RE2, where engines differ. */
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../src/regex/pattern.ts'

function matched(source: string, text: string, caseSensitive = true): string[] {
  const spans = compilePattern(source, { caseSensitive }).spans(text)
  return spans.map(({ from, to }) => text.slice(from, to))
}

describe('matches', () => {
  test.each<[source: string, text: string, matches: string[]]>([
    // Classes contain only ASCII characters, unless they name Unicode classes.
    ['\\s+', 'a\t \f\r\nb\v\u00a0\u2028', ['\t \f\r\n']],
    ['\\w+', 'naïve_1', ['na', 've_1']],
    ['\\d', '٣4', ['4']],
    ['\\pL+', 'naïve 1', ['naïve']],
    ['\\p{Greek}+', 'abc αβγ', ['αβγ']],
    ['\\PL+', 'aé1!b', ['1!']],
    ['\\p{^L}+', 'aé1!b', ['1!']],
    ['\\pN', 'a٣', ['٣']],
    ['[[:alpha:]]+', 'añb1', ['a', 'b']],
    ['[^[:alpha:]\\d]+', 'a1-+b', ['-+']],
    // Any character except a line feed.
    ['.+', 'a\r\u2028b\nc', ['a\r\u2028b', 'c']],
    ['(?s).+', 'a\nb', ['a\nb']],
    // Anchors match at the ends of the text, or of its lines with the flag m. Only line feeds end lines.
    ['^a|a$', 'a\na', ['a', 'a']],
    ['^b', 'a\nb', []],
    ['a$', 'a\nb', []],
    ['(?m)^\\w$', 'a\nb\r\nc', ['a', 'c']],
    ['(?m)^\\w|\\w$', 'abc\nde', ['a', 'c', 'd', 'e']],
    ['\\Aa|a\\z', 'aaa', ['a', 'a']],
    ['(?m)\\Aa', 'b\na', []],
    ['\\bfoo\\b', 'foo foot éfoo', ['foo', 'foo']],
    ['\\Boo', 'foo oo', ['oo']],
    ['\\b\\w\\b', '`a z{/0 9:@A Z[_ é1', ['a', 'z', '0', '9', 'A', 'Z', '_', '1']],
    ['\\b[`{/:@[^]\\b', 'a`a{a/a:a@a[a^a', ['`', '{', '/', ':', '@', '[', '^']],
    // The first alternative that matches, lazy and greedy repetitions.
    ['a|ab', 'ab', ['a']],
    ['a+?', 'aa', ['a', 'a']],
    ['a{2,3}', 'aaaaa', ['aaa', 'aa']],
    ['a{2,3}?', 'aaaaa', ['aa', 'aa']],
    ['(?U)a+', 'aa', ['a', 'a']],
    ['(?U)a+?', 'aa', ['aa']],
    ['a{,2}', 'a{,2}', ['a{,2}']],
    // The first path that reaches a position decides, even if it consumed nothing: a second one is not tried.
    ['(?:^|^a)+', 'a', ['']],
    ['(?:^|^a)*a', 'aa', ['a', 'a']],
    ['(?:(?=a)|(?=a)a)+', 'aa', ['', '']],
    // A repetition of something that can match nothing ends if an iteration consumed nothing.
    ['(|a)*', 'aa', ['', '', '']],
    ['(|a)+', 'aa', ['', '', '']],
    ['(a|)*b', 'aab', ['aab']],
    // Escapes and characters of all kinds.
    ['\\Q.*\\E+', 'a.**', ['.**']],
    ['\\Q.\\E.', '.a', ['.a']],
    ['\\x41\\x{1F600}\\101', 'A😀A', ['A😀A']],
    ['[\\]\\-x]+', 'a]-x', [']-x']],
    ['[😀-🙏]', 'a😃', ['😃']],
    ['.', '😀', ['😀']],
    ['[^a]', '\ud83d', ['\ud83d']],
    ['\ude00', '😀', []],
    // Flags are valid until the end of their group.
    ['(?i)a(?-i)b', 'Ab AB', ['Ab']],
    ['(?i:a)b', 'Ab AB', ['Ab']],
    ['(a(?i)b)c', 'aBc aBC', ['aBc']],
    // Lookarounds.
    ['foo(?=bar)', 'foobar foo', ['foo']],
    ['foo(?!bar)', 'foobar foo', ['foo']],
    ['(?<=\\$)\\d+', '$12 13', ['12']],
    ['(?<!un)known', 'unknown known', ['known']],
    ['(?<=a|bc)d', 'ad bcd cd', ['d', 'd']],
    ['(?=.*\\d)(?=.*[a-z])\\w{4,}', 'ABCD ab12', ['ABCD', 'ab12']],
    ['(?<=(?<!x)a)b', 'ab xab', ['b']],
    ['a(?!b(?!c))', 'ab abc', ['a']],
    ['(?<=😀)a', 'a😀a', ['a']],
    ['a(?=😀)', 'a😀a🎉', ['a']],
    ['(?<=b.)a', 'b😀a', ['a']],
    ['a(?=.b)', 'a😀b', ['a']],
    ['(?<=\ud83d)a', '\ud83da😀a', ['a']],
    ['a(?=\ude00)', 'a\ude00a😀', ['a']],
    ['(?<=(?<=x)a)b', 'xabab', ['b']],
    ['a(?=b(?=x))', 'abxab', ['a']],
    ['(?m)(?<=^- )\\w+$', '- a\n- b\nc', ['a', 'b']],
  ])('%s in %j', (source, text, matches) => expect(matched(source, text)).toEqual(matches))

  test('case matters unless it is ignored', () => {
    expect(matched('straße', 'STRAẞE Straße STRASSE', false)).toEqual(['STRAẞE', 'Straße'])
    expect(matched('[k-l]', 'K\u212aL', false)).toEqual(['K', '\u212a', 'L'])
    expect(matched('[^k]', 'k\u212a', false)).toEqual([])
    expect(matched('σ', 'ΣΣς', false)).toEqual(['Σ', 'Σ', 'ς'])
    expect(matched('i', 'Iıİ', false)).toEqual(['I'])
    expect(matched('(?-i)a', 'aA', false)).toEqual(['a'])
  })
})

describe('positions', () => {
  test('are UTF-16 offsets, also after astral characters', () => {
    const pattern = compilePattern('b+', { caseSensitive: true })
    expect(pattern.spans('😀b🎉bb')).toEqual([
      { from: 2, to: 3 },
      { from: 5, to: 7 },
    ])
  })

  test('empty matches advance by a whole character, and are at most as many as requested', () => {
    const empty = compilePattern('', { caseSensitive: true })
    expect(empty.spans('a😀').map(({ from }) => from)).toEqual([0, 1, 3])
    expect(empty.spans('a😀', 2)).toHaveLength(2)
    expect(empty.spans('a', 0)).toEqual([])
  })

  test('groups of the first match are undefined if they took no part', () => {
    const groups = (source: string, text: string) => compilePattern(source, { caseSensitive: true }).exec(text)
    expect(groups('(?P<year>\\d+)-(\\d+)|(x)', 'on 2024-05')).toEqual([
      { from: 3, to: 10 },
      { from: 3, to: 7 },
      { from: 8, to: 10 },
      undefined,
    ])
    expect(groups('(a)|b', 'c')).toBeUndefined()
    expect(groups('(a)|(b)', 'b')).toEqual([{ from: 0, to: 1 }, undefined, { from: 0, to: 1 }])
    expect(groups('()(a)?', '')).toEqual([{ from: 0, to: 0 }, { from: 0, to: 0 }, undefined])
    // A lookaround only tests a position, so its groups are not kept.
    expect(groups('(?=(a))a', 'a')).toEqual([{ from: 0, to: 1 }, undefined])
  })
})

test('the allowed length of a pattern depends on its steps, including lookarounds', () => {
  const steps = (source: string) => compilePattern(source, { caseSensitive: true }).steps
  // One step for each character, one for the end, and two that advance to the next position.
  expect(steps('ab')).toBe(2 + 3)
  expect(steps('a{10}')).toBe(10 + 3)
  // The lookaround is one step, and also a program of its own.
  expect(steps('ab(?=cde)')).toBe(2 + 1 + 3 + (3 + 3))
  expect(steps('(?<!a)b(?=cde)')).toBe(1 + 1 + 1 + 3 + (1 + 3) + (3 + 3))
})
