/** Parses HTML into a tree of elements and texts. */
import { type DefaultTreeAdapterMap, parse, parseFragment } from 'parse5'

export interface HtmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: HtmlNode[]
}
export type HtmlNode = HtmlElement | string

/** Maximum nesting depth. Of deeper elements, only the text is kept. */
const MAX_DEPTH = 200

/** @param html  a whole page or a fragment */
export function parseHtml(html: string): HtmlElement {
  const tree = /^\s*(?:<!doctype|<html)/i.test(html) ? parse(html) : parseFragment(html)
  return { name: '#document', attributes: new Map(), children: childrenOf(tree, 0) }
}

type ParsedNode = DefaultTreeAdapterMap['childNode']
type ParsedParent = DefaultTreeAdapterMap['parentNode']

function childrenOf(parent: ParsedParent, depth: number): HtmlNode[] {
  return parent.childNodes.flatMap((node: ParsedNode): HtmlNode[] => {
    if (node.nodeName === '#text') return [(node as DefaultTreeAdapterMap['textNode']).value]
    if (!('tagName' in node)) return []
    const { tagName, attrs } = node
    if (tagName === 'script' || tagName === 'style' || tagName === 'template') return []
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
