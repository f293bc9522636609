/** Parses HTML into a tree of elements and texts. */
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, parseFragment, type TreeAdapter } from 'parse5'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_HTML_ELEMENTS } from '../../base/limits.ts'
import { type HtmlElement, type HtmlNode, isShown, MAX_HTML_DEPTH } from '../../html/html-tree.ts'

/**
 * @param html  a whole page or a fragment
 * @throws Error if it has too many elements
 */
export const parseHtml = (html: string): HtmlElement => parseStyledHtml(html).root

/** The same with the text of its style sheets. @throws Error if it has too many elements */
export function parseStyledHtml(html: string): { root: HtmlElement; css: string } {
  // Without scripts, what stands in `noscript` is part of the page.
  const options = { treeAdapter: countingAdapter(), scriptingEnabled: false }
  const parsed = (source: string) =>
    /^\s*(?:<!doctype|<html)/i.test(source) ? parse(source, options) : parseFragment(source, options)
  const sheets: string[] = []
  const children = childrenOf(parsed(html), 0, { sheets, parsed })
  return { root: { name: '#document', attributes: new Map(), children }, css: sheets.join('\n') }
}

/** Counts elements as they are made: for each block, a parser repeats all marks that were never closed. */
function countingAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  let count = 0
  return {
    ...defaultTreeAdapter,
    createElement(...given) {
      if (++count > IMPORT_HTML_ELEMENTS) {
        throw new Error(`Expected HTML with at most ${formatNumber(IMPORT_HTML_ELEMENTS)} elements, found more.`)
      }
      return defaultTreeAdapter.createElement(...given)
    },
  }
}

type ParsedNode = DefaultTreeAdapterMap['childNode']
type ParsedParent = DefaultTreeAdapterMap['parentNode']

interface Reading {
  /** Receives the texts of style sheets. */
  sheets: string[]
  /** Parses a page within the page. */
  parsed: (html: string) => ParsedParent
}

function childrenOf(parent: ParsedParent, depth: number, reading: Reading): HtmlNode[] {
  return parent.childNodes.flatMap((node: ParsedNode): HtmlNode[] => {
    if (node.nodeName === '#text') return [(node as DefaultTreeAdapterMap['textNode']).value]
    if (!('tagName' in node)) return []
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
    if (node.tagName === 'style') reading.sheets.push(textBelow(node))
    if (!isShown(node.tagName, attributes.get('type'))) return []
    const page = node.tagName === 'iframe' ? attributes.get('srcdoc') : undefined
    const holder = page === undefined || depth >= MAX_HTML_DEPTH ? node : reading.parsed(page)
    const children = depth < MAX_HTML_DEPTH ? childrenOf(holder, depth + 1, reading) : [textBelow(node)]
    return [{ name: node.tagName, attributes, children }]
  })
}

/** Returns the text below an element, without recursion. */
function textBelow(parent: ParsedParent): string {
  let text = ''
  const waiting: ParsedNode[] = [...parent.childNodes].reverse()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterMap['textNode']).value
    else if ('childNodes' in node) waiting.push(...[...node.childNodes].reverse())
  }
  return text
}
