/** The Markdown around the text of a block: its style, list, quote and level. Also runs in browsers. */
import type { BlockFields } from './block.ts'
import { EMPTY_BLOCK } from './blocks/empty-block.ts'
import { hangingIndent, listMarker } from './blocks/list-item.ts'
import { indentation } from './blocks/nesting.ts'
import { quoteLines } from './blocks/quote.ts'

/** @param body  the Markdown of a block without prefixes, already formatted for its type or heading */
export function withPrefixes(block: Omit<BlockFields, 'text'>, body: string): string {
  const { type, indentationLevel, listStyle, decorations, textStyle } = block
  let text = body
  if (textStyle === 'caption' && type === 'text') text = `<caption>${text || EMPTY_BLOCK}</caption>`
  if (decorations?.callout)
    text = type === 'text' ? `<callout>${text || EMPTY_BLOCK}</callout>` : `<callout>\n${text}\n</callout>`
  if (listStyle !== undefined) text = listMarker(block) + indented(text || EMPTY_BLOCK, hangingIndent(block))
  if (decorations?.quote) text = quoteLines(text || EMPTY_BLOCK)
  if (indentationLevel !== undefined && indentationLevel > 0) {
    const spaces = indentation(indentationLevel)
    text = spaces + indented(text || EMPTY_BLOCK, spaces)
  }
  return text
}

/** Indents all lines but the first. Blank lines stay blank. */
const indented = (body: string, spaces: string): string =>
  body.includes('\n') ? body.replace(/\n(?!\n|$)/g, `\n${spaces}`) : body
