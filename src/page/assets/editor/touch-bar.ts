/**
 * Selects blocks one by one, for touch: each tap on a block selects or deselects it, and a bar at the edge of the window
 * offers actions.
 */

import { undo } from 'prosemirror-history'
import { type Command, Plugin, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { inBackground } from '../page-background.ts'
import { move, nest } from './block-fields.ts'
import { blockAround, selectedBlocks, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { markdownOfSlice } from './copied-blocks.ts'
import { deleteBlocks } from './split-blocks.ts'

const starts = new WeakMap<EditorView, (position?: number) => void>()

/** Starts selecting, with or without a first block. If already started, selects or deselects the block. */
export const startTouch = (view: EditorView, position?: number): void => starts.get(view)?.(position)

export function touchBar(): Plugin {
  return new Plugin({
    view(view) {
      const bar = document.createElement('section')
      bar.className = 'selection-bar'
      bar.hidden = true
      bar.setAttribute('aria-label', 'Selected blocks')
      const words = document.createElement('p')
      words.setAttribute('role', 'status')
      bar.append(words)
      const run = (command: Command) => () => command(view.state, view.dispatch, view)
      const onBlocks = (command: Command) => () => view.state.selection instanceof BlockRange && run(command)()
      const button = (text: string, act: () => void, label = text): HTMLButtonElement => {
        const made = Object.assign(document.createElement('button'), {
          type: 'button',
          textContent: text,
          title: label,
        })
        made.setAttribute('aria-label', label)
        made.addEventListener('click', act)
        bar.append(made)
        return made
      }
      button('Undo', run(undo))
      button('Done', () => end()).classList.add('go')
      const needy = [
        button('↑', onBlocks(move(-1)), 'Move up'),
        button('↓', onBlocks(move(1)), 'Move down'),
        button('←', onBlocks(nest(-1)), 'One level out'),
        button('→', onBlocks(nest(1)), 'One level in'),
        button('Copy', () =>
          inBackground(() => navigator.clipboard.writeText(markdownOfSlice(view.state.selection.content()))),
        ),
        button('Delete', onBlocks(deleteBlocks)),
      ]
      document.getElementById('main')?.append(bar)
      const draw = () => {
        const isAny = view.state.selection instanceof BlockRange
        const count = isAny ? withNested(view.state.doc, selectedBlocks(view.state)).length : 0
        const text = count === 0 ? 'Tap blocks to select them' : `${count} ${count === 1 ? 'block' : 'blocks'} selected`
        if (words.textContent !== text) words.textContent = text
        // Not `disabled`, since a disabled button would lose the focus.
        for (const one of needy) one.setAttribute('aria-disabled', String(!isAny))
      }
      const end = () => {
        bar.hidden = true
        document.documentElement.classList.remove('selects')
        const { doc, selection, tr } = view.state
        if (selection instanceof BlockRange) view.dispatch(tr.setSelection(Selection.near(doc.resolve(selection.head))))
      }
      const start = (position?: number) => {
        if (bar.hidden) {
          bar.hidden = false
          document.documentElement.classList.add('selects')
          view.dom.blur()
        }
        if (position !== undefined) toggle(view, position)
        draw()
      }
      starts.set(view, start)
      const tap = (event: Event) => {
        if (bar.hidden || !(event.target instanceof Element)) return
        const element = event.target.closest<HTMLElement>('.part > .block')
        if (element === null || !view.dom.contains(element)) return
        event.preventDefault()
        event.stopImmediatePropagation()
        if (event.type === 'click') start(blockAround(view.state.doc.resolve(view.posAtDOM(element, 0))).pos)
      }
      const choose = ({ target }: Event) => target instanceof Element && target.closest('[data-select]') && start()
      const leave = ({ key }: KeyboardEvent) => key === 'Escape' && !bar.hidden && end()
      for (const name of ['click', 'mousedown', 'pointerdown'] as const) document.addEventListener(name, tap, true)
      document.addEventListener('click', choose)
      document.addEventListener('keydown', leave, true)
      return {
        update: () => bar.hidden || draw(),
        destroy() {
          for (const name of ['click', 'mousedown', 'pointerdown'] as const)
            document.removeEventListener(name, tap, true)
          document.removeEventListener('click', choose)
          document.removeEventListener('keydown', leave, true)
          bar.remove()
        },
      }
    },
  })
}

function toggle(view: EditorView, position: number): void {
  const { doc, selection, tr } = view.state
  const before = selection instanceof BlockRange ? selection.positions : []
  const now = before.includes(position) ? before.filter((one) => one !== position) : [...before, position]
  const next = now.length > 0 ? BlockRange.create(doc, now, now.includes(position) ? position : undefined) : undefined
  view.dispatch(tr.setSelection(next ?? Selection.near(doc.resolve(position))))
}
