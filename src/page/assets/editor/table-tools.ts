/** What is shown at a table for those who point at it or have the caret in it: its menu, and the handles of rows and columns. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { tableGrips } from './table-grips.ts'
import { openTableMenu } from './table-keys.ts'
import { tableMenu } from './table-menu.ts'

/** @param wide  the element around the table, which scrolls @returns elements of the block of the table */
export const tableTools = (view: EditorView, wide: HTMLElement): HTMLElement[] => [
  tableMenu(view),
  ...tableGrips(view, wide, (position) => openMenuAt(view, position)),
]

/** Opens the menu of rows and columns for the cell at a position. */
function openMenuAt(view: EditorView, position: number): void {
  view.focus()
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position)))
  openTableMenu(view.state, undefined, view)
}
