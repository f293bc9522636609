/** Renders tables and code until the server has rendered them. */
import { fenceLabel } from '../../../../markdown/blocks/code-block.ts'
import { readTableGrid } from '../../../../markdown/table-grid.ts'
import type { Fields } from '../../model/block-text.ts'
import { textNodes } from './inline-styles.ts'

/** The rows of the table in a block, beginning with the header row. */
export const rowsOf = (element: HTMLElement): HTMLTableRowElement[] => [
  ...(element.querySelector<HTMLTableElement>('.wide > table')?.rows ?? []),
]

export function codeElement(text: string): HTMLElement {
  const code = document.createElement('code')
  code.textContent = text
  return code
}

/** The element that contains the code or formula of a block. */
export function codeHost(code: string, fields: Pick<Fields, 'language' | 'info'>): HTMLElement {
  const isFormula = fields.language === 'math_formula'
  const host = document.createElement(isFormula ? 'div' : 'pre')
  if (isFormula) host.className = 'formula'
  else host.dataset.language = fenceLabel(fields)
  host.append(codeElement(code))
  return host
}

/** Renders a table that the server has not rendered yet. */
export function tableElement(table: string): HTMLElement {
  const { rows, alignments } = readTableGrid(table)
  const wide = document.createElement('div')
  wide.className = 'wide'
  wide.tabIndex = 0
  wide.setAttribute('role', 'group')
  wide.setAttribute('aria-label', 'Table')
  const shown = document.createElement('table')
  for (const [index, cells] of rows.entries()) {
    const row = (index === 0 ? shown.createTHead() : (shown.tBodies[0] ?? shown.createTBody())).insertRow()
    for (const [column, text] of cells.entries()) {
      const isHead = index === 0 && text !== ''
      const cell = document.createElement(isHead ? 'th' : 'td')
      if (isHead) cell.setAttribute('scope', 'col')
      const alignment = alignments[column]
      if (alignment === 'right') cell.className = 'num'
      else if (alignment === 'center') cell.className = 'center'
      cell.append(...textNodes(text))
      row.append(cell)
    }
  }
  wide.append(shown)
  return wide
}
