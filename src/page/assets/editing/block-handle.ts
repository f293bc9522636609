/**
 * The handle beside a block. A click selects the block, a tap starts selecting several, and dragging moves it by mouse
 * or touch.
 */

import type { BlockSelection } from './block-selection.ts'
import { blockElement, blockId, blocksIn } from './blocks/block-element.ts'
import type { SelectionBar } from './selection-bar.ts'
import type { TextEditor } from './text/text-editor.ts'

/**
 * Pixels that a pointer must move to start a drag, and the distance from the window's edge within which the page
 * scrolls.
 */
const DRAG_FROM = 5
const SCROLL_EDGE = 60

export function startHandle(editor: TextEditor, selection: BlockSelection, bar: SelectionBar): void {
  const { article } = editor.writer.page
  const handle = document.createElement('button')
  handle.type = 'button'
  handle.className = 'block-handle'
  handle.tabIndex = -1
  handle.setAttribute('aria-label', 'Choose or drag this block')
  handle.textContent = '⠿'
  const line = document.createElement('div')
  line.className = 'drop-line'
  line.hidden = true
  article.append(handle, line)
  let block: HTMLElement | undefined

  const showAt = (element: HTMLElement | undefined) => {
    block = element
    handle.hidden = element === undefined
    if (element === undefined) return
    const box = element.getBoundingClientRect()
    const around = article.getBoundingClientRect()
    handle.style.top = `${box.top - around.top}px`
    handle.style.left = `${box.left - around.left}px`
  }
  showAt(undefined)
  /** Follows its block when the block moves, is replaced, or is pushed by content that grows above it. */
  const follow = () => {
    if (block !== undefined) showAt(block.isConnected ? block : blockElement(blockId(block)))
  }
  new ResizeObserver(follow).observe(article)
  new MutationObserver((records) => {
    if (records.some(({ target }) => target instanceof Element && target.matches('.part'))) follow()
  }).observe(article, { childList: true, subtree: true })
  article.addEventListener('pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'mouse' || !(target instanceof Element) || handle.contains(target)) return
    showAt(target.closest<HTMLElement>('.part > .block') ?? block)
  })
  article.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) showAt(target.closest<HTMLElement>('.part > .block') ?? block)
  })

  // Screen readers click it without a pointer.
  handle.addEventListener('click', ({ detail }) => {
    if (detail === 0 && block !== undefined) bar.select(block)
  })
  handle.addEventListener('pointerdown', (down) => {
    if (block === undefined || down.button !== 0) return
    down.preventDefault()
    const dragged = block
    const group = selection.groupOf(dragged)
    let place: { sibling: HTMLElement; position: 'before' | 'after' } | undefined
    let isDragging = false
    handle.setPointerCapture(down.pointerId)

    const move = (event: PointerEvent) => {
      isDragging ||= Math.abs(event.clientY - down.clientY) + Math.abs(event.clientX - down.clientX) > DRAG_FROM
      if (!isDragging) return
      for (const element of group) element.classList.add('dragged')
      if (event.clientY < SCROLL_EDGE) window.scrollBy({ top: -20, behavior: 'instant' })
      if (event.clientY > innerHeight - SCROLL_EDGE) window.scrollBy({ top: 20, behavior: 'instant' })
      place = placeOf(article, event.clientY, group)
      line.hidden = place === undefined
      if (place === undefined) return
      const box = place.sibling.getBoundingClientRect()
      const around = article.getBoundingClientRect()
      line.style.top = `${(place.position === 'before' ? box.top : box.bottom) - around.top}px`
      line.style.left = `${box.left - around.left}px`
    }
    const end = (event: PointerEvent) => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
      line.hidden = true
      for (const element of group) element.classList.remove('dragged')
      if (!isDragging && event.type === 'pointerup') {
        if (event.pointerType === 'mouse' && !selection.isOneByOne) selection.select(dragged, event.shiftKey)
        else bar.select(dragged)
      }
      if (isDragging && event.type === 'pointerup' && place !== undefined) {
        editor.flush()
        selection.put(group, place.sibling, place.position)
      }
      showAt(dragged)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  })
}

/** Finds the nearest gap between blocks, not counting the dragged ones. */
function placeOf(
  article: HTMLElement,
  y: number,
  group: readonly HTMLElement[],
): { sibling: HTMLElement; position: 'before' | 'after' } | undefined {
  const dragged = new Set(group.map(blockId))
  const others = blocksIn(article).filter((element) => !dragged.has(blockId(element)) && !element.hidden)
  // Binary search: blocks are ordered from top to bottom.
  let low = 0
  let high = others.length
  while (low < high) {
    const middle = (low + high) >> 1
    const box = others[middle]?.getBoundingClientRect()
    if (box !== undefined && (box.top + box.bottom) / 2 < y) low = middle + 1
    else high = middle
  }
  const [after, before] = [others[low], others[low - 1]]
  if (after !== undefined) return { sibling: after, position: 'before' }
  return before && { sibling: before, position: 'after' }
}
