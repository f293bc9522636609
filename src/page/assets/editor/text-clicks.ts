/** Clicks on links, which are followed, or have a menu if the caret is in their block already, and below the last block. */
import type { Mark } from 'prosemirror-model'
import { Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView, MarkView } from 'prosemirror-view'
import { isPersonAddress } from '../../../markdown/addresses.ts'
import type { PageLinks } from '../../page-links.ts'
import { fieldsOfNode, isTextNode } from '../model/page-block.ts'
import { blockAtIndex } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { addBelow } from './split-blocks.ts'
import { TAG_CLASS } from './tag-links.ts'

const LINK = `a.md-link, a.${TAG_CLASS}`

export function textClicks(): Plugin {
  let wasOpen = false
  return new Plugin({
    view(view) {
      const write = (event: MouseEvent) => writeBelow(view, event)
      document.addEventListener('mousedown', write)
      return { destroy: () => document.removeEventListener('mousedown', write) }
    },
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
          const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(LINK) : null
          // Without an address, its target is out of reach.
          if (!link?.href || !view.state.selection.empty) return false
          const { href, host } = link
          const isCommand = event.ctrlKey || event.metaKey
          // The pointer tools have a menu for it: see link-bar.ts.
          if (wasOpen && !isCommand) return false
          event.preventDefault()
          // Another site never replaces the page. A mail address has no host.
          if (isCommand || (host && host !== location.host)) window.open(href, '_blank', 'noopener')
          else location.assign(href)
          return true
        },
      },
    },
  })
}

/** The element of a link. It names the page that it leads to, if it can be followed. */
export function linkView({ attrs }: Mark, links: PageLinks): MarkView {
  const dom = Object.assign(document.createElement('a'), { className: 'md-link', rel: 'noopener noreferrer' })
  const url = String(attrs.url)
  if (isPersonAddress(url)) dom.classList.add('mention')
  const target = links.of(url)
  if (target !== undefined) dom.setAttribute('href', target.href)
  return { dom, contentDOM: dom }
}

/** A press on the empty page below the text writes at its end, unless it closes a menu or ends a choice of blocks. */
function writeBelow(view: EditorView, event: MouseEvent): void {
  const { target, button, clientY } = event
  const article = view.dom.parentElement
  if (target === null || (target !== article && target !== article?.closest('main'))) return
  if (button !== 0 || event.defaultPrevented || !isBelowAll(view, clientY)) return
  if (view.state.selection instanceof BlockRange || document.querySelector(':popover-open') !== null) return
  event.preventDefault()
  addAtEnd(view)
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
