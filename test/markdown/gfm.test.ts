import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { plainText } from '../../src/markdown/inline-text.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { seen } from './blocks.ts'
import { GFM_EXAMPLES } from './gfm-examples.ts'

describe('examples of GitHub Flavored Markdown', () => {
  for (const [section, markdown, types, words] of GFM_EXAMPLES) {
    it(`should show the same: ${section}`, () => {
      const blocks = readMarkdown(markdown)
      expect(blocks.map(({ type }) => type)).toEqual(types)
      expect(blocks.map(wordsOf).join('').replace(/\s/g, '')).toBe(words.replace(/\s/g, ''))
      const once = writeMarkdown(blocks)
      expect(writeMarkdown(readMarkdown(once))).toBe(once)
    })
  }
})

/** The visible characters, including those of table cells. */
function wordsOf(block: Block): string {
  if (block.type !== 'table') return seen([block])
  const [head = '', , ...body] = block.text.split('\n')
  const cells = [head, ...body].flatMap((line) => line.slice(2, -2).split(' | '))
  return cells.map((cell) => plainText(cell.replaceAll('\\|', '|'))).join('')
}
