/**
 * Edits tables cell by cell:
 *
 *     Tab, Shift Tab            the next cell, adding a row after the last one; the previous cell
 *     Enter                     the cell below; in the last row, a block below the table
 *     arrows                    at the edges of a cell, the adjacent cells
 *     Ctrl Enter                add a row below       Ctrl Shift Enter       add a column after
 *     Ctrl Shift Backspace      delete the row        Alt ArrowDown          the menu
 */

import { type CellPlace, changeTable, type TableChange } from '../../model/table-change.ts'
import { blockId, fieldsOf, textHost } from '../blocks/block-element.ts'
import { announce } from '../blocks/edited-page.ts'
import { rowsOf, tableElement } from '../blocks/other-elements.ts'
import type { OpenText } from './text-structure.ts'

const END = Number.MAX_SAFE_INTEGER
/** By key: how many entries of the menu the focus moves. */
const STEPS = new Map(Object.entries({ ArrowDown: 1, ArrowUp: -1 }))

export interface OpenTable extends OpenText {
  readonly cell: CellPlace | undefined
}

const CHANGES: readonly [name: string, change: TableChange][] = [
  ['Row above', 'row above'],
  ['Row below', 'row below'],
  ['Column before', 'column before'],
  ['Column after', 'column after'],
  ['Delete row', 'without row'],
  ['Delete column', 'without column'],
]

/** Changes rows or columns as one call. */
export function reshape(editor: OpenTable, change: TableChange): void {
  const { element, cell } = editor
  if (element === undefined || cell === undefined) return
  editor.flush()
  const changed = changeTable(editor.words, cell, change)
  if (changed === undefined) {
    announce(change === 'without row' ? 'A table keeps its head.' : 'A table keeps one column.')
    return
  }
  editor.stopEditing()
  editor.writer.write(editor.writer.textStep(element, fieldsOf(element), changed.table))
  textHost(element)?.replaceWith(tableElement(changed.table))
  editor.open(element, { cell: changed.at, offset: END })
}

/** Handles a key with Ctrl. @returns true if the key belongs to the table */
export function commandKey(editor: OpenTable, { key, shiftKey }: KeyboardEvent): boolean {
  if (key === 'Enter') reshape(editor, shiftKey ? 'column after' : 'row below')
  else if (key === 'Backspace' && shiftKey) reshape(editor, 'without row')
  else return false
  return true
}

/** Handles Tab and Enter, which move to other cells. @returns true if it was one of them */
export function cellKey(editor: OpenTable, { key, shiftKey }: KeyboardEvent): boolean {
  if (key === 'Tab') {
    if (!goToNeighbor(editor, shiftKey ? -1 : 1) && !shiftKey) addRow(editor)
  } else if (key === 'Enter') {
    if (!goTo(editor, 1, 0) && editor.element !== undefined)
      editor.add({ position: 'after', siblingId: blockId(editor.element) })
  } else return false
  return true
}

/** @returns true if the cell exists */
export function goTo(editor: OpenTable, rows: number, columns: number, offset = END): boolean {
  const { element, cell } = editor
  if (element === undefined || cell === undefined) return false
  const place = { row: cell.row + rows, column: cell.column + columns }
  if (rowsOf(element)[place.row]?.cells[place.column] === undefined) return false
  editor.open(element, { cell: place, offset })
  return true
}

/** Moves to the previous or next cell, across the ends of rows. */
export function goToNeighbor(editor: OpenTable, by: -1 | 1, offset = END): boolean {
  const { element, cell } = editor
  if (element === undefined || cell === undefined) return false
  if (goTo(editor, 0, by, offset)) return true
  const columns = rowsOf(element)[0]?.cells.length ?? 1
  return goTo(editor, by, -by * (columns - 1), offset)
}

function addRow(editor: OpenTable): void {
  reshape(editor, 'row below')
  const { element, cell } = editor
  if (element !== undefined && cell !== undefined) editor.open(element, { cell: { ...cell, column: 0 }, offset: 0 })
}

/** The button that is shown while a table is edited, and its menu. */
export function tableMenu(editor: OpenTable): HTMLElement {
  const box = document.createElement('details')
  box.className = 'table-menu'
  const name = document.createElement('summary')
  name.textContent = 'Rows and columns'
  const list = document.createElement('div')
  for (const [label, change] of CHANGES) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', () => reshape(editor, change))
    list.append(button)
  }
  box.append(name, list)
  box.addEventListener('keydown', (event) => {
    const items = [...list.querySelectorAll('button')]
    const step = STEPS.get(event.key)
    const { element, cell } = editor
    if (event.key === 'Escape' && element !== undefined && cell !== undefined) {
      box.open = false
      editor.open(element, { cell, offset: END })
    } else if (step !== undefined) {
      box.open = true
      const at = items.indexOf(document.activeElement as HTMLButtonElement)
      items[(at + step + items.length) % items.length]?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  })
  return box
}

export function openTableMenu({ element }: OpenTable): void {
  const box = element?.querySelector<HTMLDetailsElement>('.table-menu')
  if (!box) return
  box.open = true
  box.querySelector('button')?.focus()
}
