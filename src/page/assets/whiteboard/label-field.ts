/** A text field over a board. */
import { text } from '../page-text.ts'

/** In the window, in pixels. */
export type Place = Pick<DOMRect, 'left' | 'top' | 'width'>

/**
 * A click elsewhere and Enter save the text; Escape discards it.
 *
 * @param done  called once, with the saved text
 */
export function askText(
  canvas: HTMLElement,
  { left, top, width }: Place,
  before: string,
  done: (text: string) => void,
): void {
  const field = document.createElement('textarea')
  field.className = 'board-text'
  field.value = before
  field.rows = Math.max(2, before.split('\n').length)
  field.setAttribute('aria-label', text('Words'))
  const around = canvas.getBoundingClientRect()
  field.style.left = `${Math.max(0, left - around.left) + canvas.scrollLeft}px`
  field.style.top = `${Math.max(0, top - around.top) + canvas.scrollTop}px`
  field.style.width = `${Math.min(Math.max(180, width), around.width - 16)}px`
  let isDone = false
  const finish = (kept: string) => {
    if (isDone) return
    isDone = true
    field.remove()
    done(kept)
  }
  field.addEventListener('keydown', (event) => {
    event.stopPropagation()
    if (event.key === 'Escape') finish(before)
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      finish(field.value.trim())
    }
  })
  field.addEventListener('blur', () => finish(field.value.trim()))
  canvas.append(field)
  field.focus()
  field.select()
}
