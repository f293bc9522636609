import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { InlineNode } from '../../../src/markdown/inline/inline-node.ts'
import { readInline } from '../../../src/markdown/inline/read-inline.ts'
import { writeInline } from '../../../src/markdown/inline/write-inline.ts'
import { readContent } from '../../../src/page/assets/model/inline-nodes.ts'
import { joinSpans, type SuggestedRun, suggestedRuns } from '../../../src/page/blocks/suggested-words.ts'
import { runs } from '../../support/runs.ts'

/** The runs as Markdown, each with its sign. */
const written = (before: string, after: string): string[] =>
  suggestedRuns(before, after).map(({ sign, spans }) => `${sign}${writeInline(spans).replaceAll('&#32;', ' ')}`)

const side = (all: readonly SuggestedRun[], sign: '-' | '+'): InlineNode[] =>
  joinSpans(all.flatMap((run) => (run.sign === ' ' || run.sign === sign ? run.spans : [])))

describe('words of a suggestion', () => {
  test.each([
    ['one two three', 'one three', [' one ', '-two ', ' three']],
    ['one three', 'one two three', [' one ', '+two ', ' three']],
    ['one two three', 'one 2 three', [' one ', '-two', '+2', '  three']],
    ['big red fox runs', 'small blue fox runs', ['-big red', '+small blue', '  fox runs']],
    ['a **bold** word', 'a bold word', [' a ', '-**bold**', '+bold', '  word']],
    [
      'see [the plan](https://one.org)',
      'see [the map](https://one.org)',
      [' see [the ](https://one.org)', '-[plan](https://one.org)', '+[map](https://one.org)'],
    ],
    [
      'see [it](https://one.org)',
      'see [it](https://two.org)',
      [' see ', '-[it](https://one.org)', '+[it](https://two.org)'],
    ],
    ['it is $x$', 'it is $y$', [' it is ', '-$x$', '+$y$']],
    ['a <comment id="c1">word</comment>', 'a word', [' a ', '-<comment id="c1">word</comment>', '+word']],
    ['', 'new', ['+new']],
    ['gone', '', ['-gone']],
    ['same', 'same', [' same']],
  ])('%s → %s', (before, after, expected) => {
    expect(written(before, after)).toEqual(expected)
  })

  const words = fc
    .array(
      fc.constantFrom(
        'one ',
        'two ',
        '**bold** ',
        '*it* ',
        '`code` ',
        '[link to](https://a.org) ',
        '$x$ ',
        '\n',
        '<kbd>K</kbd> ',
        '==mark== ',
        '~~no~~ ',
        '&#32;',
      ),
      { maxLength: 12 },
    )
    .map((parts) => writeInline(readInline(parts.join(''))))

  test('struck and inserted words make both texts, and their lengths are positions of the editor', () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const all = suggestedRuns(before, after)
        expect(writeInline(side(all, '-'))).toBe(before)
        expect(writeInline(side(all, '+'))).toBe(after)
        const sizeOf = (sign: '-' | '+') =>
          all.reduce((sum, run) => sum + (run.sign === ' ' || run.sign === sign ? run.size : 0), 0)
        expect(sizeOf('-')).toBe(readContent(before).size)
        expect(sizeOf('+')).toBe(readContent(after).size)
      }),
      { numRuns: runs(300, 20_000) },
    )
  })
})
