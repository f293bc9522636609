/**
 * One form for the same content: marks off the white space at their edges, what stands alike joined, and
 * white space at the edge of a line made visible to a reader that would strip it.
 */

import { isSpace } from './characters.ts'
import { type InlineNode, isContainer } from './inline-node.ts'
import { orderMarks } from './marks.ts'

/** What the spans are all of: the edges of a container are no edges of a line, its tags stand there. */
export type InlineContext = 'text' | 'cell' | 'container'

export function normalizeInline(spans: readonly InlineNode[], whole: InlineContext = 'text'): InlineNode[] {
  const inner = spans.map((span) =>
    isContainer(span) ? { ...span, spans: normalizeInline(span.spans, 'container') } : span,
  )
  const trimmed = join(trimMarks(inner))
  if (whole !== 'container') trimBreaks(trimmed)
  const encoded = encodeEdges(trimmed, whole !== 'container')
  return whole === 'cell' ? encodeCell(encoded) : encoded
}

/**
 * Bold cannot begin or end with white space: `** a**` is no bold. So a mark stays on white space only where
 * it is on both neighbours too.
 *
 *     bold " a " → " " · bold "a" · " "
 */
function trimMarks(spans: readonly InlineNode[]): InlineNode[] {
  if (spans.every(({ marks }) => marks === 0)) return [...spans]
  const cut = spans.flatMap((span) => (span.kind === 'text' && span.marks !== 0 ? split(span) : [span]))
  const blank = cut.map((span) => span.kind === 'break' || (span.kind === 'text' && isBlank(span.text)))
  const keep = (index: number, neighbour: number) => {
    const span = cut[index]
    if (span && blank[index]) cut[index] = { ...span, marks: span.marks & (cut[neighbour]?.marks ?? 0) }
  }
  for (let index = 0; index < cut.length; index++) keep(index, index - 1)
  for (let index = cut.length - 1; index >= 0; index--) keep(index, index + 1)
  // Only where two marks meet can one be split around the other.
  if (cut.some(({ marks }) => (marks & (marks - 1)) !== 0)) while (trimSplits(cut, blank));
  return cut
}

/**
 * Of marks across each other one is split, so that it has edges where it goes on: bold over "ab" and italic over
 * "b c" would make `**a*b*** c*`, where the second italic opens before a space and so does not. Answers whether it
 * changed anything.
 */
function trimSplits(spans: InlineNode[], blank: readonly boolean[]): boolean {
  let changed = false
  const strip = (index: number, marks: readonly number[]) => {
    const span = spans[index]
    const stripped = marks.reduce((left, mark) => left & ~mark, span?.marks ?? 0)
    if (!span || !blank[index] || stripped === span.marks) return
    spans[index] = { ...span, marks: stripped }
    changed = true
  }
  for (const [at, { closes, opens }] of orderMarks(spans).entries()) {
    strip(at - 1, closes)
    strip(at, opens)
  }
  return changed
}

const isBlank = (text: string) => edge(text, 1) === text.length

/** How many characters at the beginning (`step` 1) or the end (-1) are white space. */
function edge(text: string, step: 1 | -1): number {
  let count = 0
  while (count < text.length && isSpace(text.charAt(step === 1 ? count : text.length - 1 - count))) count++
  return count
}

function split(span: InlineNode & { kind: 'text' }): InlineNode[] {
  const { text } = span
  const start = edge(text, 1)
  const end = start === text.length ? start : text.length - edge(text, -1)
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
    .filter((part) => part !== '')
    .map((part) => ({ ...span, text: part }))
}

/** Joins neighbours of one kind and one set of marks, which Markdown could not hold apart. */
function join(spans: readonly InlineNode[]): InlineNode[] {
  const joined: InlineNode[] = []
  const parts: string[] = []
  const flush = () => {
    const last = joined.at(-1)
    if (last && 'text' in last && parts.length > 1) joined[joined.length - 1] = { ...last, text: parts.join('') }
    parts.length = 0
  }
  for (const span of spans) {
    const last = joined.at(-1)
    const joins = last?.kind === span.kind && last.marks === span.marks
    if (!(joins && (span.kind === 'text' || span.kind === 'code' || span.kind === 'formula'))) {
      flush()
      joined.push(span)
    }
    if ('text' in span) parts.push(span.text)
  }
  flush()
  return joined
}

/** A break at the end of the text breaks nothing. */
function trimBreaks(spans: InlineNode[]): void {
  for (let last = spans.at(-1); last; last = spans.at(-1)) {
    if (last.kind === 'break') spans.pop()
    else if (last.kind === 'text' && last.text.endsWith('\n')) {
      const text = last.text.replace(/\n+$/, '')
      spans.pop()
      if (text !== '') spans.push({ ...last, text })
    } else return
  }
}

/** Spaces and tabs beside a line break, and at the edges of the whole text, are stripped unless encoded. */
function encodeEdges(spans: readonly InlineNode[], root: boolean): InlineNode[] {
  const stands = (neighbour: InlineNode | undefined) => (neighbour ? neighbour.kind === 'break' : root)
  const encoded: InlineNode[] = []
  for (const [index, span] of spans.entries()) {
    const edges = EDGES[(stands(spans[index - 1]) ? 1 : 0) + (stands(spans[index + 1]) ? 2 : 0)]
    if (span.kind !== 'text' || !/[ \t]/.test(span.text) || !edges?.test(span.text)) encoded.push(span)
    else {
      // Split by a group: the characters at odd places are those that were split at.
      for (const [place, text] of span.text.split(edges).entries()) {
        if (text !== '') encoded.push({ kind: place % 2 === 1 ? 'encoded' : 'text', text, marks: span.marks })
      }
    }
  }
  return encoded
}

/**
 * At the edges of a cell all white space is stripped, and not only that of Markdown. It is encoded before delimiters
 * are placed and backslashes set, which look at what stands beside them. A vertical tab has no reference, so it is a
 * space.
 */
function encodeCell(spans: readonly InlineNode[]): InlineNode[] {
  return spans.flatMap((span, index): InlineNode[] => {
    const edges = EDGES_OF_CELL[(index === 0 ? 1 : 0) + (index === spans.length - 1 ? 2 : 0)]
    if (span.kind !== 'text' || edges === undefined) return [span]
    return span.text
      .split(edges)
      .map((text, place): InlineNode => {
        if (place % 2 === 0) return { kind: 'text', text, marks: span.marks }
        return { kind: 'encoded', text: text.replace('\v', ' '), marks: span.marks }
      })
      .filter((part) => part.kind !== 'text' || part.text !== '')
  })
}

const EDGES_OF_CELL = [undefined, /^(\s)/, /(\s)$/, /(^\s|\s$)/]

/** The one space that must be encoded at each edge: inside a text; at its beginning too; at its end too; at both. */
const EDGES = [
  /((?<=\n)[ \t]|[ \t](?=\n))/,
  /((?<=\n|^)[ \t]|[ \t](?=\n))/,
  /((?<=\n)[ \t]|[ \t](?=\n|$))/,
  /((?<=\n|^)[ \t]|[ \t](?=\n|$))/,
]
