/** Writes spans as inline Markdown. */

import { firstCharacter, lastCharacter } from './characters.ts'
import { writeCodeSpan } from './code-span.ts'
import { writeFormula } from './formula.ts'
import { type EscapeAtom, escapeAtoms, type LabelContext } from './inline-escapes.ts'
import { type ContainerNode, type InlineNode, isContainer } from './inline-node.ts'
import { writeTag } from './inline-tag.ts'
import { writeResource } from './link-resource.ts'
import { type Edge, encodedEdges, type PlacedMarks, placeMarks } from './marks.ts'
import { narrowMarks } from './narrow-marks.ts'
import { type InlineContext, normalizeInline } from './normalize-inline.ts'
import { readInline } from './read-inline.ts'

/** The normal form of spans. Parsing it gives the same spans, and writing these the same text. */
export function writeInline(spans: readonly InlineNode[], whole: InlineContext = 'text'): string {
  return writeSpans(normalizeInline(spans, whole), 0)
}

/**
 * The normal form of spans that come from another format, without a character reference beside a mark: marks move off
 * punctuation where Markdown cannot express them there.
 */
export function writeConverted(spans: readonly InlineNode[]): string {
  return writeSpans(normalizeInline(spans), NARROWED_TIMES)
}

/** Writes `==` where it is read back as the same highlight. Next to some characters, only the tag can be read back: `a == b==`. */
function writeSpans(spans: readonly InlineNode[], narrows: number): string {
  const written = writeAtoms(spans, narrows)
  if (!spans.some(holdsPair)) return written
  const tagged = spans.map(withTags)
  const plain = writeAtoms(tagged, narrows)
  return writeAtoms(normalizeInline(readInline(written)).map(withTags), narrows) === plain ? written : plain
}

function writeAtoms(spans: readonly InlineNode[], narrows: number): string {
  const atoms: EscapeAtom[] = []
  put(spans, { first: '', last: '' }, undefined, atoms, narrows)
  return escapeAtoms(atoms)
}

const holdsPair = (span: InlineNode): boolean =>
  isContainer(span) && ((span.kind === 'highlight' && span.isPair === true) || span.spans.some(holdsPair))

function withTags(span: InlineNode): InlineNode {
  if (!isContainer(span)) return span
  const { isPair: _, ...tagged } = { isPair: undefined, ...span, spans: span.spans.map(withTags) }
  return tagged
}

/** How often marks are moved off punctuation: at its outer edges, and where marks inside then have new edges. */
const NARROWED_TIMES = 3

/** Writes the spans of one container as atoms. `around` contains the characters before and after them. */
function put(
  spans: readonly InlineNode[],
  around: Edge,
  label: LabelContext | undefined,
  atoms: EscapeAtom[],
  narrows: number,
): void {
  const placed = placeMarks(spans, edgesOf(spans, around), around, narrows > 0)
  const others = withoutMisplaced(spans, placed)
  if (others !== undefined) {
    const context = around.first === '' ? 'text' : 'container'
    put(normalizeInline(others, context), around, label, atoms, narrows - 1)
    return
  }
  for (const [at, span] of spans.entries()) {
    mark(placed.delimiters[at], atoms)
    if (isContainer(span)) putContainer(span, label, atoms, narrows)
    else if (span.kind === 'text') {
      const { start, text, end } = encodedEdges(span.text, placed.encodeFirst.has(at), placed.encodeLast.has(at))
      raw(start, atoms)
      if (text !== '') atoms.push({ kind: 'text', text, label })
      raw(end, atoms)
    } else if (span.kind === 'image') {
      raw('![', atoms)
      if (span.alt !== '') atoms.push({ kind: 'text', text: span.alt, label: labelOf([span.alt]) })
      raw(`]${writeResource(span.url, span.title)}`, atoms)
    } else {
      const next = spans[at + 1]
      const following = placed.delimiters[at + 1] || (next ? edgeOf(next).first : around.last)
      raw(span.kind === 'break' && endsWithAddress(spans[at - 1]) ? '  \n' : writeLeaf(span, following), atoms)
    }
  }
  mark(placed.delimiters[spans.length], atoms)
}

/** The spans without the marks that have no place, or undefined if all have one. */
function withoutMisplaced(spans: readonly InlineNode[], { narrowed, lost }: PlacedMarks): InlineNode[] | undefined {
  if (narrowed.length > 0) return narrowMarks(spans, narrowed)
  if (lost.size > 0) return spans.map((span, at) => (lost.has(at) ? { ...span, marks: 0 } : span))
  return undefined
}

function putContainer(
  span: ContainerNode,
  label: LabelContext | undefined,
  atoms: EscapeAtom[],
  narrows: number,
): void {
  if (span.kind === 'link') {
    raw('[', atoms)
    put(span.spans, { first: '[', last: ']' }, labelOf(textsOf(span.spans)), atoms, narrows)
    raw(`]${writeResource(span.url, span.title)}`, atoms)
    return
  }
  if (span.kind === 'highlight' && span.isPair) {
    mark('==', atoms)
    put(span.spans, { first: '=', last: '=' }, label, atoms, narrows)
    mark('==', atoms)
    return
  }
  const { open, close } = writeTag(span)
  raw(open, atoms)
  put(span.spans, { first: '>', last: '<' }, label, atoms, narrows)
  raw(close, atoms)
}

/** Elsewhere than here, a backslash would be read as a part of the address. */
const endsWithAddress = (span: InlineNode | undefined): boolean =>
  span?.kind === 'text' && /(?:https?:\/\/|www\.|@)[^\s<]{1,2000}$/.test(span.text.slice(-2000))

function writeLeaf(span: InlineNode, next: string): string {
  switch (span.kind) {
    case 'code':
      return writeCodeSpan(span.text)
    case 'formula':
      return writeFormula(span, next)
    case 'autolink':
      return `<${span.text}>`
    case 'encoded':
      return `&#${span.text.charCodeAt(0)};`
    case 'break':
      return '\\\n'
    case 'html':
      return span.source
    case 'text':
    case 'image':
    case 'link':
    case 'highlight':
    case 'comment':
      return ''
  }
}

function raw(text: string, atoms: EscapeAtom[]): void {
  if (text !== '') atoms.push({ kind: 'raw', text })
}

function mark(text: string | undefined, atoms: EscapeAtom[]): void {
  if (text) atoms.push({ kind: 'marks', text })
}

/** A variation selector alone is part of the character before it, which may be that of another span. */
function edgesOf(spans: readonly InlineNode[], around: Edge): Edge[] {
  let before = around.first
  return spans.map((span) => {
    const { first, last } = edgeOf(span)
    before = lastCharacter(before + last)
    return { first, last: before }
  })
}

/** The first and last characters of a span as written, as far as they affect adjacent delimiters. */
function edgeOf(span: InlineNode): Edge {
  switch (span.kind) {
    case 'text':
      return { first: firstCharacter(span.text), last: lastCharacter(span.text) }
    case 'encoded':
      return { first: '&', last: ';' }
    case 'code':
      return { first: '`', last: '`' }
    case 'formula':
      return { first: '$', last: '$' }
    case 'image':
      return { first: '!', last: ')' }
    case 'link':
      return { first: '[', last: ')' }
    case 'break':
      return { first: '\\', last: '\n' }
    case 'highlight':
      return span.isPair ? { first: '=', last: '=' } : { first: '<', last: '>' }
    case 'autolink':
    case 'html':
    case 'comment':
      return { first: '<', last: '>' }
  }
}

/** The brackets of a label need no escapes if they are balanced and cannot be mistaken for a link. */
function labelOf(texts: readonly string[]): LabelContext {
  let depth = 0
  for (const text of texts) {
    if (text.includes('](')) return { bare: false }
    for (const [bracket] of text.matchAll(/[[\]]/g)) {
      depth += bracket === '[' ? 1 : -1
      if (depth < 0) return { bare: false }
    }
  }
  return { bare: depth === 0 }
}

function textsOf(spans: readonly InlineNode[]): string[] {
  return spans.flatMap((span) => {
    if (isContainer(span)) return textsOf(span.spans)
    return span.kind === 'text' ? [span.text] : []
  })
}
