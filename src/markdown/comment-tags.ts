/** Comments in a text: `<comment id="…">…</comment>` stands around the words that a thread of comments is about. */

import { type InlineNode, isContainer } from './inline/inline-node.ts'
import { writeTag } from './inline/inline-tag.ts'
import { readInline } from './inline/read-inline.ts'
import { writeInline } from './inline/write-inline.ts'

const OPENING = '<comment'

/** Whether the comment of this ID stands around some of the text. */
export function hasComment(text: string, id: string): boolean {
  const { open, close } = writeTag({ kind: 'comment', id, spans: [] })
  if (!text.includes(open)) return false
  const isAround = text.startsWith(open) && text.endsWith(close)
  if (isAround && !text.slice(open.length, -close.length).includes('<')) return true
  return idsIn(readInline(text)).has(id)
}

/**
 * The text, which is in its normal form, with all of it within this comment; an empty text has nothing to stand around
 * and stays empty.
 */
export function withComment(text: string, id: string): string {
  if (text.trim() === '') return text
  const comment = { kind: 'comment', id, marks: 0 } as const
  if (CHANGES_WITHIN.test(text)) return writeInline([{ ...comment, spans: readInline(text) }])
  const { open, close } = writeTag({ ...comment, spans: [] })
  return `${open}${text}${close}`
}

/** What a text must hold to be written otherwise beside a tag: white space at its edges, and what might be another tag. */
const CHANGES_WITHIN = /[<&]/

/** The text without any comment's tags. */
export function withoutComments(text: string): string {
  return text.includes(OPENING) ? writeInline(unwrapped(readInline(text))) : text
}

const unwrapped = (spans: readonly InlineNode[]): InlineNode[] =>
  spans.flatMap((span): InlineNode[] => {
    if (!isContainer(span)) return [span]
    const inner = unwrapped(span.spans)
    // What stood within the comment keeps the marks that lay on it.
    if (span.kind === 'comment') return inner.map((one) => ({ ...one, marks: one.marks | span.marks }))
    return [{ ...span, spans: inner }]
  })

function idsIn(spans: readonly InlineNode[], found: Set<string> = new Set()): Set<string> {
  for (const span of spans) {
    if (!isContainer(span)) continue
    if (span.kind === 'comment') found.add(span.id)
    idsIn(span.spans, found)
  }
  return found
}
