/**
 * Commands for tables. Cells are never merged, the first row is the header row, and a table keeps it and one column.
 *
 *     Tab, Shift Tab            the next cell, adding a row after the last one; the previous cell
 *     Enter                     the cell below; in the last row, a block below the table
 *     Ctrl Enter                add a row below       Ctrl Shift Enter       add a column after
 *     Ctrl Shift Backspace      delete the row      Alt ArrowDown          open the menu of rows and columns
 */
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import {
  addColumn,
  addRow,
  deleteColumn,
  deleteRow,
  goToNextCell,
  isInTable,
  selectedRect,
  TableMap,
  type TableRect,
} from 'prosemirror-tables'
import { blockAround } from './block-place.ts'
import { addBelow } from './split-blocks.ts'

export type TableChange =
  | 'row above'
  | 'row below'
  | 'column before'
  | 'column after'
  | 'without row'
  | 'without column'

export const inTable = (state: EditorState): boolean => isInTable(state)

/** Adds or removes a row or a column at the selected cell. @returns false if the table must keep it */
export const changeCells =
  (change: TableChange): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false
    const rect = selectedRect(state)
    const isNarrower = rect.map.width > rect.right - rect.left
    const { tr } = state
    switch (change) {
      case 'row above':
      case 'row below': {
        // Nothing can be above the header row.
        const row = Math.max(1, change === 'row above' ? rect.top : rect.bottom)
        dispatch?.(caretIn(addRow(tr, rect, row), rect.tableStart, row, rect.left).scrollIntoView())
        return true
      }
      case 'column before':
      case 'column after': {
        const column = change === 'column before' ? rect.left : rect.right
        dispatch?.(caretIn(addColumn(tr, rect, column), rect.tableStart, rect.top, column).scrollIntoView())
        return true
      }
      case 'without row':
        return rect.top > 0 && deleteRow(state, dispatch && ((deleted) => dispatch(caretNear(deleted, rect))))
      case 'without column':
        return isNarrower && deleteColumn(state, dispatch && ((deleted) => dispatch(caretNear(deleted, rect))))
    }
  }

/** The caret stays in its row and column, or goes to the last one. */
function caretNear(tr: Transaction, { tableStart, top, left }: TableRect): Transaction {
  const table = tr.doc.nodeAt(tableStart - 1)
  if (table === null) return tr
  const { height, width } = TableMap.get(table)
  return caretIn(tr, tableStart, Math.min(top, height - 1), Math.min(left, width - 1)).scrollIntoView()
}

function caretIn(tr: Transaction, tableStart: number, row: number, column: number): Transaction {
  const table = tr.doc.nodeAt(tableStart - 1)
  if (table === null) return tr
  const position = tableStart + TableMap.get(table).positionAt(row, column, table)
  return tr.setSelection(TextSelection.near(tr.doc.resolve(position + 1)))
}

/** Tab: the next cell. After the last one, a new row. */
export const nextCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false
  if (goToNextCell(1)(state, dispatch && ((moved) => dispatch(caretAtEnd(moved))), view)) return true
  const rect = selectedRect(state)
  dispatch?.(caretIn(addRow(state.tr, rect, rect.map.height), rect.tableStart, rect.map.height, 0).scrollIntoView())
  return true
}

/** Shift Tab: the previous cell. */
export const previousCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false
  goToNextCell(-1)(state, dispatch && ((moved) => dispatch(caretAtEnd(moved))), view)
  return true
}

/** The library selects all of the cell, so that the next letter would replace it. */
const caretAtEnd = (moved: Transaction): Transaction =>
  moved.setSelection(TextSelection.create(moved.doc, moved.selection.to))

/** Enter: the cell below. In the last row, a block below the table. */
export const cellBelow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false
  const { bottom, left, map, table, tableStart } = selectedRect(state)
  if (bottom >= map.height) {
    dispatch?.(addBelow(state, blockAround(state.selection.$from)))
    return true
  }
  const position = tableStart + map.positionAt(bottom, left, table) + 1
  const { tr } = state
  const end = position + tr.doc.resolve(position).parent.content.size
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, end)).scrollIntoView())
  return true
}

/** Alt ArrowDown: the menu of rows and columns. @returns false before it is loaded */
export const openTableMenu: Command = (state, _dispatch, view) => {
  if (!isInTable(state) || view === undefined) return false
  const block = view.nodeDOM(blockAround(state.selection.$from).pos)
  const box = block instanceof HTMLElement ? block.querySelector<HTMLDetailsElement>(':scope > .table-menu') : null
  if (box === null) return false
  box.open = true
  box.querySelector('button')?.focus()
  return true
}
