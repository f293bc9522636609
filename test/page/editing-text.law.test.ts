/** The editable text of a block, extracted from its Markdown and put back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { blockMarkdown } from '../../src/markdown/write-markdown.ts'
import { type Fields, markdownFor, wordsIn } from '../../src/page/assets/editing/blocks/block-text.ts'
import { runs } from '../support/runs.ts'

const kinds = fc.constantFrom<Fields>(
  { type: 'text' },
  { type: 'text', textStyle: 'h2' },
  { type: 'text', textStyle: 'caption' },
  { type: 'text', listStyle: 'bullet' },
  { type: 'text', listStyle: 'numbered', indentationLevel: 2 },
  { type: 'text', listStyle: 'task', taskInfo: { state: 'done' } },
  { type: 'text', listStyle: 'toggle' },
  { type: 'text', decorations: { quote: true } },
  { type: 'text', decorations: { callout: true } },
  { type: 'text', listStyle: 'bullet', decorations: { quote: true } },
)
const pieces = [
  'a',
  'words',
  ' ',
  '**',
  '*',
  '`',
  '# ',
  '- ',
  '1. ',
  '> ',
  '+ ',
  '[ ] ',
  '|',
  '---',
  '```',
  '<page>',
  '</callout>',
]
const more = [
  '[a](https://b.example)',
  '![a](https://b.example/c.png)',
  '$',
  '==',
  '\\',
  '<b>',
  '&amp;',
  '<br>',
  ':',
  '![',
]
const words = fc
  .array(fc.constantFrom(...pieces, ...more), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))

const prefix = ({ type, listStyle, textStyle, decorations, indentationLevel }: Fields | Block) => ({
  ...{ type, listStyle, textStyle, decorations, indentationLevel },
})

/** Text that was another block before. */
const FOUND: [Fields, string][] = [
  [{ type: 'text' }, '$$$$$'],
  [{ type: 'text' }, '$$a$b$$'],
  [{ type: 'text', decorations: { callout: true } }, '\\\\</callout>a'],
]

describe('typed text', () => {
  test('stays in one block of its type, whatever it is', () => {
    fc.assert(
      fc.property(kinds, words, (fields, typed) => {
        const blocks = readMarkdown(markdownFor(fields, typed))
        expect(blocks.map(prefix)).toEqual([prefix(fields)])
      }),
      { numRuns: runs(300, 20_000), examples: FOUND },
    )
  })

  test('is the same when it is extracted from what the server renders, and put back', () => {
    fc.assert(
      fc.property(kinds, words, (fields, typed) => {
        const [block] = readMarkdown(markdownFor(fields, typed))
        if (block === undefined) return
        const stored = blockMarkdown(block) || '<br>'
        const [again] = readMarkdown(markdownFor(fields, wordsIn(stored, fields)))
        expect(again?.text).toBe(block.text)
      }),
      { numRuns: runs(300, 20_000) },
    )
  })
})

test.each([
  ['let a = 1\n\n  b()', 'javascript'],
  ['', undefined],
  ['```\nfence\n```', undefined],
])('code %j is extracted from its fence', (text, language) => {
  const fields: Fields = { type: 'code', ...(language && { language }) }
  expect(wordsIn(markdownFor(fields, text), fields)).toBe(text)
})
