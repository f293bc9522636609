/** What the structure of a pattern reveals: how many characters it matches, and whether it can match nothing. */
import { expect, test } from 'vitest'
import { parsePattern } from '../../src/regex/pattern-parser.ts'
import { canBeEmpty, widthOf } from '../../src/regex/pattern-tree.ts'

const tree = (source: string) => parsePattern(source, { caseSensitive: true }).tree

test.each<[source: string, width: number | undefined, isEmpty: boolean]>([
  ['', 0, true],
  ['a', 1, false],
  ['abc', 3, false],
  ['[ab]\\d.', 3, false],
  ['^', 0, true],
  ['(?=ab)', 0, true],
  ['a\\b(?!c)d', 2, false],
  ['(ab)', 2, false],
  ['()', 0, true],
  ['ab|cd|ef', 2, false],
  ['ab|cd|e', undefined, false],
  ['a|bc|d', undefined, false],
  ['a|', undefined, true],
  ['(?:|a)b', undefined, false],
  ['ab|c{2}', 2, false],
  ['a{3}', 3, false],
  ['(?:ab){3}c', 7, false],
  ['(?:a|bc){2}', undefined, false],
  ['a{2,3}', undefined, false],
  ['a+', undefined, false],
  ['a*', undefined, true],
  ['a?', undefined, true],
  ['a*b', undefined, false],
  ['a*b?', undefined, true],
  ['(?:a*)+', undefined, true],
  ['(?:^)*', 0, true],
  ['(?:^){2}a', 1, false],
  ['a{0}', 0, true],
])('%j has a width of %s characters, can be empty: %s', (source, width, isEmpty) => {
  expect([widthOf(tree(source)), canBeEmpty(tree(source))]).toEqual([width, isEmpty])
})
