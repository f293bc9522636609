/** Styles inline Markdown while it is typed. Lezer finds the marks. */
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import {
  type InlineContext,
  type Element as InlineElement,
  type MarkdownConfig,
  parser,
  Strikethrough,
} from '@lezer/markdown'

/** `==highlight==` and `$formula$`, with the same rules as in the rest of Scriptorium. */
const HIGHLIGHT = { resolve: 'Highlight', mark: 'HighlightMark' }
const dialect: MarkdownConfig = {
  defineNodes: ['Highlight', 'HighlightMark', 'Formula', 'FormulaMark'],
  parseInline: [
    {
      name: 'Highlight',
      parse(context: InlineContext, next: number, at: number) {
        if (next !== EQUALS || context.char(at + 1) !== EQUALS || context.char(at + 2) === EQUALS) return -1
        const before = context.slice(at - 1, at)
        const after = context.slice(at + 2, at + 3)
        return context.addDelimiter(HIGHLIGHT, at, at + 2, !/^\s?$/.test(after), !/^\s?$/.test(before))
      },
    },
    {
      name: 'Formula',
      before: 'Escape',
      parse(context: InlineContext, next: number, at: number) {
        if (next !== DOLLAR) return -1
        const [formula] = /^\$(?!\s)(?:[^$\\\n]|\\.)+(?<!\s)\$(?!\d)/.exec(context.slice(at, context.end)) ?? []
        if (formula === undefined) return -1
        const end = at + formula.length
        return context.addElement(
          context.elt('Formula', at, end, [
            context.elt('FormulaMark', at, at + 1),
            context.elt('FormulaMark', end - 1, end),
          ]),
        )
      },
    },
  ],
}
const EQUALS = 61
const DOLLAR = 36
const inlineParser = parser.configure([Strikethrough, dialect])
const nameOf = ({ type }: InlineElement): string => inlineParser.nodeSet.types[type]?.name ?? ''

/** Lezer's types omit the children of an element. */
const childrenOf = (element: InlineElement): readonly InlineElement[] =>
  (element as unknown as { children?: readonly InlineElement[] }).children ?? []

/** The HTML elements that render each kind of node. */
const TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Emphasis: 'em',
    StrongEmphasis: 'strong',
    InlineCode: 'code',
    Strikethrough: 's',
    Highlight: 'mark',
  }),
)
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Link: 'md-link',
    Autolink: 'md-link',
    Image: 'md-link',
    Formula: 'md-formula',
  }),
)
/** Marks are not part of the text. They are shown faintly, and only while the caret is inside of what they mark. */
const isMark = (name: string): boolean =>
  /Mark$/.test(name) || name === 'URL' || name === 'LinkTitle' || name === 'HTMLTag'

/** A range of text and its style. */
export interface Styled {
  from: number
  to: number
  tag?: string
  className?: string
  /** For marks and the backslash of an escape: the range that they apply to. */
  within?: { from: number; to: number }
}

/** Returns nothing for text that is too long to parse on every key press. */
export function styledRanges(text: string): Styled[] {
  if (text.length > STYLED_LENGTH) return []
  const ranges: Styled[] = []
  const visit = (element: InlineElement, parent: { from: number; to: number; name: string }) => {
    const { from, to } = element
    const name = nameOf(element)
    if (name === 'Escape') ranges.push({ from, to: from + 1, within: { from, to } })
    else if (isMark(name) && !(name === 'URL' && parent.name === 'Autolink')) {
      ranges.push({ from, to, within: name === 'HTMLTag' ? { from, to } : parent })
    }
    const tag = TAGS.get(name)
    const className = CLASSES.get(name)
    if (tag !== undefined) ranges.push({ from, to, tag })
    if (className !== undefined) ranges.push({ from, to, className })
    for (const child of childrenOf(element)) visit(child, { from, to, name })
  }
  for (const element of inlineParser.parseInline(text, 0)) visit(element, { from: 0, to: text.length, name: '' })
  return ranges
}

const STYLED_LENGTH = 20_000

/** Tags of our Markdown dialect are hidden. Any other tag is text. */
const isDialectTag = (text: string): boolean => /^<\/?(?:highlight|comment)\b[^>]*>$/.test(text)

function decorationsOf(view: EditorView): DecorationSet {
  const text = view.state.doc.toString()
  const { from, to } = view.state.selection.main
  const isNear = (range: { from: number; to: number }) => view.hasFocus && from <= range.to && to >= range.from
  const decorations = styledRanges(text).flatMap((range) => {
    const { tag, className, within } = range
    if (within === undefined) {
      return Decoration.mark(tag === undefined ? { class: className ?? '' } : { tagName: tag }).range(
        range.from,
        range.to,
      )
    }
    const marked = text.slice(range.from, range.to)
    if (/^<.*>$/.test(marked) && !isDialectTag(marked)) return []
    return (isNear(within) ? FAINT : HIDDEN).range(range.from, range.to)
  })
  return Decoration.set(decorations, true)
}

const FAINT = Decoration.mark({ class: 'md-mark' })
const HIDDEN = Decoration.replace({})

/** Shows the styles of Markdown while it is edited. */
export const inlineStyles = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = decorationsOf(view)
    }
    update({ docChanged, selectionSet, focusChanged, view }: ViewUpdate): void {
      // Marks that appear during IME composition would end the composition.
      if (view.composing && !docChanged) return
      if (docChanged || selectionSet || focusChanged) this.decorations = decorationsOf(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

/** The same styles as DOM nodes, for text that is not being edited and not on the server yet. */
export const textNodes = (text: string): Node[] =>
  styledNodes(
    text,
    styledRanges(text).filter(({ from, to, within }) => within === undefined || !isForeignTag(text.slice(from, to))),
  )

/** Renders a text with its styles and without the marks. */
export function styledNodes(text: string, ranges: readonly Styled[]): Node[] {
  const hidden = ranges.filter(({ within }) => within !== undefined)
  const edges = [...new Set([0, text.length, ...ranges.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b)
  const nodes: Node[] = []
  for (const [index, from] of edges.entries()) {
    const to = edges[index + 1]
    const covers = (range: Styled) => to !== undefined && range.from <= from && range.to >= to
    if (to === undefined || hidden.some(covers)) continue
    let node: Node = document.createTextNode(text.slice(from, to))
    for (const { tag, className, within } of ranges.filter(covers).reverse()) {
      if (within !== undefined) continue
      const element = document.createElement(tag ?? 'span')
      if (className !== undefined) element.className = className
      element.append(node)
      node = element
    }
    nodes.push(node)
  }
  return nodes
}

const isForeignTag = (text: string): boolean => /^<.*>$/.test(text) && !isDialectTag(text)
