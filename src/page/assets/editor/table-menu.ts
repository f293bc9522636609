/** The button that is shown while the caret is in a table, and its menu of rows and columns. */
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { blockAround } from './block-place.ts'
import { changeCells, inTable, type TableChange } from './table-keys.ts'

const CHANGES: readonly [name: string, change: TableChange][] = [
  ['Row above', 'row above'],
  ['Row below', 'row below'],
  ['Column before', 'column before'],
  ['Column after', 'column after'],
  ['Delete row', 'without row'],
  ['Delete column', 'without column'],
]

/** By key: how many entries of the menu the focus moves. */
const STEPS = new Map(Object.entries({ ArrowDown: 1, ArrowUp: -1 }))

export function tableMenu(editor: () => EditorView): HTMLElement {
  const box = document.createElement('details')
  box.className = 'table-menu'
  box.contentEditable = 'false'
  const list = document.createElement('div')
  for (const [label, change] of CHANGES) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label })
    // Keeps the caret in its cell.
    button.addEventListener('pointerdown', (event) => event.preventDefault())
    button.addEventListener('click', () => {
      const view = editor()
      box.open = false
      if (!changeCells(change)(view.state, view.dispatch))
        announce(change === 'without row' ? 'A table keeps its head.' : 'A table keeps one column.')
      view.focus()
    })
    list.append(button)
  }
  box.append(Object.assign(document.createElement('summary'), { textContent: 'Rows and columns' }), list)
  box.addEventListener('keydown', (event) => {
    const items = [...list.querySelectorAll('button')]
    const step = STEPS.get(event.key)
    if (event.key === 'Escape') {
      box.open = false
      editor().focus()
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

/** Alt ArrowDown. */
export const openTableMenu: Command = (state, _dispatch, view) => {
  if (!inTable(state) || view === undefined) return false
  const block = view.nodeDOM(blockAround(state.selection.$from).pos)
  const box = block instanceof HTMLElement ? block.querySelector<HTMLDetailsElement>(':scope > .table-menu') : null
  if (box === null) return false
  box.open = true
  box.querySelector('button')?.focus()
  return true
}
