/**
 * The texts that a pattern requires, which are checked before it runs: every match contains them, and nothing optional
 * is required.
 */
import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../src/regex/pattern-parser.ts'
import { requiredTextTest } from '../../src/regex/required-literal.ts'

const needed = (source: string) => requiredTextTest(parsePattern(source, { caseSensitive: true }).tree)

describe('a text may match', () => {
  test.each<[source: string, has: string[], lacks: string[]]>([
    ['abc', ['xabcx'], ['ab c', '']],
    ['(ab)c', ['abc'], ['ab c']],
    ['a\\bc', ['ac'], ['a c']],
    // A position may allow several characters, such as both cases of a letter.
    ['(?i)ab', ['aB', 'Ab'], ['a b', 'b']],
    ['[ab]c', ['ac', 'bc'], ['c', 'xc']],
    ['[a-d]z', ['dz'], ['ez', 'a z']],
    ['[a-e]z', ['xz'], ['a']],
    // Literal parts next to an unknown part may occur anywhere.
    ['a.c', ['ac', 'c a'], ['a', 'c']],
    ['ab?c', ['c a'], ['ab', 'bc']],
    ['ab*c', ['c a'], ['ab', 'bc']],
    ['a(?:bc){2}d', ['bc d a'], ['a b c d', 'abc', 'bcd']],
    ['a(?:b|c)d', ['d a'], ['ab', 'cd']],
    // Positive lookarounds require what they look for, negative ones require nothing.
    ['a(?=bc)', ['bc a'], ['a b c', 'bc']],
    ['a(?=b)c', ['b ac'], ['ac', 'abc']],
    ['(?<=bc)a', ['a bc'], ['ab', 'bc']],
    ['a(?!bc)d', ['ad'], ['a bc d', 'abcd']],
    // At most sixteen characters of a part are required.
    ['abcdefghijklmnopqrst', ['abcdefghijklmnop'], ['abcdefghijklmno']],
    // At most three parts are required: the longest ones, and case-sensitive ones first.
    ['aa.bbb.c.ddd', ['ddd bbb aa'], ['ddd bbb a c', 'ddd aa c', 'bbb aa c']],
    ['(?i:eeee).a.b.c', ['c b a'], ['eeee a b', 'EEEE b c']],
    ['(?i:eeee).a.(?i:ff).b', ['a b EeEe'], ['a b ff', 'eeee ff a']],
    // The characters next to the range of surrogates.
    ['\\x{d7ff}', ['\ud7ff'], ['\ue000']],
    ['\\x{e000}', ['\ue000'], ['\ud7ff']],
  ])('of %s', (source, has, lacks) => {
    const isPossible = needed(source)
    expect(has.map((text) => isPossible?.(text))).toEqual(has.map(() => true))
    expect(lacks.map((text) => isPossible?.(text))).toEqual(lacks.map(() => false))
  })

  test.each(['', 'a|b', '\\d', 'a?', '(?!a)', '\\x{d800}', '\\x{dfff}', '[\\x{d83d}a]'])('any text of %j', (source) => {
    expect(needed(source)).toBeUndefined()
  })
})
