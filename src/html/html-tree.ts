/**
 * HTML as a tree of elements and texts: the form that both the parser of imports and the one of a browser give, so that
 * one converter reads either.
 */

export interface HtmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: HtmlNode[]
}
export type HtmlNode = HtmlElement | string

/** Maximum nesting depth. Of deeper elements, only the text is kept. */
export const MAX_HTML_DEPTH = 200

const NOT_SHOWN: ReadonlySet<string> = new Set(['script', 'style', 'template'])

/** False for elements whose content is no text of the page. Formulas may stand in scripts. */
export const isShown = (name: string, type = ''): boolean => !NOT_SHOWN.has(name) || type.startsWith('math/tex')

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

/** True if an element contains no text but white space. */
export const isBlank = (node: HtmlNode): boolean => textOf(node).trim() === ''

const PROPERTIES = new Map<string, RegExp>()

/** The value of a property in the style attribute of an element, in lower case; empty if it has none. The last one counts. */
export function styleOf(element: HtmlElement, property: string): string {
  const style = attributeOf(element, 'style')
  if (style === '') return ''
  const pattern = PROPERTIES.get(property) ?? new RegExp(`(?:^|;)\\s*${property}\\s*:([^;]*)`, 'gi')
  PROPERTIES.set(property, pattern)
  let value = ''
  for (const [, found = ''] of style.matchAll(pattern)) value = found
  return value.trim().toLowerCase()
}
