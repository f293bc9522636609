/**
 * Normalizes spans: moves marks off white space at their edges, joins adjacent equal spans, and encodes white space
 * that parsers would strip from the edges of lines.
 */

import { isSpace } from './characters.ts'
import { isComment, isLineBreak } from './html-tags.ts'
import { type InlineNode, isContainer } from './inline-node.ts'
import { orderMarks } from './marks.ts'

/** The context of spans. Edges of a container are not edges of a line, since its tags are there. */
export type InlineContext = 'text' | 'cell' | 'container'

export function normalizeInline(spans: readonly InlineNode[], whole: InlineContext = 'text'): InlineNode[] {
  const inner = spans.map((span) =>
    isContainer(span) ? { ...span, spans: normalizeInline(span.spans, 'container') } : span,
  )
  const trimmed = join(trimMarks(whole === 'text' ? withoutBlockLines(inner) : inner))
  if (whole !== 'container') trimBreaks(trimmed)
  if (whole === 'cell') return encodeCell(encodeEdges(trimmed.flatMap(withoutLineEnds), true))
  return encodeEdges(trimmed, whole !== 'container')
}

/** A cell is one line of a text: each line end in it is a tag. */
function withoutLineEnds(span: InlineNode): InlineNode[] {
  if (isContainer(span)) return [{ ...span, spans: span.spans.flatMap(withoutLineEnds) }]
  const tag: InlineNode = { kind: 'html', source: '<br>', marks: span.marks }
  if (span.kind === 'break') return [tag]
  if (span.kind !== 'text' || !span.text.includes('\n')) return [span]
  const lines = span.text.split(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/).map((text): InlineNode => ({ ...span, text }))
  return lines.flatMap((line, index) => [
    ...(index > 0 ? [tag] : []),
    ...(line.kind === 'text' && line.text !== '' ? [line] : []),
  ])
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
  const blank = cut.map((span) => isBreak(span) || (span.kind === 'text' && isBlank(span.text)))
  const updateBoundary = (index: number, neighbour: number) => {
    const span = cut[index]
    if (span && blank[index]) cut[index] = { ...span, marks: span.marks & (cut[neighbour]?.marks ?? 0) }
  }
  for (let index = 0; index < cut.length; index++) updateBoundary(index, index - 1)
  for (let index = cut.length - 1; index >= 0; index--) updateBoundary(index, index + 1)
  // Marks can only be split around each other if two overlap.
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

/** The number of white space characters at the start (`step` 1) or end (-1). */
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

/** Joins adjacent spans of the same kind with the same marks, which Markdown cannot separate. */
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

/** Marks on a line break or a comment show nothing. */
const isBreak = (span: InlineNode): boolean =>
  span.kind === 'break' || (span.kind === 'html' && (isLineBreak(span.source) || isComment(span.source)))

/**
 * Without line ends beside which nothing but comments, or a first `<br>`, would stand on a line. Such a line is a block
 * of its own, so that a comment goes on the line before or after it.
 */
function withoutBlockLines(spans: readonly InlineNode[]): InlineNode[] {
  if (!spans.some(({ kind }) => kind === 'html')) return [...spans]
  const lines = linesOf(spans)
  const kept: InlineNode[] = []
  let isAfterComment = false
  for (const [index, { spans: line, end }] of lines.entries()) {
    const shown = line.filter((span) => span.kind !== 'text' || !isBlank(span.text))
    const [first] = shown
    const isFirstBreak = kept.length === 0 && shown.length === 1 && first?.kind === 'html' && isLineBreak(first.source)
    if (isFirstBreak) continue
    const isComments = shown.length > 0 && shown.every((span) => span.kind === 'html' && isComment(span.source))
    if (index > 0 && (isComments || isAfterComment) && isLineEnd(kept.at(-1))) kept.splice(-1, 1, SPACE)
    kept.push(...line, ...(end === undefined ? [] : [end]))
    isAfterComment = isComments
  }
  return kept
}

const SPACE: InlineNode = { kind: 'text', text: ' ', marks: 0 }
const isLineEnd = (span: InlineNode | undefined): boolean =>
  span?.kind === 'break' || (span?.kind === 'text' && span.text === '\n')

function linesOf(spans: readonly InlineNode[]): { spans: InlineNode[]; end?: InlineNode }[] {
  const lines: { spans: InlineNode[]; end?: InlineNode }[] = []
  let line: InlineNode[] = []
  for (const span of spans) {
    const parts = span.kind === 'text' ? span.text.split(/(\n)/).map((text) => ({ ...span, text })) : [span]
    for (const part of parts) {
      if (isLineEnd(part)) {
        lines.push({ spans: line, end: part })
        line = []
      } else if (part.kind !== 'text' || part.text !== '') line.push(part)
    }
  }
  return [...lines, { spans: line }]
}

/** Removes a line break at the end of the text. */
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

/** Encodes spaces and tabs next to line breaks and at the edges of the text, which would be stripped otherwise. */
function encodeEdges(spans: readonly InlineNode[], root: boolean): InlineNode[] {
  const stands = (neighbour: InlineNode | undefined) => (neighbour ? neighbour.kind === 'break' : root)
  const encoded: InlineNode[] = []
  for (const [index, span] of spans.entries()) {
    const edges = EDGES[(stands(spans[index - 1]) ? 1 : 0) + (stands(spans[index + 1]) ? 2 : 0)]
    if (span.kind !== 'text' || !/[ \t]/.test(span.text) || !edges?.test(span.text)) encoded.push(span)
    else {
      // Split with a capturing group: entries at odd indexes are the separators.
      for (const [place, text] of span.text.split(edges).entries()) {
        if (text !== '') encoded.push({ kind: place % 2 === 1 ? 'encoded' : 'text', text, marks: span.marks })
      }
    }
  }
  return encoded
}

/**
 * Encodes all white space at the edges of a cell, where not only Markdown's own is stripped. Done before delimiters are
 * placed and backslashes added, since both depend on adjacent characters. A vertical tab has no reference and becomes a
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

/** The spaces to encode, for a text between other spans, at the start of the line, at its end, or alone on it. */
const EDGES = [
  /((?<=\n)[ \t]|[ \t](?=\n))/,
  /((?<=\n|^)[ \t]|[ \t](?=\n))/,
  /((?<=\n)[ \t]|[ \t](?=\n|$))/,
  /((?<=\n|^)[ \t]|[ \t](?=\n|$))/,
]
