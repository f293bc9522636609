/** Reads a line of plain text without the parser of blocks. */
import type { Block } from './block.ts'
import { headingStyle } from './blocks/heading.ts'
import type { ReadOptions } from './blocks/parser-state.ts'
import { normalizeText } from './inline-text.ts'

/**
 * A single line, with or without a list or heading mark, whose text begins with a letter and contains nothing that
 * block rules depend on. Most calls of agents add such blocks.
 */
const ONE_LINE = /^(- |1\. |- \[ \] |#{1,4} )?(\p{L}(?:[^<\n\r\0]*[^<\n\r\0 \t#])?)$/u

/** The block of such a line, and undefined for any other text. */
export function readPlainLine(line: string, { isOneLine = false }: ReadOptions): Block | undefined {
  const [all, mark, content = ''] = ONE_LINE.exec(line) ?? []
  if (all === undefined || (isOneLine && mark === '1. ')) return undefined
  const text = normalizeText(content)
  switch (mark) {
    case undefined:
      return { type: 'text', text }
    case '- ':
      return { type: 'text', text, listStyle: 'bullet' }
    case '1. ':
      return { type: 'text', text, listStyle: 'numbered' }
    case '- [ ] ':
      return { type: 'text', text, listStyle: 'task', taskInfo: { state: 'todo' } }
    default:
      return { type: 'text', text, textStyle: headingStyle(`h${mark.length - 1}`) }
  }
}
