/**
 * Numbers of lines, which pages show beside code. They stand in a column of a table, beside each line, or in an element
 * of their own.
 *
 *     <tr><td class="gutter">1<br>2</td><td><pre>let a<br>let b</pre></td></tr>
 *     <pre><span>1</span>let a<br><span>2</span>let b</pre>
 */
import { codeLanguage, codeText } from '../html-code.ts'
import { attributeOf, findAll, type HtmlElement, isElement, named, styleOf, textOf } from '../html-tree.ts'

/** What a name says that pages give to columns and elements with the numbers of lines. */
const LINE_NUMBER =
  /(?:^|[\s_-])(?:line[-_]?num(?:ber)?s?|linenos?|ln-num(?:ber)?s?|ln-n|lnt?|blob-num|gutter)(?:$|[\s_-])/i
const DIGITS = /^[\d\s.:]+$/

/** True for the numbers that are shown beside lines of code. */
export const isLineNumber = (element: HtmlElement): boolean =>
  LINE_NUMBER.test(attributeOf(element, 'class')) && DIGITS.test(textOf(element).trim())

/** Makes code of tables with numbers of lines, and removes those within code. */
export function removeLineNumbers(element: HtmlElement): void {
  if (element.name === 'pre') {
    removeCounted(element)
    return
  }
  element.children = element.children.map((child) => {
    if (!isElement(child)) return child
    const code = child.name === 'table' ? codeOfTable(child) : undefined
    if (code === undefined) removeLineNumbers(child)
    return code ?? child
  })
}

/** The code in the last column of a table whose other columns count its lines; undefined for other tables. */
function codeOfTable(table: HtmlElement): HtmlElement | undefined {
  const rows = findAll(table, named('tr')).map((row) => row.children.filter(isElement).filter(named('td', 'th')))
  const columns = rows[0]?.length ?? 0
  if (columns < 2 || rows.some(({ length }) => length !== columns)) return undefined
  const code = rows.flatMap((cells) => cells.slice(-1))
  const lines = code.flatMap((cell) => codeText(cell).split('\n'))
  const isGutter = (column: number) => {
    const cells = rows.flatMap((row) => row.slice(column, column + 1))
    if (cells.every(saysNumber)) return true
    return (
      code.every(holdsCode) &&
      counts(
        cells.flatMap((cell) => codeText(cell).split('\n')),
        lines.length,
      )
    )
  }
  if (!Array.from({ length: columns - 1 }, (_, column) => column).every(isGutter)) return undefined
  const language = code.map(codeLanguage).find((one) => one !== '') ?? codeLanguage(table)
  const attributes = new Map(language === '' ? [] : [['data-language', language]])
  return { name: 'pre', attributes, children: [lines.join('\n')] }
}

/** True for a cell that says that it is for the number of a line. It may have none, where others added the line. */
function saysNumber(cell: HtmlElement): boolean {
  const text = textOf(cell).trim()
  if (text !== '' && !DIGITS.test(text)) return false
  return [cell, ...findAll(cell, isElement)].some(
    (one) => one.attributes.has('data-line-number') || LINE_NUMBER.test(attributeOf(one, 'class')),
  )
}

const holdsCode = (cell: HtmlElement): boolean =>
  findAll(cell, named('pre', 'code')).length > 0 || /(?:^|[\s_-])code(?:$|[\s_-])/i.test(attributeOf(cell, 'class'))

/** True if texts are numbers, each of which is one more than the one before, as many as there are lines. */
function counts(texts: readonly string[], lines: number): boolean {
  const numbers = texts.map((text) => text.trim())
  const first = Number(numbers[0])
  return (
    numbers.length === lines && numbers.every((text, index) => /^\d+$/.test(text) && Number(text) === first + index)
  )
}

/** Removes elements with a number from code in which each line begins with one, or that cannot be selected. */
function removeCounted(pre: HtmlElement): void {
  const found: HtmlElement[] = []
  let line = ''
  let lines = 0
  const visit = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (!isElement(child)) {
        const [head = '', ...others] = child.split('\n')
        line += head
        for (const next of others) endLine(next)
      } else if (child.name === 'br') endLine('')
      else if (/^\s*\d+\s*$/.test(textOf(child)) && line.trim() === '') found.push(child)
      else visit(child)
    }
  }
  const endLine = (next: string): void => {
    lines++
    line = next
  }
  visit(pre)
  if (line.trim() !== '') lines++
  // Numbers that are part of the code have a color.
  const isPlain = found.every(({ attributes }) => !attributes.has('class') && !attributes.has('style'))
  const isCounted = found.length > 1 && isPlain && counts(found.map(textOf), lines)
  const removed = isCounted ? found : found.filter((one) => styleOf(one, 'user-select') === 'none')
  if (removed.length > 0) remove(pre, new Set(removed))
}

function remove(element: HtmlElement, removed: ReadonlySet<unknown>): void {
  element.children = element.children.filter((child) => !removed.has(child))
  for (const child of element.children) if (isElement(child)) remove(child, removed)
}
