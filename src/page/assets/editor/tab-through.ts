/**
 * Tab moves the focus through the text, as on any page, until the person writes or chooses something in it: somebody who
 * passes through with the keyboard must neither change blocks nor be held. Escape, while blocks are selected, leaves.
 */
import { type Command, Plugin, Selection } from 'prosemirror-state'
import { BlockRange } from './block-range.ts'

const PASSING = new Set(['Tab', 'Shift'])

export function tabThrough(): Plugin {
  /** True if the last key was Tab: a focus that follows comes from it. */
  let isTab = false
  let isPassing = false
  return new Plugin({
    view() {
      const press = ({ key }: KeyboardEvent) => {
        if (key !== 'Shift') isTab = key === 'Tab'
      }
      const point = () => {
        isTab = false
        isPassing = false
      }
      document.addEventListener('keydown', press, true)
      document.addEventListener('pointerdown', point, true)
      return {
        destroy() {
          document.removeEventListener('keydown', press, true)
          document.removeEventListener('pointerdown', point, true)
        },
      }
    },
    props: {
      handleDOMEvents: {
        focus() {
          isPassing = isTab
          return false
        },
        keydown(view, event) {
          if (event.target !== view.dom) return false
          if (!PASSING.has(event.key)) isPassing = false
          // The browser moves the focus.
          return isPassing && event.key === 'Tab'
        },
      },
    },
  })
}

/** Escape, while blocks are selected. */
export const leaveText: Command = ({ selection, doc, tr }, dispatch, view) => {
  if (!(selection instanceof BlockRange)) return false
  dispatch?.(tr.setSelection(Selection.near(doc.resolve(selection.head))))
  view?.dom.blur()
  return true
}
