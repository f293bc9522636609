/** The button that is shown while the caret is in a table, and its menu of rows and columns. */
import type { Command } from 'prosemirror-state'
import { selectedRect } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { text } from '../page-text.ts'
import { changeCells, inTable } from './table-keys.ts'
import { hasHeader, moveCells, toggleHeader } from './table-moves.ts'

interface TableEntry {
  name: string
  run: Command
  /** The announcement if it cannot be done. */
  refusal?: string
}

const HEADER = text('Header row')
const FIRST_ROWS = text('The header row stays above the others.')

const ENTRIES: readonly TableEntry[] = [
  { name: text('Row above'), run: changeCells('row above') },
  { name: text('Row below'), run: changeCells('row below') },
  { name: text('Column before'), run: changeCells('column before') },
  { name: text('Column after'), run: changeCells('column after') },
  { name: text('Move row up'), run: moveCells('row', -1), refusal: FIRST_ROWS },
  { name: text('Move row down'), run: moveCells('row', 1), refusal: text('This row cannot move further down.') },
  { name: text('Move column back'), run: moveCells('column', -1), refusal: text('This is the first column.') },
  { name: text('Move column forward'), run: moveCells('column', 1), refusal: text('This is the last column.') },
  { name: HEADER, run: toggleHeader, refusal: text('There is no row that could be the header.') },
  { name: text('Delete row'), run: changeCells('without row'), refusal: text('A table keeps its head.') },
  { name: text('Delete column'), run: changeCells('without column'), refusal: text('A table keeps one column.') },
]

/** By key: how many entries of the menu the focus moves. */
const STEPS = new Map(Object.entries({ ArrowDown: 1, ArrowUp: -1 }))

export function tableMenu(view: EditorView): HTMLElement {
  const box = document.createElement('details')
  box.className = 'table-menu'
  box.contentEditable = 'false'
  const list = document.createElement('div')
  for (const { name, run, refusal = '' } of ENTRIES) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name })
    // Keeps the caret in its cell.
    button.addEventListener('pointerdown', (event) => event.preventDefault())
    button.addEventListener('click', () => {
      box.open = false
      if (!run(view.state, view.dispatch)) announce(refusal)
      view.focus()
    })
    list.append(button)
    if (name === HEADER)
      box.addEventListener('toggle', () => {
        const { state } = view
        button.setAttribute('aria-pressed', String(inTable(state) && hasHeader(selectedRect(state).table)))
      })
  }
  box.append(Object.assign(document.createElement('summary'), { textContent: text('Rows and columns') }), list)
  box.addEventListener('keydown', (event) => {
    const items = [...list.querySelectorAll('button')]
    const step = STEPS.get(event.key)
    if (event.key === 'Escape') {
      box.open = false
      view.focus()
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
