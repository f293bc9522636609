/** The part of a block that is edited as one text: its whole text, or one cell of its table. */

import { type CellPlace, cellText, withCell } from '../../model/table-change.ts'
import { editableTextOf, fieldsOf, isLineOfText, textHost } from '../blocks/block-element.ts'
import { textNodes } from '../blocks/inline-styles.ts'
import { codeElement, rowsOf } from '../blocks/other-elements.ts'
import type { CaretPlace } from './inline-editor.ts'

export interface EditedPart {
  /** The element that contains the text. */
  host: HTMLElement
  text: string
  label: string
  /** True if the text is shown verbatim, with line breaks. */
  isCode: boolean
  cell?: CellPlace
  /** The text of the whole block, with this text as the edited part. */
  textWith(text: string): string
  /** Renders the text for display without the caret. */
  nodes(text: string): Node[]
}

export function editedPart(element: HTMLElement, place: CaretPlace): EditedPart | undefined {
  const host = textHost(element)
  if (host === undefined) return undefined
  const { type, language } = fieldsOf(element)
  if (type === 'table') return cellPart(element, place)
  const isCode = !isLineOfText(element)
  return {
    host,
    text: editableTextOf(element),
    label: !isCode ? 'Text of this block' : language === 'math_formula' ? 'Formula in LaTeX' : 'Code',
    isCode,
    textWith: (text) => text,
    nodes: (text) => (isCode ? [codeElement(text)] : textNodes(text)),
  }
}

function cellPart(element: HTMLElement, place: CaretPlace): EditedPart | undefined {
  const cell = cellAt(element, place)
  const host = rowsOf(element)[cell.row]?.cells[cell.column]
  if (host === undefined) return undefined
  const table = editableTextOf(element)
  const head = cellText(table, { ...cell, row: 0 })
  return {
    host,
    text: cellText(table, cell),
    label: `${head === '' || cell.row === 0 ? `Column ${cell.column + 1}` : head}, row ${cell.row + 1}`,
    isCode: false,
    cell,
    textWith: (text) => withCell(editableTextOf(element), cell, text),
    nodes: textNodes,
  }
}

/** The cell for a caret position: the first or last cell, the cell at a point, or a cell in the first or last row. */
function cellAt(element: HTMLElement, place: CaretPlace): CellPlace {
  const rows = rowsOf(element)
  const last = { row: rows.length - 1, column: (rows[0]?.cells.length ?? 1) - 1 }
  if ('cell' in place) {
    const { row, column } = place.cell
    return { row: Math.min(row, last.row), column: Math.min(column, last.column) }
  }
  if ('offset' in place) return place.offset === 0 ? { row: 0, column: 0 } : last
  const x = 'point' in place ? place.point.x : place.x
  const isBefore = (edge: number, at: number) => edge <= at
  const column = [...(rows[0]?.cells ?? [])].findLastIndex((cell) => isBefore(cell.getBoundingClientRect().left, x))
  const row =
    'point' in place
      ? rows.findLastIndex((one) => isBefore(one.getBoundingClientRect().top, place.point.y))
      : place.line === 'first'
        ? 0
        : last.row
  return { row: Math.max(0, row), column: Math.max(0, column) }
}
