/** Numbers of lists: what was written is what is read. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { ListNumbers } from '../../src/markdown/list-numbers.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { blockMarkdown, writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { countedBlock, withOwnNumbers } from '../../src/markdown/written-numbers.ts'
import { runs } from '../support/runs.ts'
import { blocksOf } from './blocks-of.ts'
import { leaf, tree } from './trees.ts'

const number = fc.option(fc.constantFrom(0, 1, 2, 3, 24, 1986, 999_999_999), { nil: undefined, freq: 3 })
const item = fc
  .record({
    words: fc.constantFrom('a', '', '2. b', '1. c', 'd\n3. e', 'f\ng'),
    level: fc.constantFrom(0, 0, 0, 1, 2),
    number,
    isQuote: fc.constantFrom(false, false, true),
  })
  .map(
    ({ words, level, number, isQuote }): Block => ({
      ...{ type: 'text', text: words, listStyle: 'numbered' },
      ...(level > 0 && { indentationLevel: level }),
      ...(number !== undefined && { number }),
      ...(isQuote && { decorations: { quote: true } }),
    }),
  )
const numberedPage = fc
  .tuple(tree, number)
  .map(([blocks, number]): Block[] =>
    blocks
      .slice(0, 1)
      .map((block) => ({ ...block, ...(block.listStyle === 'numbered' && number !== undefined && { number }) })),
  )
const lists = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: item.map((block) => [block]) },
      leaf.map((block) => [block]),
      numberedPage,
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => withOwnNumbers(parts.flat()))

describe('numbers of lists', () => {
  it('should be read as they are written', () => {
    fc.assert(
      fc.property(lists, (blocks) => {
        expect(blocksOf(writeMarkdown(blocks))).toEqual(blocks)
      }),
      { numRuns: runs(200, 20_000) },
    )
  })

  it('should all be seen in what is written', () => {
    const words = fc.constantFrom('. a', ') b', '. [ ] c', '. # d', '. - e')
    const written = fc.array(fc.tuple(fc.nat(1999), words), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(written, fc.constantFrom('', '- ', '> '), (items, before) => {
        const blocks = readMarkdown(items.map(([number, words]) => `${before}${number}${words}`).join('\n\n'))
        const once = writeMarkdown(blocks)
        expect(writeMarkdown(readMarkdown(once))).toBe(once)
        const numbers = new ListNumbers()
        const shown = blocks.map((block) => `${numbers.next(countedBlock(block))?.count} ${block.text}`).join('\n')
        for (const [number, words] of items)
          if (number !== 1 && words !== '. [ ] c') expect(shown).toMatch(new RegExp(`\\b${number}\\b`))
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  it('should stand in the Markdown of one block', () => {
    fc.assert(
      fc.property(item, (block) => {
        expect(blockMarkdown(block)).toContain(`${block.number ?? 1}. `)
      }),
      { numRuns: runs(50, 1000) },
    )
  })
})
