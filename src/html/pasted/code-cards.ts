/** Code as pages and editors show it: in a card with its language and buttons, with numbers of lines, or as styled lines. */
import { languageName } from '../../markdown/blocks/code-block.ts'
import { codeLanguage, codeText, passLanguage } from '../html-code.ts'
import {
  attributeOf,
  findAll,
  type HtmlElement,
  type HtmlNode,
  isBlank,
  isElement,
  named,
  styleOf,
} from '../html-tree.ts'

/** What cards of code say beside the code. */
const BUTTON = /^(?:copy|copied!?|copy code|copy to clipboard|edit|run|wrap|download|expand|collapse)$/i

/** What an element shows beside code. */
interface Card {
  /** The only block of code in it; undefined if there is none, and null for several. */
  code: HtmlElement | undefined | null
  /** The text beside the code, without that of buttons. */
  label: string
}

/** Characters of a text beside code that may be the name of its language. */
const LABEL_LENGTH = 30

/** Replaces each card by its code. */
export function openCodeCards(root: HtmlElement): void {
  const visit = (element: HtmlElement): Card => {
    const card: Card = { code: undefined, label: '' }
    element.children.forEach((child, index) => {
      const found = isElement(child) ? visitElement(child) : { code: undefined, label: child.trim() }
      if (isElement(child) && found.code) element.children[index] = found.code
      if (found.code !== undefined) card.code = card.code === undefined ? found.code : null
      card.label = `${card.label} ${found.label}`.trim().slice(0, LABEL_LENGTH + 1)
    })
    return card
  }
  /** Returns its code if it is a card; then the text beside the code is its label. */
  const visitElement = (element: HtmlElement): Card => {
    if (element.name === 'button' || attributeOf(element, 'role') === 'button') return { code: undefined, label: '' }
    if (element.name === 'pre') return { code: codeOf(element), label: '' }
    passLanguage(element)
    const { code, label } = visit(element)
    if (code === undefined) return { code, label }
    const isLabel = label === '' || BUTTON.test(label) || (code !== null && isLabelOf(code, label))
    return code !== null && isLabel && !CELLS.has(element.name) ? { code, label: '' } : { code: null, label }
  }
  visit(root)
}

/** Parts of tables and lists stay, whatever stands in them. */
const CELLS: ReadonlySet<string> = new Set([
  'td',
  'th',
  'tr',
  'tbody',
  'thead',
  'tfoot',
  'li',
  'ul',
  'ol',
  'blockquote',
  'details',
])

/** True for the name of the language of code that has no other label. */
const isLabelOf = (code: HtmlElement, label: string): boolean =>
  !code.attributes.has(LABELLED) && isLanguage(label, codeLanguage(code))

/** An attribute of code whose language a card showed. */
const LABELLED = 'data-labelled'

/** True for another name of the same language. */
const isLanguage = (label: string, language: string): boolean =>
  language !== '' && languageName(label) === languageName(language)

/** The block of code without what a page shows in it beside the code: the name of the language, and buttons. */
function codeOf(pre: HtmlElement): HtmlElement {
  const [code, ...others] = findAll(pre, named('code'))
  if (code === undefined || others.length > 0 || isBlank(code)) return pre
  // A card has its label in an element of its own.
  if (pre.children.some((child) => !isElement(child) && !isBlank(child))) return pre
  const label = beside(pre, code).trim()
  if (label === '' || BUTTON.test(label)) return { ...pre, children: [code] }
  const language = codeLanguage(pre)
  const labelled = (name: string) => new Map([...pre.attributes, ['data-language', name], [LABELLED, '']])
  if (isLanguage(label, language)) return { ...pre, attributes: labelled(language), children: [code] }
  if (language !== '' || label.length > LABEL_LENGTH || !/^[\w+#.-]+$/.test(label)) return pre
  return { ...pre, attributes: labelled(label), children: [code] }
}

/** The text of an element without that of one in it, and of buttons. */
function beside(node: HtmlNode, code: HtmlElement): string {
  if (!isElement(node)) return node
  if (node === code || node.name === 'button') return ''
  return node.children.map((child) => beside(child, code)).join('')
}

const NO_CODE = named('pre', 'table', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'img')

/** True for lines that an editor of code copied: in a font for code, and with all spaces shown. */
export function isEditorCode(element: HtmlElement): boolean {
  if (element.name !== 'div' && element.name !== 'p') return false
  if (!/monospace|consolas|menlo|monaco|courier/.test(styleOf(element, 'font-family'))) return false
  return styleOf(element, 'white-space').startsWith('pre') && findAll(element, NO_CODE).length === 0
}

/** Code of an editor as an element for code: a part of one line is code in a text. */
export function editorCode(element: HtmlElement, language: string, isAll: boolean): HtmlElement {
  const text = codeText(element)
  const attributes = new Map(language === '' ? [] : [['data-language', language]])
  return { name: isAll && !text.includes('\n') ? 'code' : 'pre', attributes, children: [text] }
}
