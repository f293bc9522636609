/** A table with the rows and cells that a suggestion changes. */
import { editsBetween } from '../../difference/text-edits.ts'
import { type ColumnAlignment, readTableGrid } from '../../markdown/table-grid.ts'
import { suggestedRuns } from '../blocks/suggested-words.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { proposedSpans, proposedText } from './proposed-words.ts'
import { runsHtml } from './suggested-text.ts'
import { alignmentHtml, unnamedHtml } from './table-heads.ts'

/** @returns undefined if no column stays */
export function suggestedTable(before: string, after: string): Html | undefined {
  const [old, now] = [readTableGrid(before), readTableGrid(after)]
  const columns = pairedColumns(old.rows[0] ?? [], now.rows[0] ?? [])
  const kept = columns?.filter(({ from, to }) => from !== undefined && to !== undefined) ?? []
  if (columns === undefined || kept.length === 0) return undefined
  const rows = pairedRows(old.rows, now.rows, columns, kept)
  if (rows === undefined) return undefined
  const [head, ...body] = rows
  const aligned = columns.map(({ from, to }) => alignedHtml(old.alignments[from ?? -1], now.alignments[to ?? -1]))
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table with suggested changes"><table><thead>${head && headHtml(head, aligned)}</thead>
<tbody>${body.map((row) =>
    rowHtml(
      row,
      row.cells.map((cell) => html`<td>${cellHtml(cell)}</td>`),
    ),
  )}</tbody></table></div>`
}

type Cells = readonly string[]
/** A column by where it is before and after. */
type Column = { from?: number; to?: number }
type Cell = { before?: string | undefined; after?: string | undefined }
type Row = { kind: 'kept' | 'added' | 'removed'; cells: readonly Cell[] }

/** Columns that are renamed stay where they are; where their number changes, those of the same name stay. */
function pairedColumns(old: Cells, now: Cells): Column[] | undefined {
  if (old.length === now.length) return old.map((_, index) => ({ from: index, to: index }))
  const edits = editsBetween([...old], [...now])
  if (edits === undefined) return undefined
  const columns: Column[] = []
  let [from, to] = [0, 0]
  const keep = (end: number) => {
    while (from < end) columns.push({ from: from++, to: to++ })
  }
  for (const edit of edits) {
    keep(edit.from)
    keep(Math.min(edit.to, from + edit.tokens.length))
    const put = edit.tokens.length - (from - edit.from)
    while (from < edit.to) columns.push({ from: from++ })
    for (let at = 0; at < put; at++) columns.push({ to: to++ })
  }
  keep(old.length)
  return columns
}

/** Rows that were changed in place are shown as one, with the words of their cells. */
function pairedRows(
  old: readonly Cells[],
  now: readonly Cells[],
  columns: readonly Column[],
  kept: readonly Column[],
): Row[] | undefined {
  const keysOf = (rows: readonly Cells[], side: keyof Column) =>
    rows.map((row) => JSON.stringify(kept.map((column) => row[column[side] ?? 0] ?? '')))
  const edits = editsBetween(keysOf(old, 'from'), keysOf(now, 'to'))
  if (edits === undefined) return undefined
  const rowOf = (before: Cells | undefined, after: Cells | undefined): Row => ({
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'kept',
    cells: columns.map(({ from, to }) => ({
      before: from === undefined ? undefined : before && (before[from] ?? ''),
      after: to === undefined ? undefined : after && (after[to] ?? ''),
    })),
  })
  const rows: Row[] = []
  let [from, to] = [0, 0]
  const keep = (end: number) => {
    while (from < end) rows.push(rowOf(old[from++], now[to++]))
  }
  for (const edit of edits) {
    keep(edit.from)
    const put = now.slice(to, to + edit.tokens.length)
    const struck = old.slice(edit.from, edit.to)
    for (let at = 0; at < Math.max(struck.length, put.length); at++) rows.push(rowOf(struck[at], put[at]))
    to += put.length
    from = edit.to
  }
  keep(old.length)
  return rows
}

const ROW_CLASSES = { kept: '', added: 'row-added', removed: 'row-removed' } as const

const headHtml = (row: Row, aligned: readonly Html[]): Html =>
  rowHtml(
    row,
    row.cells.map((cell, at) => html`<th scope="col">${cellHtml(cell, unnamedHtml())}${aligned[at]}</th>`),
  )

const rowHtml = ({ kind }: Row, cells: readonly Html[]): Html =>
  kind === 'kept' ? html`<tr>${cells}</tr>` : html`<tr class="${ROW_CLASSES[kind]}">${cells}</tr>`

/** How a column is aligned, and was before. One that is new, or gone, is aligned on one side only. */
function alignedHtml(before: ColumnAlignment, after: ColumnAlignment): Html {
  if (before === after) return alignmentHtml(after)
  const [was, is] = [alignmentHtml(before), alignmentHtml(after)]
  return html`${before !== undefined && html`<del class="old">${was}</del>`}${after !== undefined && html`<ins class="new">${is}</ins>`}`
}

/** @param empty  in place of a cell without text that is new, or gone */
function cellHtml({ before, after }: Cell, empty: Html = NOTHING): Html {
  if (before !== undefined && after !== undefined)
    return before === after ? proposedText(before) : runsHtml(suggestedRuns(before, after), proposedSpans)
  const only = before ?? after ?? ''
  const shown = only === '' ? empty : proposedText(only)
  if (shown === NOTHING) return NOTHING
  return before === undefined ? html`<ins class="new">${shown}</ins>` : html`<del class="old">${shown}</del>`
}
