/** Renders Markdown tables as HTML. */
import { readTableGrid } from '../../markdown/table-grid.ts'
import { type Html, html } from '../html.ts'
import { type InlineContentContext, inlineHtml } from './inline-content-html.ts'

/** Matches numbers such as `1,200`, `-3.5`, `48 200 €` and `12 %`, and a dash for no value. */
const NUMBER = /^(?:[-−+]?(?:[$€£¥]\s?)?\d[\d.,'\u00a0\u202f ]*(?:\s?[%$€£¥]|\s?[A-Za-z]{1,3})?|[–—-])$/

/** @param table  a normalized GFM table */
export function tableHtml(table: string, context: InlineContentContext): Html {
  const { rows, alignments } = readTableGrid(table)
  const [head = [], ...body] = rows
  const classes = head.map((_, column) => {
    const alignment = alignments[column]
    if (alignment !== undefined && alignment !== 'left') return alignment === 'right' ? 'num' : 'center'
    const cells = body.map((row) => row[column] ?? '').filter((cell) => cell !== '')
    return alignment === undefined && cells.length > 0 && cells.every((cell) => NUMBER.test(cell)) ? 'num' : ''
  })
  const cellHtml = (tag: 'th' | 'td', text: string, column: number): Html => {
    const content = inlineHtml(text, context)
    const name = classes[column] ?? ''
    // An empty cell is not a header of anything.
    if (tag === 'th' && text !== '') return html`<th scope="col" class="${name}">${content}</th>`
    return name === '' ? html`<td>${content}</td>` : html`<td class="${name}">${content}</td>`
  }
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${head.map((text, column) => cellHtml('th', text, column))}</tr></thead>
<tbody>${body.map(
    (row) => html`<tr>${row.map((text, column) => cellHtml('td', text, column))}</tr>
`,
  )}</tbody>
</table></div>`
}
