/** Clicks on links, which are followed unless the caret is in their block already, and below the last block. */
import { Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { fieldsOfNode, isTextNode } from '../model/page-block.ts'
import { blockAtIndex } from './block-place.ts'
import { addBelow } from './split-blocks.ts'
import { isSafeAddress } from './text-marks.ts'

export function textClicks(): Plugin {
  let wasOpen = false
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousedown(view, event) {
          const { target } = event
          if (!(target instanceof Element)) return false
          wasOpen = view.hasFocus() && target.closest('.part > .block.open') !== null
          if (target !== view.dom || event.button !== 0 || !isBelowAll(view, event.clientY)) return false
          event.preventDefault()
          addAtEnd(view)
          return true
        },
        click(view, event) {
          const link = event.target instanceof Element ? event.target.closest('a.md-link[href]') : null
          const href = link?.getAttribute('href') ?? ''
          if (link === null || !isSafeAddress(href) || !view.state.selection.empty) return false
          const isCommand = event.ctrlKey || event.metaKey
          if (wasOpen && !isCommand) return false
          event.preventDefault()
          if (isCommand) window.open(href, '_blank', 'noopener')
          else location.assign(href)
          return true
        },
      },
    },
  })
}

const isBelowAll = (view: EditorView, y: number): boolean =>
  y > (view.dom.lastElementChild?.getBoundingClientRect().bottom ?? 0)

/** Moves the caret to the empty text at the end of the page, which is added if necessary. */
export function addAtEnd(view: EditorView): void {
  const { doc, tr } = view.state
  const last = blockAtIndex(doc, doc.childCount - 1)
  if (last === undefined) return
  const isEmpty =
    isTextNode(last.node) && last.node.content.size === 0 && fieldsOfNode(last.node).listStyle === undefined
  view.dispatch(
    isEmpty ? tr.setSelection(TextSelection.create(doc, last.pos + 1)).scrollIntoView() : addBelow(view.state, last),
  )
  view.focus()
}
