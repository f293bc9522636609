/** Converts HTML in a browser. It is parsed in a separate, inert document, which runs and loads nothing. */
import { formatNumber } from '../../../base/format-number.ts'
import { PASTED_ELEMENTS } from '../../../base/limits/browser-limits.ts'
import { type HtmlElement, type HtmlNode, isShown, MAX_HTML_DEPTH } from '../../../html/html-tree.ts'
import { convertPasted, type PastedBlocks } from '../../../html/pasted/convert-pasted.ts'

/** @throws Error if it has too many elements or too large tables */
export function convertHtml(html: string, language: string): PastedBlocks {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  if (parsed.getElementsByTagName('*').length > PASTED_ELEMENTS) {
    throw new Error(
      `Expected HTML with at most ${formatNumber(PASTED_ELEMENTS)} elements, found more; paste it in parts.`,
    )
  }
  const css = [...parsed.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n')
  const root: HtmlElement = { name: '#document', attributes: new Map(), children: childrenOf(parsed.body, 0) }
  return convertPasted({ root, css, language })
}

function childrenOf(parent: Node, depth: number): HtmlNode[] {
  return [...parent.childNodes].flatMap((node): HtmlNode[] => {
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) return [node.nodeValue ?? '']
    if (!(node instanceof Element)) return []
    const name = node.nodeName.toLowerCase()
    const attributes = new Map([...node.attributes].map((one) => [one.name, one.value]))
    if (!isShown(name, attributes.get('type'))) return []
    const children = depth < MAX_HTML_DEPTH ? childrenOf(node, depth + 1) : [node.textContent]
    return [{ name, attributes, children }]
  })
}
