/** The text of code, and the language that its elements name. */
import { attributeOf, findAll, findFirst, type HtmlElement, type HtmlNode, isElement, named } from './html-tree.ts'

/** Elements that begin on a line of their own. */
const LINES: ReadonlySet<string> = new Set(['div', 'p', 'li', 'tr', 'ol', 'ul', 'table', 'tbody', 'pre'])

/** The text with its line ends, also those that elements stand for. The first and the last line end do not count. */
export function codeText(element: HtmlElement): string {
  let text = ''
  const visit = (node: HtmlNode): void => {
    if (!isElement(node)) text += node
    else if (node.name === 'br') text += '\n'
    else {
      const isLine = LINES.has(node.name)
      if (isLine && text !== '' && !text.endsWith('\n')) text += '\n'
      const before = text.length
      for (const child of node.children) visit(child)
      // An empty line consists of a break alone, or of nothing.
      if (isLine && node.name !== 'table' && (text.length === before || !text.endsWith('\n'))) text += '\n'
    }
  }
  for (const child of element.children) visit(child)
  return text.replaceAll('\u00A0', ' ').replace(/^\n|\n$/g, '')
}

const LANGUAGE = /\b(?:language|lang|highlight-source|highlight-text)-([\w+#-]+)|\bbrush:\s*([\w+#-]+)/

/** The language that an element around code names, or the code in it; empty if none does. */
export function codeLanguage(element: HtmlElement): string {
  const code = findFirst(element, named('code'))
  return (code === undefined ? '' : ownLanguage(code)) || ownLanguage(element)
}

function ownLanguage(element: HtmlElement): string {
  const [, name, brush] = LANGUAGE.exec(attributeOf(element, 'class')) ?? []
  return name ?? brush ?? (attributeOf(element, 'data-language') || attributeOf(element, 'data-lang'))
}

/** Lets the only code in an element know the language that the element names, unless it names one itself. */
export function passLanguage(element: HtmlElement): void {
  const language = ownLanguage(element)
  if (language === '') return
  const [code, ...others] = findAll(element, named('pre'))
  if (code === undefined || others.length > 0 || codeLanguage(code) !== '') return
  code.attributes = new Map([...code.attributes, ['data-language', language]])
}
