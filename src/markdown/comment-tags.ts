/** Comment marks in a text: `<comment id="…">…</comment>` surrounds the text that a thread of comments refers to. */

import { tokenizeInline } from './inline/inline-grammar.ts'
import { type CommentNode, type InlineNode, isContainer } from './inline/inline-node.ts'
import { shortCommentId, writeTag } from './inline/inline-tag.ts'
import { readInline } from './inline/read-inline.ts'
import { writeInline } from './inline/write-inline.ts'
import { tableCellPlaces } from './table-cells.ts'

const OPENING = '<comment'

/** True if the text contains the mark of this comment. */
export function hasComment(text: string, id: string): boolean {
  if (!text.includes(OPENING) || !text.includes(id)) return false
  const { open, close } = writeTag({ kind: 'comment', id, spans: [] })
  const isAround = text.startsWith(open) && text.endsWith(close)
  if (isAround && !text.slice(open.length, -close.length).includes('<')) return true
  return idsIn(readInline(text)).has(id)
}

/** Surrounds a whole normalized text with a comment's mark. An empty text stays empty. */
export function withComment(text: string, id: string): string {
  if (text.trim() === '') return text
  const comment = { kind: 'comment', id, marks: 0 } as const
  if (CHANGES_WITHIN.test(text)) return writeInline([{ ...comment, spans: readInline(text) }])
  const { open, close } = writeTag({ ...comment, spans: [] })
  return `${open}${text}${close}`
}

/** Characters that can change the normal form of a text next to a tag: other tags and references. */
const CHANGES_WITHIN = /[<&]/

/** Removes all comment marks from a text. */
export function withoutComments(text: string): string {
  return text.includes(OPENING) ? writeInline(unwrapped(readInline(text))) : text
}

/**
 * Replaces or removes the mark of a comment in a normalized text.
 *
 * @param next  the ID of the new comment; undefined to remove the mark
 */
export function replaceComment(text: string, id: string, next: string | undefined): string {
  if (!text.includes(OPENING)) return text
  return writeInline(
    mapComments(readInline(text), (span) => {
      if (shortCommentId(span.id) !== id) return span
      return next === undefined ? undefined : { ...span, id: next }
    }),
  )
}

/** The ID of a comment in a text. */
export interface CommentIdPlace {
  id: string
  /** The range of the ID. */
  start: number
  end: number
}

/**
 * The IDs of the comment marks in a normalized text, in order. Marks inside code do not count. Tables are searched cell
 * by cell, since backticks in different cells do not match.
 */
export function findCommentIds(text: string, isTable = false): CommentIdPlace[] {
  if (!text.includes(OPENING)) return []
  if (!isTable) return idsOf(text)
  return tableCellPlaces(text).flatMap(({ cell, at }) =>
    idsOf(cell).map(({ id, start, end }) => ({ id, start: at + start, end: at + end })),
  )
}

/** Spells the IDs of comments as texts store them, after a connection with long IDs wrote them. */
export function shortenCommentIds(text: string, isTable = false): string {
  let written = ''
  let done = 0
  for (const { id, start, end } of findCommentIds(text, isTable)) {
    written += text.slice(done, start) + shortCommentId(id)
    done = end
  }
  return written + text.slice(done)
}

function idsOf(text: string): CommentIdPlace[] {
  if (!text.includes(OPENING)) return []
  return tokenizeInline(text).flatMap((token) => {
    if (token.type !== 'comment_open') return []
    const { id, place } = token
    const end = place[1] - '">'.length
    return [{ id, start: end - id.length, end }].filter(({ start }) => text.slice(start, end) === id)
  })
}

const unwrapped = (spans: readonly InlineNode[]): InlineNode[] => mapComments(spans, () => undefined)

type Comment = CommentNode & { marks: number }

/** Maps the comments in spans. @param map  returns the replacement of a comment; undefined keeps only its content */
const mapComments = (spans: readonly InlineNode[], map: (span: Comment) => Comment | undefined): InlineNode[] =>
  spans.flatMap((span): InlineNode[] => {
    if (!isContainer(span)) return [span]
    const inner = mapComments(span.spans, map)
    if (span.kind !== 'comment') return [{ ...span, spans: inner }]
    const mapped = map(span)
    // The content of a removed comment keeps the marks that applied to the comment.
    return mapped ? [{ ...mapped, spans: inner }] : inner.map((one) => ({ ...one, marks: one.marks | span.marks }))
  })

function idsIn(spans: readonly InlineNode[], found: Set<string> = new Set()): Set<string> {
  for (const span of spans) {
    if (!isContainer(span)) continue
    if (span.kind === 'comment') found.add(shortCommentId(span.id))
    idsIn(span.spans, found)
  }
  return found
}
