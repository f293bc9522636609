/** Comments in a text: `<comment id="…">…</comment>` stands around the words that a thread of comments is about. */
import { readSpans } from './inline/read.ts'
import { holds, type Span } from './inline/span.ts'
import { writeTag } from './inline/tag.ts'
import { writeSpans } from './inline/write.ts'

const OPENING = '<comment'

/** Whether the comment of this ID stands around some of the text. */
export function hasComment(text: string, id: string): boolean {
  const { open, close } = writeTag({ kind: 'comment', id, spans: [] })
  if (!text.includes(open)) return false
  const isAround = text.startsWith(open) && text.endsWith(close)
  if (isAround && !text.slice(open.length, -close.length).includes('<')) return true
  return idsIn(readSpans(text)).has(id)
}

/**
 * The text, which is in its normal form, with all of it within this comment; an empty text has nothing to stand around
 * and stays empty.
 */
export function withComment(text: string, id: string): string {
  if (text.trim() === '') return text
  const comment = { kind: 'comment', id, marks: 0 } as const
  if (CHANGES_WITHIN.test(text)) return writeSpans([{ ...comment, spans: readSpans(text) }])
  const { open, close } = writeTag({ ...comment, spans: [] })
  return `${open}${text}${close}`
}

/** What a text must hold to be written otherwise beside a tag: white space at its edges, and what might be another tag. */
const CHANGES_WITHIN = /[<&]/

/** The text without any comment's tags. */
export function withoutComments(text: string): string {
  return text.includes(OPENING) ? writeSpans(unwrapped(readSpans(text))) : text
}

const unwrapped = (spans: readonly Span[]): Span[] =>
  spans.flatMap((span): Span[] => {
    if (!holds(span)) return [span]
    const inner = unwrapped(span.spans)
    // What stood within the comment keeps the marks that lay on it.
    if (span.kind === 'comment') return inner.map((one) => ({ ...one, marks: one.marks | span.marks }))
    return [{ ...span, spans: inner }]
  })

function idsIn(spans: readonly Span[], found: Set<string> = new Set()): Set<string> {
  for (const span of spans) {
    if (!holds(span)) continue
    if (span.kind === 'comment') found.add(span.id)
    idsIn(span.spans, found)
  }
  return found
}
