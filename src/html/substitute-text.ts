/** Elements that show another text than the one in them: lists to choose from, and formulas in MathML. */
import { attributeOf, findAll, type HtmlElement, isElement, named, textOf } from './html-tree.ts'

/** The text that an element shows instead of what stands in it; undefined for other elements. */
export function substituteText(element: HtmlElement): string | undefined {
  if (element.name === 'select') return chosenOptions(element).map(oneLine).join(', ')
  if (element.name === 'math') return mathText(element)
  return undefined
}

/** What is chosen. A list that shows one line has its first option chosen, unless another one is. */
function chosenOptions(select: HtmlElement): string[] {
  const options = findAll(select, named('option'))
  const chosen = options.filter(({ attributes }) => attributes.has('selected'))
  const label = (option: HtmlElement) => attributeOf(option, 'label') || textOf(option)
  if (select.attributes.has('multiple')) return chosen.map(label)
  const isOneLine = !(Number(attributeOf(select, 'size')) > 1)
  const first = isOneLine ? options.find(({ attributes }) => !attributes.has('disabled')) : undefined
  const shown = chosen.at(-1) ?? first
  return shown === undefined ? [] : [label(shown)]
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What MathML keeps beside the formula, in other forms. */
const ANNOTATIONS = named('annotation', 'annotation-xml')

/** A formula on one line: `x = (a + 1)/2`, `x^2`, `√(x)`. What stands above or below each other must not run together. */
function mathText(element: HtmlElement): string {
  const parts = element.children.filter((child) => isElement(child) && !ANNOTATIONS(child)) as HtmlElement[]
  const [first = '', second = '', third = ''] = parts.map(mathText)
  switch (element.name) {
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`
    case 'msup':
    case 'mover':
      return `${grouped(first)}^${grouped(second)}`
    case 'msub':
    case 'munder':
      return `${grouped(first)}_${grouped(second)}`
    case 'msubsup':
    case 'munderover':
      return `${grouped(first)}_${grouped(second)}^${grouped(third)}`
    case 'msqrt':
      return `√(${joined(parts)})`
    case 'mroot':
      return `${grouped(second)}√(${first})`
    case 'mtable':
      return parts.map(mathText).join('; ')
    case 'mtr':
      return parts.map(mathText).join(', ')
    case 'mo':
      return operator(oneLine(textOf(element)))
    default:
      return parts.length > 0 ? joined(parts) : oneLine(textOf(element))
  }
}

const joined = (parts: readonly HtmlElement[]): string => oneLine(parts.map(mathText).join(''))

/** Spaces stand around signs between two terms. */
const operator = (sign: string): string =>
  /^[=<>≤≥≠≈±+−×·∈→⇒∧∨]$|^-$/u.test(sign) ? ` ${sign} ` : INVISIBLE.test(sign) ? '' : sign

/** Function application, and times, separator and plus that are not shown. */
const INVISIBLE = /^[\u2061-\u2064]$/

const grouped = (text: string): string => (/^[\p{L}\p{N}.,]*$|^.$/u.test(text) ? text : `(${text})`)
