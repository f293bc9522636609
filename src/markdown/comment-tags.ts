/** Comments in a text: `<comment id="…">…</comment>` stands around the words that a thread of comments is about. */

import { type CommentNode, type InlineNode, isContainer } from './inline/inline-node.ts'
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

/**
 * The text, which is in its normal form, with this comment's tag as that of another, or without it.
 *
 * @param next  the ID of the other comment; none to take the tag away
 */
export function replaceComment(text: string, id: string, next: string | undefined): string {
  if (!text.includes(OPENING)) return text
  return writeInline(
    mapComments(readInline(text), (span) => {
      if (span.id !== id) return span
      return next === undefined ? undefined : { ...span, id: next }
    }),
  )
}

const unwrapped = (spans: readonly InlineNode[]): InlineNode[] => mapComments(spans, () => undefined)

type Comment = CommentNode & { marks: number }

/** Spans with other comments around them. @param map  what stands in place of a comment; nothing for its words alone */
const mapComments = (spans: readonly InlineNode[], map: (span: Comment) => Comment | undefined): InlineNode[] =>
  spans.flatMap((span): InlineNode[] => {
    if (!isContainer(span)) return [span]
    const inner = mapComments(span.spans, map)
    if (span.kind !== 'comment') return [{ ...span, spans: inner }]
    const mapped = map(span)
    // What stood within the comment keeps the marks that lay on it.
    return mapped ? [{ ...mapped, spans: inner }] : inner.map((one) => ({ ...one, marks: one.marks | span.marks }))
  })

function idsIn(spans: readonly InlineNode[], found: Set<string> = new Set()): Set<string> {
  for (const span of spans) {
    if (!isContainer(span)) continue
    if (span.kind === 'comment') found.add(span.id)
    idsIn(span.spans, found)
  }
  return found
}
