import { expect } from 'vitest'
import { type Block, isCommentBlock, type TaskState } from '../../src/markdown/block.ts'
import { plainText } from '../../src/markdown/inline-text.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { blocksOf } from './blocks-of.ts'

export const text = (text: string, more: Partial<Block> = {}): Block => ({ type: 'text', text, ...more })
export const bullet = (content: string, more: Partial<Block> = {}) => text(content, { listStyle: 'bullet', ...more })
export const numbered = (content: string, more: Partial<Block> = {}) =>
  text(content, { listStyle: 'numbered', ...more })
export const toggle = (content: string) => text(content, { listStyle: 'toggle' })
export const task = (content: string, state: TaskState = 'todo') =>
  text(content, { listStyle: 'task', taskInfo: { state } })
export const quote = (content: string) => text(content, { decorations: { quote: true } })
export const callout = (content: string) => text(content, { decorations: { callout: true } })
export const code = (source: string, language?: string): Block =>
  language === undefined ? { type: 'code', text: source } : { type: 'code', text: source, language }
export const page = (title: string, content?: Block[], more: Partial<Block> = {}): Block =>
  content === undefined ? { type: 'page', text: title, ...more } : { type: 'page', text: title, ...more, content }
export const at = (indentationLevel: number, block: Block): Block => ({ ...block, indentationLevel })

/** Both directions: the text parses to the blocks, and the blocks are written as that text. */
export function same(markdown: string, blocks: Block[]): void {
  expect(blocksOf(markdown)).toEqual(blocks)
  expect(writeMarkdown(blocks)).toBe(markdown)
}
/** One direction: other ways in which people write the same. */
export const reads = (markdown: string, blocks: Block[]) => expect(blocksOf(markdown)).toEqual(blocks)

/** The visible characters of blocks, without white space. */
export const seen = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      const { type, text: words, altText, title, fileName, content } = block
      return [
        isCommentBlock(block) ? '' : type === 'code' ? words : plainText(words),
        altText,
        title,
        fileName,
        seen(content ?? []),
      ].join('')
    })
    .join('')
    .replace(/\s/g, '')
