/** Parses HTML into a tree of elements and texts. */

import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, parseFragment, type TreeAdapter } from 'parse5'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_HTML_ELEMENTS } from '../../base/limits.ts'

export interface HtmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: HtmlNode[]
}
export type HtmlNode = HtmlElement | string

/** Maximum nesting depth. Of deeper elements, only the text is kept. */
const MAX_DEPTH = 200

/**
 * @param html  a whole page or a fragment
 * @throws Error if it has too many elements
 */
export function parseHtml(html: string): HtmlElement {
  const options = { treeAdapter: countingAdapter() }
  const tree = /^\s*(?:<!doctype|<html)/i.test(html) ? parse(html, options) : parseFragment(html, options)
  return { name: '#document', attributes: new Map(), children: childrenOf(tree, 0) }
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

const NOT_SHOWN: ReadonlySet<string> = new Set(['script', 'style', 'template'])

type ParsedNode = DefaultTreeAdapterMap['childNode']
type ParsedParent = DefaultTreeAdapterMap['parentNode']

function childrenOf(parent: ParsedParent, depth: number): HtmlNode[] {
  return parent.childNodes.flatMap((node: ParsedNode): HtmlNode[] => {
    if (node.nodeName === '#text') return [(node as DefaultTreeAdapterMap['textNode']).value]
    if (!('tagName' in node)) return []
    const { tagName, attrs } = node
    const isFormula = attrs.some(({ name, value }) => name === 'type' && value.startsWith('math/tex'))
    if (NOT_SHOWN.has(tagName) && !isFormula) return []
    const attributes = new Map(attrs.map(({ name, value }) => [name, value]))
    const children = depth < MAX_DEPTH ? childrenOf(node, depth + 1) : [textBelow(node)]
    return [{ name: tagName, attributes, children }]
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

export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string'

export const attributeOf = ({ attributes }: HtmlElement, name: string): string => attributes.get(name) ?? ''

export const hasClass = (element: HtmlElement, name: string): boolean =>
  attributeOf(element, 'class').split(/\s+/).includes(name)

/** Returns the text of an element. */
export const textOf = (node: HtmlNode): string => (isElement(node) ? node.children.map(textOf).join('') : node)

/** Returns the matching descendants, outermost first. Matches inside another match are not included. */
export function findAll(element: HtmlElement, fits: (one: HtmlElement) => boolean): HtmlElement[] {
  return element.children.filter(isElement).flatMap((child) => (fits(child) ? [child] : findAll(child, fits)))
}

export const findFirst = (element: HtmlElement, fits: (one: HtmlElement) => boolean): HtmlElement | undefined =>
  findAll(element, fits)[0]

export const named =
  (...names: string[]) =>
  ({ name }: HtmlElement): boolean =>
    names.includes(name)
