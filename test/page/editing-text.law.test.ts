/** The editable text of a block, extracted from its Markdown and put back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { codeFields } from '../../src/markdown/blocks/code-block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { blockMarkdown } from '../../src/markdown/write-markdown.ts'
import {
  editableText,
  type Fields,
  fieldsIn,
  joinedMarkdown,
  markdownFor,
} from '../../src/page/assets/model/block-text.ts'
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
        const [again] = readMarkdown(markdownFor(fields, editableText(stored, fields)))
        expect(again?.text).toBe(block.text)
      }),
      { numRuns: runs(300, 20_000) },
    )
  })
})

test.each<[string, object]>([
  ['| A | B |\n| --- | :-: |\n| one | two |', { type: 'table' }],
  ['    | A |\n    | --- |', { type: 'table', indentationLevel: 2 }],
  ['| A |\n| -- a |', { type: 'text' }],
  ['A | B', { type: 'text' }],
  ['- a', { type: 'text' }],
])('%j tells what it was', (markdown, fields) => {
  const [block] = readMarkdown(markdown)
  const type = block?.type === 'table' ? 'table' : 'text'
  expect(fieldsIn(markdown)).toEqual({ ...fields, type })
})

describe('copied blocks', () => {
  /** Blocks of which each is at most one level deeper than the one before. */
  const trees = fc
    .array(fc.tuple(kinds, words, fc.nat(3)), { minLength: 1, maxLength: 6 })
    .map((all) => {
      let level = 0
      return all.map(([fields, typed, deepest], index) => {
        level = index === 0 ? deepest : Math.min(level + 1, deepest)
        return markdownFor({ ...fields, indentationLevel: level }, typed)
      })
    })
    .map((texts) => readMarkdown(texts.join('\n\n')))
  const content = ({ indentationLevel = 0, ...block }: Block, least: number) => ({
    ...prefix(block),
    indentationLevel: indentationLevel - least,
    text: block.text,
  })

  test('are the same where they are pasted, less the indentation that all of them have', () => {
    fc.assert(
      fc.property(trees, fc.nat(5), (blocks, from) => {
        const copied = blocks.slice(from % blocks.length)
        const levels = copied.map(({ indentationLevel = 0 }) => indentationLevel)
        // The first block of a selection is the outermost one, or others are as far out.
        fc.pre(levels[0] === Math.min(...levels))
        const pasted = readMarkdown(
          joinedMarkdown(copied.map((block, index) => ({ markdown: blockMarkdown(block), level: levels[index] ?? 0 }))),
        )
        const least = Math.min(...levels)
        expect(pasted.map((block) => content(block, 0))).toEqual(copied.map((block) => content(block, least)))
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  test('keep the lines of code that is nested', () => {
    const blocks = readMarkdown('- a\n  - b\n\n    ```\n    x\n      y\n\n    z\n    ```')
    const copied = blocks
      .slice(1)
      .map((block) => ({ markdown: blockMarkdown(block), level: block.indentationLevel ?? 0 }))
    expect(joinedMarkdown(copied)).toBe('- b\n\n  ```\n  x\n    y\n\n  z\n  ```')
  })
})

test.each([
  ['let a = 1\n\n  b()', 'javascript'],
  ['', undefined],
  ['```\nfence\n```', undefined],
  ['a', 'js title="x"'],
  ['a', 'x`y'],
  ['a^2\n\nb', 'math_formula'],
])('code %j after %j is extracted from its fence', (text, words) => {
  const fields: Fields = { type: 'code', ...codeFields(words ?? '') }
  expect(editableText(markdownFor(fields, text), fields)).toBe(text)
})
