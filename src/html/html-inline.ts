/** Converts inline HTML to inline Markdown. */
import type { HighlightColor } from '../markdown/block.ts'
import { BOLD, type InlineNode, ITALIC, STRIKE } from '../markdown/inline/inline-node.ts'
import { writeConverted } from '../markdown/inline/write-inline.ts'
import { normalizeText } from '../markdown/inline-text.ts'
import { attributeOf, type HtmlElement, type HtmlNode, isElement, textOf } from './html-tree.ts'
import { styleMarks } from './style-marks.ts'
import { substituteText } from './substitute-text.ts'

export interface InlineContext {
  /** Returns the address of a link, or undefined to keep only its text. @param label  text of the link */
  addressOf(href: string, label: string): string | undefined
  /** Returns the formula that an element shows, if it is one. */
  formulaOf(element: HtmlElement): string | undefined
  /** Converts an inline element that has a special meaning in the source. Returns undefined for other elements. */
  spansOf?(element: HtmlElement): InlineNode[] | undefined
  /** Returns the highlight color of an element, if it has one. */
  highlightOf(element: HtmlElement): HighlightColor | undefined
}

const MARKS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ b: BOLD, strong: BOLD, i: ITALIC, em: ITALIC, cite: ITALIC, dfn: ITALIC, var: ITALIC },
    ...{ s: STRIKE, del: STRIKE, strike: STRIKE },
  }),
)
/** Elements that our Markdown keeps as they are. */
const KEPT: ReadonlySet<string> = new Set(['sub', 'sup', 'u'])
const CODE: ReadonlySet<string> = new Set(['code', 'tt', 'samp', 'kbd'])

export const isInlineCode = ({ name }: HtmlElement): boolean => CODE.has(name)

/** True if an element changes how text in it is written. */
export const isFormatting = (element: HtmlElement, context: InlineContext): boolean =>
  MARKS.has(element.name) ||
  KEPT.has(element.name) ||
  element.name === 'a' ||
  context.highlightOf(element) !== undefined

/**
 * The texts of a paragraph, without white space at their ends, and with the line breaks of the HTML. Where two breaks
 * leave a line empty, the next text begins.
 *
 * @param isBold  true where all text is shown bold, as in headings: then bold is no mark of its own
 */
export function inlineTexts(nodes: readonly HtmlNode[], context: InlineContext, isBold = false): string[] {
  const spans = nodes.flatMap((node) => spansOf(node, PLAIN, context))
  return paragraphs(isBold ? withoutWholeBold(spans) : spans).flatMap((paragraph) => {
    const kept = trimmed(paragraph)
    const text = kept.length === 0 ? '' : normalizeText(writeConverted(kept))
    return text.trim() === '' ? [] : [text]
  })
}

/** What surrounds a text. */
interface Around {
  marks: number
  isLink: boolean
  keepsLines: boolean
  tags: readonly string[]
}

const PLAIN: Around = { marks: 0, isLink: false, keepsLines: false, tags: [] }

function spansOf(node: HtmlNode, around: Around, context: InlineContext): InlineNode[] {
  if (!isElement(node)) return textSpans(node, around)
  const { name, children } = node
  const inner = (inside = around) => children.flatMap((child) => spansOf(child, inside, context))
  const { marks } = around
  if (name === 'br') return [{ kind: 'break', marks: 0 }]
  const formula = context.formulaOf(node)
  if (formula !== undefined) return [formulaNode(formula.replace(/\s+/g, ' ').trim())]
  const own = context.spansOf?.(node)
  if (own !== undefined) return own
  const style = styleMarks(node)
  const shown = substituteText(node)
  const inside: Around = {
    ...around,
    marks: ((marks | (MARKS.get(name) ?? 0)) & ~style.off) | style.on,
    keepsLines: style.keepsLines ?? around.keepsLines,
  }
  if (shown !== undefined) return textSpans(shown, inside)
  // Browsers show the quotation marks, which are not in the text.
  if (name === 'q') return [...textSpans('\u201C', inside), ...inner(inside), ...textSpans('\u201D', inside)]
  if (name === 'a') return linkOf(node, inner({ ...inside, isLink: true }), context)
  if (CODE.has(name)) {
    const text = textOf(node).replace(/\s+/g, ' ')
    return text.trim() === '' ? [] : [{ kind: 'code', text, marks: inside.marks }]
  }
  const color = context.highlightOf(node)
  if (color !== undefined) {
    const spans = inner(inside)
    return spans.length === 0 ? [] : [{ kind: 'highlight', color, spans, marks: 0 }]
  }
  // Links are underlined everywhere.
  const looks = style.tags.filter((tag) => !(tag === 'u' && around.isLink))
  const tags = (KEPT.has(name) ? [name, ...looks] : looks).filter((tag) => !around.tags.includes(tag))
  if (tags.length === 0) return inner(inside)
  const spans = inner({ ...inside, tags: [...around.tags, ...tags] })
  if (spans.every(isBlankSpan)) return spans
  const tag = (source: string): InlineNode => ({ kind: 'html', source, marks: inside.marks })
  return [...tags.map((one) => tag(`<${one}>`)), ...spans, ...tags.toReversed().map((one) => tag(`</${one}>`))]
}

function textSpans(text: string, { marks, keepsLines }: Around): InlineNode[] {
  // Some programs put zero-width characters next to formulas.
  const lines = keepsLines ? text.split(/\r\n?|\n/) : [text]
  return lines.flatMap((line, index): InlineNode[] => {
    const words = line.replaceAll('\uFEFF', '').replace(/[ \t\r\n\f]+/g, ' ')
    return [
      ...(index > 0 ? [{ kind: 'break' as const, marks: 0 }] : []),
      ...(words === '' ? [] : [{ kind: 'text' as const, text: words, marks }]),
    ]
  })
}

const isBlankSpan = (span: InlineNode): boolean =>
  span.kind === 'break' || (span.kind === 'text' && span.text.trim() === '')

/** A formula that cannot be put between `$` signs becomes code. */
function formulaNode(text: string): InlineNode {
  const isPlain = text !== '' && !text.includes('$') && !text.endsWith('\\')
  return isPlain ? { kind: 'formula', text, fence: '$', marks: 0 } : { kind: 'code', text: text || ' ', marks: 0 }
}

function linkOf(element: HtmlElement, spans: InlineNode[], context: InlineContext): InlineNode[] {
  const href = attributeOf(element, 'href').trim()
  const url = href === '' ? undefined : context.addressOf(href, textOf(element).trim())
  if (url === undefined || spans.length === 0) return spans
  // Markdown does not allow links inside links.
  return [{ kind: 'link', url, title: '', spans: spans.flatMap(withoutLinks), marks: 0 }]
}

const withoutLinks = (span: InlineNode): InlineNode[] =>
  span.kind === 'link' ? span.spans.flatMap(withoutLinks) : [span]

/** The same without bold, if no text is without it. */
function withoutWholeBold(spans: InlineNode[]): InlineNode[] {
  const isWhole = (span: InlineNode): boolean =>
    isBlankSpan(span) || ('spans' in span ? span.spans.every(isWhole) : (span.marks & BOLD) !== 0)
  const plain = (span: InlineNode): InlineNode => ({
    ...span,
    marks: span.marks & ~BOLD,
    ...('spans' in span && { spans: span.spans.map(plain) }),
  })
  return spans.every(isWhole) ? spans.map(plain) : spans
}

/** Splits spans where two line breaks follow each other. Tags that are open there are closed, and opened again. */
function paragraphs(spans: readonly InlineNode[]): InlineNode[][] {
  const parts: InlineNode[][] = [[]]
  const open: InlineNode[] = []
  let breaks = 0
  for (const span of spans) {
    const isEnd = span.kind === 'html' && span.source.startsWith('</')
    if (span.kind === 'break') breaks++
    else if (!isEnd && !(span.kind === 'text' && span.text === ' ')) {
      if (breaks > 1) {
        const part = parts.at(-1) ?? []
        for (let last = part.at(-1); last !== undefined && isBlankSpan(last); last = part.at(-1)) part.pop()
        part.push(...open.toReversed().map(closing))
        parts.push([...open])
      }
      breaks = 0
    }
    if (span.kind === 'html') {
      if (isEnd) open.pop()
      else open.push(span)
    }
    parts.at(-1)?.push(span)
  }
  return parts
}

const closing = (span: InlineNode): InlineNode =>
  span.kind === 'html' ? { ...span, source: span.source.replace('<', '</') } : span

/** Removes white space and line breaks at both ends, and spaces around line breaks. */
function trimmed(spans: readonly InlineNode[]): InlineNode[] {
  const kept: InlineNode[] = []
  for (const span of spans) {
    const last = kept.at(-1)
    const follows = last === undefined || last.kind === 'break' || (last.kind === 'text' && last.text.endsWith(' '))
    if (span.kind === 'text') {
      const text = follows ? span.text.replace(/^ +/, '') : span.text
      if (text !== '') kept.push({ ...span, text })
    } else {
      if (span.kind === 'break' && last?.kind === 'text') last.text = last.text.replace(/ +$/, '')
      if (!(span.kind === 'break' && kept.length === 0)) kept.push(span)
    }
  }
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    if (last.kind === 'text') last.text = last.text.replace(/ +$/, '')
    if (last.kind !== 'break' && !(last.kind === 'text' && last.text === '')) break
    kept.pop()
  }
  return kept.filter((span) => span.kind !== 'text' || span.text !== '')
}
