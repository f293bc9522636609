/** Converts plain text to blocks that keep every word and line. */
import type { Block } from '../../markdown/block.ts'
import type { InlineNode } from '../../markdown/inline/inline-node.ts'
import { writeConverted } from '../../markdown/inline/write-inline.ts'

/** Lines of one block of text. A longer paragraph is divided, since writing the text of a block takes time. */
const LINES_PER_BLOCK = 200

/**
 * Paragraphs become text with a break at each line end. Where columns or indentation carry meaning, a paragraph becomes
 * code, which keeps its spaces.
 */
export function plainTextBlocks(text: string): Block[] {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.replace(/^(?:[ \t]*\n)+/, '').trimEnd())
    .filter((paragraph) => paragraph !== '')
  return paragraphs.flatMap((paragraph) => (isLaidOut(paragraph) ? [codeOf(paragraph)] : textOf(paragraph)))
}

/** A line within a paragraph that is indented, or whose words stand in columns. */
const LAID_OUT = /\n(?:\t| {2,})\S|\S(?:\t| {3,})\S/

const isLaidOut = (paragraph: string): boolean => paragraph.includes('\n') && LAID_OUT.test(paragraph)

const codeOf = (text: string): Block => ({ type: 'code', text })

function textOf(paragraph: string): Block[] {
  const lines = paragraph.split('\n')
  const blocks: Block[] = []
  for (let from = 0; from < lines.length; from += LINES_PER_BLOCK) {
    blocks.push({ type: 'text', text: linesText(lines.slice(from, from + LINES_PER_BLOCK)) })
  }
  return blocks
}

/** Inline Markdown that shows lines as they are written. */
export function linesText(lines: readonly string[]): string {
  const spans = lines.flatMap((line, index): InlineNode[] => [
    ...(index === 0 ? [] : [{ kind: 'break', marks: 0 } as const]),
    { kind: 'text', text: line.trim(), marks: 0 },
  ])
  return writeConverted(spans)
}
