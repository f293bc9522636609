import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeText } from '../../src/markdown/inline-text.ts'
import { textWithoutPrefix } from '../../src/markdown/text-without-prefix.ts'
import { blockMarkdown } from '../../src/markdown/write-markdown.ts'
import { runs } from '../support/runs.ts'
import { leaf } from './trees.ts'

it('finds the text of a block in its Markdown', () => {
  fc.assert(
    fc.property(leaf, (block) => {
      const words = textWithoutPrefix(blockMarkdown(block), block)
      if (block.type === 'text') expect(normalizeText(words)).toBe(normalizeText(block.text))
      if (block.type === 'table') expect(words).toBe(block.text)
    }),
    { numRuns: runs(500, 10_000) },
  )
})
