/** A field of one line at the caret, for what is not typed into the text itself: an address, a formula. */
import type { EditorView } from 'prosemirror-view'
import { placeAtCaret } from './suggestion-menu.ts'

export interface TextField {
  value: string
  placeholder: string
  label: string
  /** Takes what was typed. @returns false to keep the field open */
  onSubmit: (value: string) => boolean
  /** True to take it also when the field is left. */
  isTakenOnLeave?: true
  /** The block that it covers; it stands at the caret otherwise. */
  over?: Element | null
}

/** Opens the field. Enter submits it; Escape leaves all as it is, and so does a click elsewhere unless `isTakenOnLeave`. */
export function openTextField(
  view: EditorView,
  { value, placeholder, label, onSubmit, isTakenOnLeave, over }: TextField,
): void {
  const box = document.createElement('form')
  box.className = 'text-field'
  const input = document.createElement('input')
  Object.assign(input, { type: 'text', dir: 'auto', value, placeholder, autocomplete: 'off' })
  input.setAttribute('aria-label', label)
  box.append(input)
  document.getElementById('main')?.append(box)
  placeAtCaret(view, box)
  if (over) box.style.top = `${over.getBoundingClientRect().top}px`
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
  input.addEventListener('blur', () => {
    if (isOpen && isTakenOnLeave) onSubmit(input.value.trim())
    remove()
  })
  input.focus()
  input.select()
}
