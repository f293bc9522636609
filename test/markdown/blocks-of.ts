import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'

/** The blocks that a text is read as, without what else the reader says of them. */
export const blocksOf = (markdown: string): Block[] => readMarkdown(markdown).map(bare)

/** A block without what the reader says of its writing. */
export function bare({ isIndentedCode: _said, ...block }: Block): Block {
  return block.content === undefined ? block : { ...block, content: block.content.map(bare) }
}
