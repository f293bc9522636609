/** The words of one block, taken out of its Markdown: the counterpart of `blockMarkdown`. */
import type { BlockFields } from './block.ts'
import { EMPTY_BLOCK } from './blocks/empty-block.ts'
import { headingMark } from './blocks/heading.ts'
import { hangingIndent, listMarker } from './blocks/list-item.ts'
import { indentation } from './blocks/nesting.ts'

/** What says which prefixes the Markdown of a block has. */
export type PrefixFields = Pick<
  BlockFields,
  'type' | 'indentationLevel' | 'listStyle' | 'taskInfo' | 'decorations' | 'textStyle'
>

/**
 * @param markdown  as `blockMarkdown` writes a block: `  - [x] **a**`
 * @param fields  those of that block
 * @returns inline Markdown for a text (`**a**`), a GFM table for a table, and for all other types what stands between
 *   the prefixes; empty for a block without words
 */
export function blockWords(markdown: string, fields: PrefixFields): string {
  const { type, indentationLevel = 0, listStyle, decorations, textStyle } = fields
  if (type === 'page' || type === 'collectionItem' || type === 'collection') return markdown
  let body = markdown
  if (indentationLevel > 0) body = withoutIndent(body, indentation(indentationLevel))
  if (decorations?.quote) body = withoutQuoteMarks(body)
  if (listStyle !== undefined) {
    body = withoutIndent(withoutStart(body, listMarker(fields)), hangingIndent(fields))
  }
  if (decorations?.callout) body = withoutTag(body, 'callout')
  if (type === 'text') body = withoutStyle(body, textStyle)
  return body === EMPTY_BLOCK ? '' : body
}

function withoutStyle(body: string, textStyle: BlockFields['textStyle']): string {
  switch (textStyle) {
    case undefined:
      return body
    case 'caption':
    case 'card':
    case 'page':
      return withoutTag(body, textStyle)
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
      return withoutStart(body, headingMark(textStyle))
  }
}

const withoutStart = (text: string, start: string): string => (text.startsWith(start) ? text.slice(start.length) : text)

/** Lines end at line feeds alone: `^` with the flag `m` would also find a mark after a paragraph separator in a line. */
const withoutQuoteMarks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')

/** The first line stands behind the prefix already where that was taken off. */
const withoutIndent = (text: string, spaces: string): string =>
  text
    .split('\n')
    .map((line) => withoutStart(line, spaces))
    .join('\n')

function withoutTag(body: string, tag: string): string {
  const open = new RegExp(`^<${tag}(?: [^<>]*)?>\\n?`).exec(body)?.[0]
  const close = new RegExp(`\\n?</${tag}>$`).exec(body)?.[0]
  return open === undefined || close === undefined ? body : body.slice(open.length, body.length - close.length)
}
