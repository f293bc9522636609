/** Converts HTML in a browser. It is parsed in a separate, inert document, which runs and loads nothing. */
import { formatNumber } from '../../../base/format-number.ts'
import { PASTED_ELEMENTS } from '../../../base/limits/browser-limits.ts'
import { type HtmlElement, type HtmlNode, isShown, MAX_HTML_DEPTH } from '../../../html/html-tree.ts'
import { convertPasted, type PastedBlocks } from '../../../html/pasted/convert-pasted.ts'
import { notKeptSentences } from './not-kept.ts'

export interface ConvertedHtml extends Omit<PastedBlocks, 'notKept'> {
  /** What could not be kept, as sentences for people. */
  notKept: string[]
}

/** @throws Error if it has too many elements or too large tables */
export function convertHtml(html: string, language: string): ConvertedHtml {
  const sheets: string[] = []
  let count = 0
  /** Parses a page, or one within a page. */
  function bodyOf(source: string): HTMLElement {
    const parsed = new DOMParser().parseFromString(source, 'text/html')
    count += parsed.getElementsByTagName('*').length
    if (count > PASTED_ELEMENTS) {
      throw new Error(
        `Expected HTML with at most ${formatNumber(PASTED_ELEMENTS)} elements, found more; paste it in parts.`,
      )
    }
    sheets.push(...[...parsed.querySelectorAll('style')].map(({ textContent }) => textContent))
    return parsed.body
  }
  const children = childrenOf(bodyOf(html), 0, bodyOf)
  const root: HtmlElement = { name: '#document', attributes: new Map(), children }
  const { blocks, markdown, notKept } = convertPasted({ root, css: sheets.join('\n'), language })
  return { blocks, markdown, notKept: notKeptSentences(notKept) }
}

function childrenOf(parent: Node, depth: number, bodyOf: (html: string) => HTMLElement): HtmlNode[] {
  return [...parent.childNodes].flatMap((node): HtmlNode[] => {
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) return [node.nodeValue ?? '']
    if (!(node instanceof Element)) return []
    const name = node.nodeName.toLowerCase()
    const attributes = new Map([...node.attributes].map((one) => [one.name, one.value]))
    if (!isShown(name, attributes.get('type'))) return []
    if (depth >= MAX_HTML_DEPTH) return [{ name, attributes, children: [node.textContent] }]
    const page = name === 'iframe' ? attributes.get('srcdoc') : undefined
    const children = childrenOf(page === undefined ? node : bodyOf(page), depth + 1, bodyOf)
    return [{ name, attributes, children }]
  })
}
