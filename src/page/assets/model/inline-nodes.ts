/**
 * Inline Markdown as nodes of the editor, and back. The project's own reader and writer of Markdown do the work, so that
 * the page and the server agree on every character.
 */
import { Fragment, Mark, type Node } from 'prosemirror-model'
import { isLineBreak } from '../../../markdown/inline/html-tags.ts'
import { BOLD, type ContainerNode, type InlineNode, ITALIC, STRIKE } from '../../../markdown/inline/inline-node.ts'
import { readInline } from '../../../markdown/inline/read-inline.ts'
import { writeInline } from '../../../markdown/inline/write-inline.ts'
import { schema } from './editor-schema.ts'

/** Where text stands. In a cell of a table, each line end is a tag. */
export type TextPlace = 'text' | 'cell'

const { nodes, marks } = schema
const BITS = [
  [ITALIC, marks.italic],
  [BOLD, marks.bold],
  [STRIKE, marks.strike],
] as const

/**
 * The Markdown of content that was read, until it is changed. Content that stays as it is keeps its spelling, even
 * where its normal form differs.
 */
const readFrom = new WeakMap<Fragment, string>()

/** Reads inline Markdown as content of a block or cell. */
export function readContent(markdown: string): Fragment {
  const content = Fragment.fromArray(joined(markEdges(readInline(markdown).flatMap((span) => nodesOf(span, [])))))
  readFrom.set(content, markdown)
  return content
}

/** Writes content as inline Markdown. White space at the edges of its lines is left out, unless it was read there. */
export function writeContent(content: Fragment, place: TextPlace = 'text'): string {
  const known = readFrom.get(content)
  if (known !== undefined) return known
  const markdown = writeInline(spansOf(writtenNodes(content)), place)
  readFrom.set(content, markdown)
  return markdown
}

function nodesOf(span: InlineNode, outer: readonly Mark[]): Node[] {
  const bits = BITS.filter(([bit]) => span.marks & bit).map(([, type]) => type.create())
  const all = withMarks([...outer, ...bits])
  switch (span.kind) {
    case 'text':
    case 'encoded':
      return textNodes(span.text, all)
    case 'code':
      return textNodes(span.text, withMarks([...all, marks.code.create()]))
    case 'formula':
      return [nodes.formula.create({ text: span.text, fence: span.fence }, null, all)]
    case 'image':
      return [nodes.picture.create({ url: span.url, alt: span.alt, title: span.title }, null, all)]
    case 'autolink':
      return textNodes(span.text, withMarks([...all, marks.link.create({ url: span.text, isAuto: true })]))
    case 'break':
      return [nodes.line_break.create({ written: 'hard' }, null, all)]
    case 'html':
      if (isLineBreak(span.source)) return [nodes.line_break.create({ written: span.source }, null, all)]
      return [nodes.tag.create({ source: span.source }, null, all)]
    case 'link':
      return within(span, marks.link.create({ url: span.url, title: span.title }), all)
    case 'highlight':
      return within(span, marks.highlight.create({ color: span.color, isPair: span.isPair === true }), all)
    case 'comment':
      return within(span, marks.comment.create({ id: span.id }), all)
  }
}

function within(span: ContainerNode, mark: Mark, outer: readonly Mark[]): Node[] {
  const inside = span.spans.flatMap((inner) => nodesOf(inner, [...outer, mark]))
  // Marks need characters.
  return inside.length > 0 ? inside : [nodes.tag.create({ source: writeInline([{ ...span, marks: 0 }]) }, null, outer)]
}

/** Marks come in the order of the schema. */
const withMarks = (all: readonly Mark[]): readonly Mark[] =>
  all.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])

function textNodes(text: string, all: readonly Mark[]): Node[] {
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [nodes.line_break.create({ written: 'soft' }, null, all)] : []),
      ...(line === '' ? [] : [schema.text(line, all)]),
    ])
}

/** Adjacent texts with the same marks are one node, as everywhere in the editor. */
function joined(list: readonly Node[]): Node[] {
  const result: Node[] = []
  for (const node of list) {
    const last = result.at(-1)
    if (last?.isText && node.isText && last.sameMarkup(node)) {
      result[result.length - 1] = schema.text(`${last.text}${node.text}`, last.marks)
    } else result.push(node)
  }
  return result
}

const isBreak = (node: Node | undefined): boolean => node === undefined || node.type === nodes.line_break

/** Marks white space at the edges of lines, which is there on purpose: Markdown has it as character references. */
function markEdges(list: readonly Node[]): Node[] {
  return splitEdges(list, (space) => schema.text(space.text ?? '', marks.edge_space.create().addToSet(space.marks)))
}

/** What is written: without white space that was only typed at the edges of lines. */
function writtenNodes(content: Fragment): Node[] {
  const list = splitEdges(content.content, (space) => (marks.edge_space.isInSet(space.marks) ? space : undefined))
  return list.map((node, index) => {
    const isRepeated = [index - 1, index, index + 1].filter((at) => list[at]?.type === nodes.line_break).length > 1
    // A blank line would end the block.
    return isRepeated && node.type === nodes.line_break && !String(node.attrs.written).startsWith('<')
      ? nodes.line_break.create({ written: '<br>' }, null, node.marks)
      : node
  })
}

/** Passes the white space at the start and end of each line to `change`, which returns what stands there. */
function splitEdges(list: readonly Node[], change: (space: Node) => Node | undefined): Node[] {
  const forward = splitStarts(list, /^[ \t\u00a0]+/, change)
  return splitStarts(forward.reverse(), /[ \t\u00a0]+$/, change).reverse()
}

function splitStarts(list: readonly Node[], pattern: RegExp, change: (space: Node) => Node | undefined): Node[] {
  const result: Node[] = []
  let isEdge = true
  for (const node of list) {
    const { text = '' } = node
    const space: string =
      isEdge && node.isText && !marks.code.isInSet(node.marks) ? (pattern.exec(text)?.[0] ?? '') : ''
    isEdge = node.isText ? isEdge && space.length === text.length : isBreak(node)
    if (space === '') {
      result.push(node)
      continue
    }
    const rest = pattern.source.startsWith('^') ? text.slice(space.length) : text.slice(0, -space.length)
    const kept = change(schema.text(space, node.marks))
    if (kept !== undefined) result.push(kept)
    if (rest !== '') result.push(schema.text(rest, node.marks))
  }
  return result
}

/** The marks that hold spans of their own, and their spans. */
const CONTAINERS = new Set([marks.comment, marks.link, marks.highlight])

/**
 * Nests the flat marks of the editor. Of several containers that begin at the same place, the longest one is outside.
 *
 *     link "a" · link, bold "b" · "c"  →  link("a" · bold "b") · "c"
 */
function spansOf(list: readonly Node[]): InlineNode[] {
  const spans: InlineNode[] = []
  for (let at = 0; at < list.length; ) {
    const node = list[at] as Node
    const held = outermost(
      node.marks.filter(({ type }) => CONTAINERS.has(type)).map((mark) => ({ mark, end: endOf(list, at, mark) })),
    )
    if (held === undefined) {
      spans.push(spanOf(node))
      at++
      continue
    }
    const inside = list.slice(at, held.end).map((one) => one.mark(held.mark.removeFromSet(one.marks)))
    spans.push(...containersOf(held.mark, inside))
    at = held.end
  }
  return spans
}

interface Held {
  mark: Mark
  end: number
}

/** An address in angle brackets holds no other marks, so that it is inside of them. */
function outermost(all: readonly Held[]): Held | undefined {
  const others = all.filter(({ mark }) => !mark.attrs.isAuto)
  return (others.length > 0 ? others : all).toSorted((one, other) => other.end - one.end)[0]
}

function endOf(list: readonly Node[], start: number, mark: Mark): number {
  const { marks: first } = list[start] as Node
  let end = start
  // An address in angle brackets is one text.
  const goesOn = (all: readonly Mark[]) => (mark.attrs.isAuto ? Mark.sameSet(all, first) : mark.isInSet(all))
  while (end < list.length && goesOn((list[end] as Node).marks)) end++
  return end
}

function containersOf({ type, attrs }: Mark, inside: readonly Node[]): InlineNode[] {
  if (attrs.isAuto) {
    const text = inside.map((node) => node.text ?? '').join('')
    // The same address twice in a row is one mark.
    const times = text.length / attrs.url.length
    if (text === attrs.url.repeat(Math.floor(times))) {
      return Array<InlineNode>(times).fill({ kind: 'autolink', text: attrs.url, marks: bitsOf(inside[0]?.marks ?? []) })
    }
  }
  const spans = spansOf(inside)
  if (type === marks.link) return [{ kind: 'link', url: attrs.url, title: attrs.title, spans, marks: 0 }]
  if (type === marks.comment) return [{ kind: 'comment', id: attrs.id, spans, marks: 0 }]
  return [{ kind: 'highlight', color: attrs.color, ...(attrs.isPair && { isPair: true }), spans, marks: 0 }]
}

function bitsOf(all: readonly Mark[]): number {
  return BITS.reduce((bits, [bit, type]) => (type.isInSet(all) ? bits | bit : bits), 0)
}

function spanOf(node: Node): InlineNode {
  const { attrs, text = '' } = node
  const own = { marks: bitsOf(node.marks) }
  switch (node.type) {
    case nodes.formula:
      return { kind: 'formula', text: attrs.text, fence: attrs.fence, ...own }
    case nodes.picture:
      return { kind: 'image', url: attrs.url, alt: attrs.alt, title: attrs.title, ...own }
    case nodes.tag:
      return { kind: 'html', source: attrs.source, ...own }
    case nodes.line_break:
      if (attrs.written === 'soft') return { kind: 'text', text: '\n', ...own }
      if (attrs.written === 'hard') return { kind: 'break', ...own }
      return { kind: 'html', source: attrs.written, ...own }
    default:
      return marks.code.isInSet(node.marks) ? { kind: 'code', text, ...own } : { kind: 'text', text, ...own }
  }
}
