/** Ctrl K: a field for the address of a link, at the selection. */
import type { EditorView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { placeAtCaret } from './suggestion-menu.ts'
import { addressOf, linkAround, setLink } from './text-marks.ts'

/** @returns false if there is nothing to link */
export function openLinkField(view: EditorView): boolean {
  const link = linkAround(view.state)
  const { selection } = view.state
  if ((selection.empty && link === undefined) || !selection.$from.parent.inlineContent) return false
  const box = document.createElement('form')
  box.className = 'link-field'
  const input = document.createElement('input')
  input.value = link?.mark.attrs.url ?? ''
  input.placeholder = 'Address'
  input.setAttribute('aria-label', 'Address of the link. Empty removes it.')
  input.autocomplete = 'off'
  box.append(input)
  document.getElementById('main')?.append(box)
  placeAtCaret(view, box)
  let isOpen = true
  const remove = () => {
    // Removing it also takes the focus from its field.
    if (isOpen) {
      isOpen = false
      box.remove()
    }
  }
  const close = () => {
    remove()
    view.focus()
  }
  box.addEventListener('submit', (event) => {
    event.preventDefault()
    const url = input.value.trim() === '' ? '' : addressOf(input.value)
    if (url === undefined) {
      announce('This is not an address that a link can have.')
      return
    }
    view.dispatch(setLink(view.state, url))
    close()
  })
  input.addEventListener('keydown', (event) => {
    event.stopPropagation()
    if (event.isComposing || event.key !== 'Escape') return
    event.preventDefault()
    close()
  })
  input.addEventListener('blur', remove)
  input.focus()
  input.select()
  return true
}
