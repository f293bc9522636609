/**
 * Writes blocks for reading, with the ID of each: `ID markdown`. Further lines of a block, and what a page holds, are
 * indented, so that each line that begins with an ID begins a block. The text is not Markdown to write back.
 */
import type { Steps } from '../base/work-steps.ts'
import type { Block } from './block.ts'
import { blockMarkdown } from './write-markdown.ts'

/** Blocks that are written before the clock is checked. */
const BLOCKS_PER_STEP = 100

/** @param root  with its content */
export function* writeIdLines(root: Block): Steps<string> {
  const lines: string[] = []
  const waiting: [block: Block, depth: number][] = [[root, 0]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [block, depth] = next
    lines.push(
      ...linesOf(block).map((line, index) => (index === 0 ? `${block.id} ` : '  ') + '  '.repeat(depth) + line),
    )
    // What the root holds is not indented.
    const inner = block === root ? 0 : depth + 1
    for (const child of block.content?.toReversed() ?? []) waiting.push([child, inner])
    if (lines.length % BLOCKS_PER_STEP === 0) yield
  }
  return lines.join('\n')
}

function linesOf(block: Block): string[] {
  const { propertyTexts = [], contentPreview } = block
  const values = propertyTexts.map(([key, text]) => `${key}: ${text}`)
  const lines = blockMarkdown(block).split('\n')
  if (values.length > 0) lines[0] = `${lines[0]} (${values.join(', ')})`
  // Only the beginning of what a limit of depth leaves out.
  if (contentPreview !== undefined) lines.push(...`… ${contentPreview}`.split('\n'))
  return lines
}
