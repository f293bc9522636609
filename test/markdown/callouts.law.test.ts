/** Any callouts around any blocks are read as they are written. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, CalloutLevel } from '../../src/markdown/block.ts'
import { withCallout, writtenCallout } from '../../src/markdown/callout-levels.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { runs } from '../support/runs.ts'
import { tree } from './trees.ts'

const level: fc.Arbitrary<CalloutLevel> = fc
  .record({
    starts: fc.option(fc.constant(true as const), { nil: undefined }),
    title: fc.option(fc.constantFrom('T', '"<&>', '`a` | *b*', '</callout>'), { nil: undefined, freq: 1 }),
    color: fc.option(fc.constant('#ff0000'), { nil: undefined, freq: 1 }),
    icon: fc.option(fc.constantFrom('💡', 'tip'), { nil: undefined, freq: 1 }),
    folded: fc.option(fc.constant(true as const), { nil: undefined, freq: 1 }),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)))

const boxed = fc.array(fc.tuple(tree, fc.array(level, { maxLength: 3 })), { maxLength: 4 }).map((parts) => {
  const blocks = parts.flatMap(([blocks, levels]) =>
    blocks.map((block) => (levels.length === 0 ? block : withCallout(block, levels))),
  )
  return blocks.map((block, index) => withCallout(block, writtenCallout(blocks[index - 1], block, blocks[index + 1])))
})

const shown = (blocks: readonly Block[]): unknown =>
  blocks.map(({ number: _, content, ...block }) => ({ ...block, ...(content && { content: shown(content) }) }))

test('any callouts around any blocks are a fixed point, and read as they are written', () => {
  fc.assert(
    fc.property(boxed, (blocks) => {
      const text = writeMarkdown(blocks)
      const read = readMarkdown(text)
      expect(writeMarkdown(read)).toBe(text)
      const callouts = (all: readonly Block[]) => all.map(({ type, decorations }) => [type, decorations?.callout])
      expect(callouts(read)).toEqual(callouts(blocks))
      expect(shown(read)).toEqual(shown(readMarkdown(writeMarkdown(read))))
    }),
    { numRuns: runs(60, 5000) },
  )
})
