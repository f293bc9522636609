/** The menu of a block: another kind, a copy, its link, and deletion. */
import type { EditorView } from 'prosemirror-view'
import type { IconName } from '../../icon-names.ts'
import { announce } from '../announcement.ts'
import { drawnIcon } from '../drawn-icon.ts'
import { isTextNode } from '../model/page-block.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import { copyOf } from './block-element.ts'
import { setKind } from './block-fields.ts'
import { endOf, selectedBlocks, withNested } from './block-place.ts'
import { elementId } from './block-view.ts'
import { SLASH_KINDS } from './slash-kinds.ts'
import { deleteBlocks } from './split-blocks.ts'

/**
 * Opens the menu for the selected blocks, beside an element.
 *
 * @param onMoveTo  asks for a document, and moves blocks there
 */
export function openHandleMenu(view: EditorView, beside: Element, onMoveTo: (ids: readonly string[]) => void): void {
  document.querySelector('.handle-menu')?.remove()
  const menu = document.createElement('div')
  menu.className = 'kinds handle-menu'
  menu.setAttribute('role', 'menu')
  const places = selectedBlocks(view.state)
  const close = () => {
    menu.remove()
    document.removeEventListener('pointerdown', outside, true)
  }
  const outside = ({ target }: Event) => {
    if (!(target instanceof Node && menu.contains(target))) close()
  }
  const item = (icon: IconName, name: string, act: () => void) => {
    const made = Object.assign(document.createElement('button'), { type: 'button' })
    made.append(drawnIcon(icon), ` ${name}`)
    made.setAttribute('role', 'menuitem')
    made.addEventListener('click', () => {
      close()
      view.focus()
      act()
    })
    menu.append(made)
  }
  item('duplicate', text('Duplicate'), () => duplicate(view))
  item('links', text('Copy link'), () => copyLink(String(places[0]?.node.attrs.id ?? '')))
  item('move', text('Move to…'), () =>
    onMoveTo(withNested(view.state.doc, places).map(({ node }) => String(node.attrs.id))),
  )
  item('trash', text('Delete'), () => deleteBlocks(view.state, view.dispatch))
  if (places.some(({ node }) => isTextNode(node))) {
    for (const { name, icon, fields } of SLASH_KINDS) {
      if (fields !== undefined)
        item(icon, text('Turn into: {name}', { name }), () => setKind(fields)(view.state, view.dispatch))
    }
  }
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.querySelectorAll('button')]
    const at = items.indexOf(document.activeElement as HTMLButtonElement)
    if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus()
    else if (event.key === 'ArrowUp') items[(at - 1 + items.length) % items.length]?.focus()
    else if (event.key === 'Escape') {
      close()
      view.focus()
    } else return
    event.preventDefault()
  })
  document.addEventListener('pointerdown', outside, true)
  document.getElementById('main')?.append(menu)
  const { top, left } = beside.getBoundingClientRect()
  menu.style.top = `${Math.max(8, Math.min(top + 28, innerHeight - menu.offsetHeight - 8))}px`
  menu.style.left = `${Math.max(8, left)}px`
  menu.querySelector('button')?.focus()
}

const OPENED = new Set(['page', 'whiteboard', 'collection', 'collectionItem'])

/** Copies blocks with everything nested below them. They get IDs of their own. */
function duplicate(view: EditorView): void {
  const { state } = view
  const group = withNested(state.doc, selectedBlocks(state))
  const last = group.at(-1)
  if (last === undefined) return
  if (group.some(({ node }) => OPENED.has(node.attrs.fields.type))) {
    announce(text('Pages, whiteboards and collections cannot be duplicated here.'))
    return
  }
  const copies = group.map((place) => copyOf(view, place))
  view.dispatch(state.tr.insert(endOf(last), copies).scrollIntoView())
}

function copyLink(id: string): void {
  const address = `${location.origin}${location.pathname}#${elementId(id)}`
  inBackground(async () => {
    await navigator.clipboard.writeText(address)
    announce(text('Copied the link'))
  })
}
