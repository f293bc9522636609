/** Commands that move the rows and columns of a table, and turn its header row on and off. */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { type Command, TextSelection, type Transaction } from 'prosemirror-state'
import { isInTable, selectedRect } from 'prosemirror-tables'
import { ReplaceStep } from 'prosemirror-transform'
import { schema } from '../model/editor-schema.ts'

const { table_cell, table_header, table_row } = schema.nodes

export type TableAxis = 'row' | 'column'

/** Moves the row or column with the caret by one place. @returns false at the edge; the header row stays the first */
export const moveCells =
  (axis: TableAxis, by: -1 | 1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false
    const { tableStart, top, left } = selectedRect(state)
    const from = axis === 'row' ? top : left
    const moved = moveInTable(state.tr, tableStart, axis, from, from + by)
    if (moved === undefined) return false
    dispatch?.(moved.scrollIntoView())
    return true
  }

/**
 * Moves a row or column. A caret in the table stays in its cell.
 *
 * @param tableStart  the position before its first row
 * @returns undefined if there is no such place
 */
export function moveInTable(
  tr: Transaction,
  tableStart: number,
  axis: TableAxis,
  from: number,
  to: number,
): Transaction | undefined {
  const table = tr.doc.nodeAt(tableStart - 1)
  if (table === null) return undefined
  const [first, count] = axis === 'row' ? [1, table.childCount] : [0, table.firstChild?.childCount ?? 0]
  const isPlace = (index: number) => index >= first && index < count
  if (from === to || !isPlace(from) || !isPlace(to)) return undefined
  const caret = caretIn(tr, tableStart)
  if (axis === 'row') reorder(tr, tableStart, table, from, to)
  else {
    for (let row = table.childCount - 1; row >= 0; row--) {
      reorder(tr, startOf(table, tableStart, row) + 1, table.child(row), from, to)
    }
  }
  return caret === undefined ? tr : restoreCaret(tr, tableStart, { ...caret, [axis]: moved(caret[axis], from, to) })
}

/** The index that a child has after another one was moved. */
function moved(index: number, from: number, to: number): number {
  if (index === from) return to
  if (from < index && index <= to) return index - 1
  return to <= index && index < from ? index + 1 : index
}

const startOf = (parent: Node, start: number, index: number): number =>
  parent.content.content.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, start)

/** Moves a child of a node whose content begins at a position. Only what is between both places is replaced. */
function reorder(tr: Transaction, start: number, parent: Node, from: number, to: number): void {
  const children = [...parent.content.content]
  const [child] = children.splice(from, 1)
  if (child === undefined) return
  children.splice(to, 0, child)
  const [first, last] = [Math.min(from, to), Math.max(from, to) + 1]
  const slice = new Slice(Fragment.fromArray(children.slice(first, last)), 0, 0)
  tr.step(new ReplaceStep(startOf(parent, start, first), startOf(parent, start, last), slice))
}

interface CaretInTable {
  row: number
  column: number
  offset: number
}

function caretIn({ selection: { $head } }: Transaction, tableStart: number): CaretInTable | undefined {
  if ($head.depth < 3 || $head.start(1) !== tableStart) return undefined
  return { row: $head.index(1), column: $head.index(2), offset: $head.parentOffset }
}

function restoreCaret(tr: Transaction, tableStart: number, { row, column, offset }: CaretInTable): Transaction {
  const table = tr.doc.nodeAt(tableStart - 1)
  if (table === null) return tr
  const cell = startOf(table.child(row), startOf(table, tableStart, row) + 1, column)
  return tr.setSelection(TextSelection.create(tr.doc, cell + 1 + offset))
}

/** True if any cell of the first row has text. Markdown has no table without that row. */
export const hasHeader = ({ firstChild }: Node): boolean =>
  firstChild?.content.content.some(({ content }) => content.size > 0) ?? false

/** Makes the header row one of the others, below an empty one; or the first of the others the header row. */
export const toggleHeader: Command = (state, dispatch) => {
  if (!isInTable(state)) return false
  const { table, tableStart } = selectedRect(state)
  const [head, next] = table.content.content
  if (head === undefined) return false
  const { tr } = state
  const caret = caretIn(tr, tableStart)
  if (hasHeader(table)) {
    const empty = table_row.create(
      null,
      head.content.content.map(({ attrs }) => table_header.create(attrs)),
    )
    tr.replaceWith(tableStart, tableStart + head.nodeSize, [empty, withType(head, table_cell)])
  } else if (next === undefined) return false
  else tr.replaceWith(tableStart, tableStart + head.nodeSize + next.nodeSize, withType(next, table_header))
  if (caret !== undefined) {
    const row = Math.max(0, caret.row + (hasHeader(table) ? 1 : -1))
    restoreCaret(tr, tableStart, { ...caret, row, offset: caret.row === 0 && row === 0 ? 0 : caret.offset })
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

const withType = (row: Node, type: typeof table_cell): Node =>
  row.copy(Fragment.fromArray(row.content.content.map(({ attrs, content }) => type.create(attrs, content))))
