/** The words around images in a text, where the images become blocks of their own. */
import { type InlineNode, isContainer, visibleText } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { writeInline } from '../../markdown/inline/write-inline.ts'

/** Removes white space from both ends of the text. */
export function trimmed(spans: readonly InlineNode[]): InlineNode[] {
  const text = writeInline([...spans]).replace(/^(?:\s|&#32;|\\\n)+|(?:\s|&#32;|\\\n)+$/g, '')
  return text === '' ? [] : readInline(text)
}

export const endsWithText = (span: InlineNode | undefined): boolean =>
  span !== undefined && span.kind !== 'break' && !(span.kind === 'text' && /(?:^|\n)\s*$/.test(span.text.slice(-1_000)))
export const beginsWithText = (span: InlineNode | undefined): boolean =>
  span !== undefined &&
  span.kind !== 'break' &&
  !(span.kind === 'text' && /^\s*(?:\n|$)/.test(span.text.slice(0, 1_000)))

export function withoutPicture(span: InlineNode): InlineNode {
  if (span.kind === 'image') return { kind: 'text', text: span.alt, marks: span.marks }
  if (!isContainer(span)) return span
  const spans = span.spans.map(withoutPicture)
  return visibleText(spans) === '' ? { kind: 'text', text: '', marks: 0 } : { ...span, spans }
}
