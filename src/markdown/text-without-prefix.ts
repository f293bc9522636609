/** Extracts the text of a block from its Markdown: the inverse of `blockMarkdown`. */
import type { BlockFields } from './block.ts'
import { EMPTY_BLOCK } from './blocks/empty-block.ts'
import { headingMark } from './blocks/heading.ts'
import { hangingIndent, listMarker } from './blocks/list-item.ts'
import { indentation } from './blocks/nesting.ts'

/** The fields that determine the Markdown prefixes of a block. */
export type PrefixFields = Pick<
  BlockFields,
  'type' | 'indentationLevel' | 'listStyle' | 'number' | 'taskInfo' | 'decorations' | 'textStyle'
>

/**
 * @param markdown  as written by `blockMarkdown`: `  - [x] **a**`
 * @param fields  of that block
 * @returns inline Markdown for text (`**a**`), a GFM table for a table, and for other types whatever is between the
 *   prefixes; empty for a block without text
 */
export function textWithoutPrefix(markdown: string, fields: PrefixFields): string {
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

/** Only line feeds end a line: `^` with the flag `m` would also match after a paragraph separator within a line. */
const withoutQuoteMarks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')

/** The prefix of the first line was removed already. */
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
