/** What can be done with the link that holds the caret, in a menu below it after a click. */
import { Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { text } from '../page-text.ts'
import { openLinkField } from './link-field.ts'
import { linkAround, setLink } from './text-marks.ts'

/** Shows the menu after a click on a link that was not followed: see text-clicks.ts. */
export const linkBar = (): Plugin =>
  new Plugin({
    view(view) {
      const click = (event: MouseEvent) => {
        const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.md-link[href]') : null
        if (link === null || event.defaultPrevented) return
        // The browser says later where the caret went.
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
        const { tr, doc, selection } = view.state
        if (place === null || !selection.empty) return
        view.dispatch(tr.setSelection(TextSelection.create(doc, place.pos)))
        if (linkAround(view.state) !== undefined) openLinkBar(view, link)
      }
      view.dom.addEventListener('click', click)
      return { destroy: () => view.dom.removeEventListener('click', click) }
    },
  })

/** @param link  the element of the link. Its address leads to its target. */
function openLinkBar(view: EditorView, link: HTMLAnchorElement): void {
  const bar = Object.assign(document.createElement('div'), { id: 'link-bar', className: 'menu', popover: 'auto' })
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', text('Link'))
  const open = Object.assign(document.createElement('a'), { href: link.href, textContent: text('Open the link') })
  if (link.host !== location.host) Object.assign(open, { target: '_blank', rel: 'noopener noreferrer' })
  const button = (name: string, act: () => void) => {
    const made = Object.assign(document.createElement('button'), { type: 'button', textContent: name })
    made.addEventListener('click', () => {
      bar.hidePopover()
      view.focus()
      act()
    })
    return made
  }
  const edit = button(text('Edit the link…'), () => openLinkField(view))
  const remove = button(text('Remove the link'), () => view.dispatch(setLink(view.state, '')))
  bar.append(open, edit, remove)
  document.getElementById('main')?.append(bar)
  const close = () => bar.hidePopover()
  open.addEventListener('click', close)
  // The caret stays in the text, and what is typed closes the menu.
  view.dom.addEventListener('keydown', close, { once: true })
  bar.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState !== 'closed') return
    view.dom.removeEventListener('keydown', close)
    bar.remove()
  })
  bar.showPopover()
  const { top, bottom, left } = link.getBoundingClientRect()
  Object.assign(bar.style, { inset: 'auto', positionArea: 'none', margin: '0' })
  const below = bottom + 4
  bar.style.top = `${below + bar.offsetHeight < innerHeight ? below : Math.max(8, top - bar.offsetHeight - 4)}px`
  bar.style.left = `${Math.max(8, Math.min(left, innerWidth - bar.offsetWidth - 8))}px`
}
