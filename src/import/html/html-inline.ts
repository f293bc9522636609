/** Converts inline HTML to inline Markdown. */
import type { HighlightColor } from '../../markdown/block.ts'
import { BOLD, type InlineNode, ITALIC, STRIKE } from '../../markdown/inline/inline-node.ts'
import { writeConverted } from '../../markdown/inline/write-inline.ts'
import { normalizeText } from '../../markdown/inline-text.ts'
import { attributeOf, type HtmlElement, type HtmlNode, isElement, textOf } from './html-tree.ts'

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

/** Returns the text of a block: without white space at its ends, and with the line breaks of the HTML. */
export function inlineText(nodes: readonly HtmlNode[], context: InlineContext): string {
  const spans = trimmed(nodes.flatMap((node) => spansOf(node, 0, context)))
  return spans.length === 0 ? '' : normalizeText(writeConverted(spans))
}

function spansOf(node: HtmlNode, marks: number, context: InlineContext): InlineNode[] {
  if (!isElement(node)) {
    // Some programs put zero-width characters next to formulas.
    const text = node.replaceAll('\uFEFF', '').replace(/[ \t\r\n\f]+/g, ' ')
    return text === '' ? [] : [{ kind: 'text', text, marks }]
  }
  const { name, children } = node
  const inner = (more = marks) => children.flatMap((child) => spansOf(child, more, context))
  if (name === 'br') return [{ kind: 'break', marks: 0 }]
  const formula = context.formulaOf(node)
  if (formula !== undefined) return [formulaNode(formula.replace(/\s+/g, ' ').trim())]
  const own = context.spansOf?.(node)
  if (own !== undefined) return own
  if (name === 'a') return linkOf(node, inner(), context)
  if (CODE.has(name)) {
    const text = textOf(node).replace(/\s+/g, ' ')
    return text.trim() === '' ? [] : [{ kind: 'code', text, marks }]
  }
  const color = context.highlightOf(node)
  if (color !== undefined) {
    const spans = inner()
    return spans.length === 0 ? [] : [{ kind: 'highlight', color, spans, marks: 0 }]
  }
  if (KEPT.has(name)) {
    const spans = inner()
    const tag = (source: string): InlineNode => ({ kind: 'html', source, marks })
    return spans.length === 0 ? [] : [tag(`<${name}>`), ...spans, tag(`</${name}>`)]
  }
  const { more, isPlain } = styleOf(node)
  const all = marks | (MARKS.get(name) ?? 0) | more
  return inner(isPlain ? all & ~BOLD : all)
}

/** A formula that cannot be put between `$` signs becomes code. */
function formulaNode(text: string): InlineNode {
  const isPlain = text !== '' && !text.includes('$') && !text.endsWith('\\')
  return isPlain ? { kind: 'formula', text, fence: '$', marks: 0 } : { kind: 'code', text: text || ' ', marks: 0 }
}

/** Reads formatting from the style attribute, as notes from Evernote have it. */
function styleOf(element: HtmlElement): { more: number; isPlain: boolean } {
  const style = attributeOf(element, 'style').toLowerCase()
  if (style === '') return { more: 0, isPlain: false }
  let more = 0
  if (/font-weight:\s*(?:bold|[6-9]00)/.test(style)) more |= BOLD
  if (/font-style:\s*italic/.test(style)) more |= ITALIC
  if (/text-decoration[^;]*line-through/.test(style)) more |= STRIKE
  return { more, isPlain: /font-weight:\s*(?:normal|400)/.test(style) }
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
