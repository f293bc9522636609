/** The full messages for invalid patterns. */
import { describe, expect, test } from 'vitest'
import { compilePattern } from '../../src/space/search/compile-pattern.ts'

function faultOf(source: string): unknown {
  try {
    return compilePattern(source, { caseSensitive: true })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code === 'INVALID_REGEX_ERROR' ? message : error
  }
}

/** A pattern, and its message on the line below. */
const FAULTS = String.raw`
(a)\1
  Expected a pattern without backreferences, found \1 at character 4; write out what it repeats, or search with two patterns.
\8
  Expected a pattern without backreferences, found \8 at character 1; write out what it repeats, or search with two patterns.
(?<n>a)\k<n>
  Expected a pattern without backreferences, found \k<n> at character 8; write out what it repeats, or search with two patterns.
(?P<n>a)(?P=n)
  Expected a pattern without backreferences, found (?P=n) at character 9; write out what it repeats, or search with two patterns.
a++
  Expected a repetition without a + after it, found the possessive ++ at character 2; leave the + out: no pattern backtracks here.
a{2}+
  Expected a repetition without a + after it, found the possessive {2}+ at character 2; leave the + out: no pattern backtracks here.
a??+
  Expected a repetition without a + after it, found the possessive ??+ at character 2; leave the + out: no pattern backtracks here.
(?>a)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found the atomic group (?> at character 1; write (?: in place of it: no pattern backtracks here.
(a)?(?(1)b|c)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found the conditional (?( at character 5; write both cases as alternatives.
(?R)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found a recursion at character 1; write out what it repeats.
(?P>n)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found a recursion at character 1; write out what it repeats.
(?<=a+)b
  Expected a lookbehind of fixed width, found (?<=a+) at character 1; give its repetitions one count, such as {2}, or match the text before it as part of the pattern.
(?<!a|bc*)d
  Expected a lookbehind of fixed width, found (?<!a|bc*) at character 1; give its repetitions one count, such as {2}, or match the text before it as part of the pattern.
(?<=(a|bc))d
  Expected a lookbehind of fixed width, found (?<=(a|bc)) at character 1; give its repetitions one count, such as {2}, or match the text before it as part of the pattern.
a{1001}
  Expected at most 1,000 repetitions, found {1001} at character 2; lower the counts, or use * or +.
a{2,1001}
  Expected at most 1,000 repetitions, found {2,1001} at character 2; lower the counts, or use * or +.
((a{0,100}){0,100}){0,100}
  Expected repetitions inside repetitions that make at most 1,000, found 10,000 at character 12; lower the counts, or use * or +.
(a{30}){40}
  Expected repetitions inside repetitions that make at most 1,000, found 1,200 at character 3; lower the counts, or use * or +.
(a
  Expected a ) for each (, found a ( that is never closed at character 1; close it, or write \(.
(?=a
  Expected a ) for each (, found a ( that is never closed at character 1; close it, or write \(.
😀(
  Expected a ) for each (, found a ( that is never closed at character 2; close it, or write \(.
a)
  Expected each ) to close a (, found one that closes none at character 2; leave it out, or write \).
[a
  Expected ] at the end of the class, found a [ that is never closed at character 1; close it, or write \[.
[]
  Expected ] at the end of the class, found a [ that is never closed at character 1; close it, or write \[.
[^]
  Expected ] at the end of the class, found a [ that is never closed at character 1; close it, or write \[.
[a-
  Expected ] at the end of the class, found a [ that is never closed at character 1; close it, or write \[.
a{5,2}
  Expected a repetition from a lower to a higher count, found {5,2} at character 2; swap the counts.
*a
  Expected something to repeat, found * with nothing before it at character 1; write \* for the character itself.
a|*
  Expected something to repeat, found * with nothing before it at character 3; write \* for the character itself.
(+)
  Expected something to repeat, found + with nothing before it at character 2; write \+ for the character itself.
{2}
  Expected something to repeat, found {2} with nothing before it at character 1; write \{ for the character itself.
(?i)*
  Expected something to repeat, found * with nothing before it at character 5; write \* for the character itself.
a**
  Expected one repetition after another in a group, found ** at character 2; write (?:a*)* instead.
a{2}{3}
  Expected one repetition after another in a group, found {2}{3} at character 2; write (?:a{2}){3} instead.
a+?*
  Expected one repetition after another in a group, found +?* at character 2; write (?:a+?)* instead.
[b-a]
  Expected a range from a lower to a higher character, found b-a at character 2; swap its ends.
[a-\d]
  Expected a character at the end of the range, found \d at character 4; write the hyphen last, or as \-.
[[:foo:]]
  Expected one of the classes alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, punct, space, upper, word, xdigit, found [:foo:] at character 2; use one of those names.
\p{Foo}
  Expected a Unicode category or script such as \p{L}, \p{Lu} or \p{Greek}, found \p{Foo} at character 1; use one of those names, with its capitals.
\pX
  Expected a Unicode category or script such as \p{L}, \p{Lu} or \p{Greek}, found \pX at character 1; use one of those names, with its capitals.
\P{^greek}
  Expected a Unicode category or script such as \p{L}, \p{Lu} or \p{Greek}, found \P{^greek} at character 1; use one of those names, with its capitals.
a\
  Expected a character after the backslash, found the end at character 2; write \\ for a backslash.
\y
  Expected an escape such as \d, \n or \., found \y at character 1; write the letter alone.
a\Z
  Expected an escape such as \d, \n or \., found \Z at character 2; write \z for the end of the text.
\K
  Expected an escape such as \d, \n or \., found \K at character 1; use a lookbehind such as (?<=a).
\h
  Expected an escape such as \d, \n or \., found \h at character 1; write [ \t].
\u0041
  Expected an escape such as \d, \n or \., found \u at character 1; write \x{…} with its code in hexadecimal.
\é
  Expected an escape such as \d, \n or \., found \é at character 1; leave the backslash out.
\E
  Expected an escape such as \d, \n or \., found \E at character 1; write the letter alone.
\x4
  Expected \x7F or \x{10FFFF} at most, found \x4 at character 1; write the code in hexadecimal digits.
\x{110000}
  Expected \x7F or \x{10FFFF} at most, found \x{110000} at character 1; write the code in hexadecimal digits.
\x{41
  Expected \x7F or \x{10FFFF} at most, found \x{41 at character 1; write the code in hexadecimal digits.
(?x)a
  Expected the flags i, m, s and U, found x at character 3; leave it out.
(?i
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found (?i at character 1; write (?: for a group that captures nothing.
(?)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found (?) at character 1; write (?: for a group that captures nothing.
(?i-)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found (?i-) at character 1; write (?: for a group that captures nothing.
(?#x)a
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found the comment (?# at character 1; leave it out.
(?|a|b)
  Expected a group such as (, (?:, (?i:, (?P<name>, (?=, (?!, (?<= or (?<!, found the branch reset (?| at character 1; write (?: in place of it.
(?P<>a)
  Expected a name of letters, digits and _ as in (?P<name>…), found (?P<> at character 1; write such a name.
(?<a b>c)
  Expected a name of letters, digits and _ as in (?P<name>…), found (?<a b> at character 1; write such a name.
(?P<n>a)(?P<n>b)
  Expected each group to have a name of its own, found a second n at character 11; give it another name.
`
const lines = FAULTS.split('\n').filter((line) => line !== '')
const pairs = lines.flatMap((line, index) => (index % 2 === 0 ? [[line, lines[index + 1]?.trim()]] : []))

describe('errors', () => {
  test.each(pairs)('%s', (source = '', fault) => expect(faultOf(source)).toBe(fault))
})

describe('limits of long patterns', () => {
  test('1,000 characters, counting an emoji as one', () => {
    expect(faultOf('😀'.repeat(1_000))).toMatchObject({ source: '😀'.repeat(1_000) })
    expect(faultOf('😀'.repeat(1_001))).toBe(
      'Expected a pattern of at most 1,000 characters, found 1,001; shorten it or search with several patterns.',
    )
  })

  test('8 lookarounds', () => {
    expect(faultOf('(?=a)'.repeat(8))).toMatchObject({ source: '(?=a)'.repeat(8) })
    expect(faultOf('(?=a)'.repeat(9))).toBe(
      'Expected at most 8 lookaheads and lookbehinds in a pattern, found another one at character 41; leave some out, or search with several patterns.',
    )
  })

  test('10,000 steps', () => {
    expect(faultOf('[ab]{990}'.repeat(10))).toMatchObject({ source: '[ab]{990}'.repeat(10) })
    expect(faultOf('[ab]{1000}'.repeat(11))).toBe(
      'Expected a pattern of at most 10,000 steps, found more when the repetition at character 15 is written out; lower its counts, or use * or +.',
    )
  })
})

describe('no errors', () => {
  test.each([
    '',
    '|',
    '()',
    '(|)',
    'a||b',
    ']',
    '}',
    'a{',
    'a{,5}',
    'a{1',
    'a{1,2',
    '{',
    '[]a]',
    '[^]a]',
    '[a-]',
    '[-a]',
    '[a-c-e]',
    '^*',
    '\\Qa',
    '\\Q',
    '\\_',
    '\\12',
    '\\0',
    '(?i)',
    '(?i-s:a)',
    '(?:a*)*',
    '(?=a)*',
    '(?<=a|bc)',
    '(?<=a{2}\\b)',
    '(a{1000})*',
    '\\p{^Greek}',
    '\\p{Letter}',
    '[[:^alpha:]]',
    '(?U)a+?',
    '\\x{1F600}',
  ])('%s', (source) => expect(faultOf(source)).toMatchObject({ source }))
})
