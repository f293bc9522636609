/** A table with the rows and cells that a suggestion changes. */
import { editsBetween } from '../../difference/text-edits.ts'
import { readTableGrid } from '../../markdown/table-grid.ts'
import { suggestedRuns } from '../blocks/suggested-words.ts'
import { type Html, html } from '../html.ts'
import { proposedSpans, proposedText } from './proposed-words.ts'
import { runsHtml } from './suggested-text.ts'

/** @returns undefined if the columns are others: the Markdown says it better then */
export function suggestedTable(before: string, after: string): Html | undefined {
  const [old, now] = [readTableGrid(before), readTableGrid(after)]
  if (JSON.stringify(old.alignments) !== JSON.stringify(now.alignments)) return undefined
  const rows = pairedRows(old.rows, now.rows)
  if (rows === undefined) return undefined
  const [head = { kind: 'same', cells: [] }, ...body] = rows
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table with suggested changes"><table><thead>${rowHtml(head, 'th')}</thead>
<tbody>${body.map((row) => rowHtml(row, 'td'))}</tbody></table></div>`
}

type Cells = readonly string[]
type Row = { kind: 'same' | 'added' | 'removed'; cells: Cells } | { kind: 'changed'; before: Cells; after: Cells }

/** Rows that were changed in place are shown as one, with the words of their cells. */
function pairedRows(old: readonly Cells[], now: readonly Cells[]): Row[] | undefined {
  const keysOf = (rows: readonly Cells[]) => rows.map((row) => JSON.stringify(row))
  const edits = editsBetween(keysOf(old), keysOf(now))
  if (edits === undefined) return undefined
  const rows: Row[] = []
  let [from, to] = [0, 0]
  for (const edit of edits) {
    for (const cells of old.slice(from, edit.from)) rows.push({ kind: 'same', cells })
    to += edit.from - from
    const [struck, put] = [old.slice(edit.from, edit.to), now.slice(to, to + edit.tokens.length)]
    for (let at = 0; at < Math.max(struck.length, put.length); at++) {
      const [before, after] = [struck[at], put[at]]
      if (before === undefined) rows.push({ kind: 'added', cells: after ?? [] })
      else if (after === undefined) rows.push({ kind: 'removed', cells: before })
      else rows.push({ kind: 'changed', before, after })
    }
    to += put.length
    from = edit.to
  }
  for (const cells of old.slice(from)) rows.push({ kind: 'same', cells })
  return rows
}

function rowHtml(row: Row, tag: 'th' | 'td'): Html {
  const cell = (content: Html) => (tag === 'th' ? html`<th scope="col">${content}</th>` : html`<td>${content}</td>`)
  switch (row.kind) {
    case 'same':
      return html`<tr>${row.cells.map((text) => cell(proposedText(text)))}</tr>`
    case 'added':
      return html`<tr class="row-added">${row.cells.map((text) => cell(text === '' ? html`` : html`<ins class="new">${proposedText(text)}</ins>`))}</tr>`
    case 'removed':
      return html`<tr class="row-removed">${row.cells.map((text) => cell(text === '' ? html`` : html`<del class="old">${proposedText(text)}</del>`))}</tr>`
    case 'changed':
      return html`<tr>${row.before.map((text, column) => cell(runsHtml(suggestedRuns(text, row.after[column] ?? ''), proposedSpans)))}</tr>`
  }
}
