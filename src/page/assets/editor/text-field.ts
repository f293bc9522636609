/** A field of one line at the caret, for what is not typed into the text itself: an address, a formula. */
import type { EditorView } from 'prosemirror-view'
import { placeAtCaret } from './suggestion-menu.ts'

export interface TextField {
  value: string
  placeholder: string
  label: string
  /** Takes what was typed. @returns false to keep the field open */
  onSubmit: (value: string) => boolean
}

/** Opens the field. Enter submits it; Escape and a click elsewhere leave all as it is. */
export function openTextField(view: EditorView, { value, placeholder, label, onSubmit }: TextField): void {
  const box = document.createElement('form')
  box.className = 'text-field'
  const input = document.createElement('input')
  Object.assign(input, { value, placeholder, autocomplete: 'off' })
  input.setAttribute('aria-label', label)
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
    if (onSubmit(input.value.trim())) close()
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
}
