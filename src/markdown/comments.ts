/** Comments in a text: `<comment id="…">…</comment>` stands around the words that a thread of comments is about. */
import { readSpans } from './inline/read.ts'
import { holds, type Span } from './inline/span.ts'
import { writeSpans } from './inline/write.ts'

const OPENING = '<comment'

/** Whether the comment of this ID stands around some of the text. */
export const hasComment = (text: string, id: string): boolean =>
  text.includes(OPENING) && idsIn(readSpans(text)).has(id)

/** The text, all of it within this comment; an empty text has nothing to stand around and stays empty. */
export function withComment(text: string, id: string): string {
  return text.trim() === '' ? text : writeSpans([{ kind: 'comment', id, spans: readSpans(text), marks: 0 }])
}

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
