/** Prepares what programs put on the clipboard: without what is not shown, and with boxes of tasks as elements. */
import { attributeOf, type HtmlElement, type HtmlNode, hasClass, isBlank, isElement, textOf } from '../html-tree.ts'
import { isHidden, visibilityOf } from '../style-marks.ts'
import { editorCode, isEditorCode, openCodeCards } from './code-cards.ts'
import { isLineNumber, removeLineNumbers } from './line-numbers.ts'

/** Classes of what only screen readers read out, and of the signs that Word on the web puts at the ends of paragraphs. */
const UNSEEN = [
  'sr-only',
  'visually-hidden',
  'screen-reader-text',
  'screen-reader-only',
  'EOP',
  'Apple-interchange-newline',
]
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[#*\d]\uFE0F?\u20E3|[\u200D\uFE0F])+$/u

/** @param language  of code that an editor copied; empty if it is not known */
export function cleanPasted(root: HtmlElement, language: string): void {
  removeInvisible(root, true)
  removeLineNumbers(root)
  clean(root, false)
  readEditorCode(root, language)
  openCodeCards(root)
}

/** Leaves out what an element around hides, without what is shown in it again. */
function removeInvisible(element: HtmlElement, isVisible: boolean): void {
  element.children = element.children.flatMap((child): HtmlNode[] => {
    if (!isElement(child)) return isVisible ? [child] : []
    const isShown = visibilityOf(child) ?? isVisible
    removeInvisible(child, isShown)
    return isShown || child.children.length > 0 ? [child] : []
  })
}

/** @param isDone  true in an item that is ticked off, whose text is struck out for that alone */
function clean(element: HtmlElement, isDone: boolean): void {
  element.children = element.children.flatMap((child): HtmlNode[] => {
    if (!isElement(child)) return [plainSpaces(child)]
    if (isUnseen(child)) return []
    if (child.name === 'img' && EMOJI.test(attributeOf(child, 'alt'))) return [attributeOf(child, 'alt')]
    const state = stateOf(child)
    clean(child, isDone || state === 'true')
    if (isDone || state === 'true') withoutStrike(child)
    if (state !== undefined && child.name !== 'li' && isBlank(child)) return [box(state === 'true')]
    if (state !== undefined)
      child.children = [box(state === 'true'), ...child.children.filter((one) => !isPicture(one))]
    else if (child.name === 'li' || child.name === 'p' || child.name === 'div')
      takeWrittenBox(child, child.name === 'li')
    return [child]
  })
}

function isUnseen(element: HtmlElement): boolean {
  const { name } = element
  if (name === 'meta' || name === 'link' || name === 'base' || isHidden(element)) return true
  if (UNSEEN.some((one) => hasClass(element, one)) || isLineNumber(element)) return true
  // A picture of one pixel tells its server that somebody reads the page.
  return name === 'img' && ['width', 'height'].some((side) => /^[01](?:px)?$/.test(attributeOf(element, side)))
}

const isPicture = (node: HtmlNode): boolean => isElement(node) && node.name === 'img'

/**
 * Programs write a space that no line ends at beside others, so that browsers show all of them, or at the ends of texts.
 * One between two words keeps them together.
 */
const plainSpaces = (text: string): string => text.replace(/(?<=^|\s)\u00A0|\u00A0(?=\s|$)/g, ' ')

/** `true` or `false` for what is a box: Google Docs writes items as such. */
function stateOf(element: HtmlElement): string | undefined {
  if (attributeOf(element, 'role') !== 'checkbox' || element.name === 'input') return undefined
  return attributeOf(element, 'aria-checked') === 'true' ? 'true' : 'false'
}

const box = (isChecked: boolean): HtmlElement => ({
  name: 'input',
  attributes: new Map([['type', 'checkbox'], ...(isChecked ? [['checked', ''] as const] : [])]),
  children: [],
})

const WRITTEN_BOX = /^\s*([☐☑☒])\s*/
/** Notion writes the boxes of items as Markdown does. */
const MARKDOWN_BOX = /^\s*\[([ xX])\](?:\s+|$)/

/** Replaces a box that is written at the beginning of a line. */
function takeWrittenBox(line: HtmlElement, isItem: boolean): void {
  let parent = line
  for (;;) {
    const at = parent.children.findIndex((child) => !isBlank(child) || (isElement(child) && child.name === 'input'))
    const first = parent.children[at]
    if (first === undefined) return
    if (isElement(first)) {
      if (!/^(?:p|span|font|b|strong|label|[\w-]+:[\w-]+)$/.test(first.name)) return
      parent = first
      continue
    }
    const found = WRITTEN_BOX.exec(first) ?? (isItem ? MARKDOWN_BOX.exec(first) : null)
    if (found === null) return
    const [all, sign = ''] = found
    parent.children[at] = first.slice(all.length)
    line.children = [box(!/[☐ ]/.test(sign)), ...line.children]
    return
  }
}

function withoutStrike(element: HtmlElement): void {
  const style = attributeOf(element, 'style')
  if (!style.includes('line-through')) return
  const others = style.replace(/text-decoration[^;]*;?/gi, '')
  element.attributes = new Map([...element.attributes, ['style', others]])
}

function readEditorCode(root: HtmlElement, language: string): void {
  const visit = (element: HtmlElement, isAlone: boolean): void => {
    const isAll = isAlone && element.children.filter((child) => !isBlank(child)).length === 1
    element.children = element.children.map((child) => {
      if (!isElement(child)) return child
      if (isEditorCode(child) && textOf(child).trim() !== '') return editorCode(child, language, isAll)
      visit(child, isAll)
      return child
    })
  }
  visit(root, true)
}
