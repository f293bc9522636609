/**
 * The handle beside a block. A click selects the block and opens its menu, a tap starts selecting several, and dragging
 * moves it by mouse or touch.
 */
import { type EditorState, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { drawnIcon } from '../drawn-icon.ts'
import { text } from '../page-text.ts'
import { elementOfPlace, placeOfElement } from './block-element.ts'
import { moveTo } from './block-fields.ts'
import { type BlockPlace, blockAround, endOf, withNested } from './block-place.ts'
import { BlockRange } from './block-range.ts'
import { openHandleMenu } from './handle-menu.ts'
import { startTouch } from './touch-bar.ts'

/** Pixels from which a press is a drag, and from the edge of the window within which it scrolls. */
const DRAG_FROM = 5
const SCROLL_EDGE = 60

/**
 * @param article  in which the handle stands
 * @param onMoveTo  asks for a document, and moves blocks there
 */
export function blockHandle(article: HTMLElement, onMoveTo: (ids: readonly string[]) => void): Plugin {
  const handle = document.createElement('button')
  handle.type = 'button'
  handle.className = 'block-handle'
  handle.tabIndex = -1
  handle.setAttribute('aria-label', text('Choose or drag this block'))
  handle.append(drawnIcon('grip'))
  const line = document.createElement('div')
  line.className = 'drop-line'
  line.hidden = true
  let block: HTMLElement | undefined
  const showAt = (element: HTMLElement | undefined) => {
    block = element
    handle.hidden = element === undefined
    if (element === undefined) return
    const [box, around] = [element.getBoundingClientRect(), article.getBoundingClientRect()]
    handle.style.top = `${box.top - around.top}px`
    handle.style.left = `${box.left - around.left}px`
  }
  return new Plugin({
    view(view) {
      article.append(handle, line)
      const over = ({ target, pointerType }: PointerEvent) => {
        if (pointerType !== 'mouse' || !(target instanceof Element) || handle.contains(target)) return
        showAt(target.closest<HTMLElement>('.part > .block') ?? block)
      }
      const press = (down: PointerEvent) => {
        const place = block && placeOfElement(view, block)
        if (place === undefined || down.button !== 0) return
        down.preventDefault()
        drag(view, { handle, line, article, onMoveTo }, place, down)
      }
      // Screen readers click it without a pointer.
      const click = ({ detail }: MouseEvent) => {
        const place = block && placeOfElement(view, block)
        if (detail !== 0 || place === undefined) return
        selectAt(view, place)
        openHandleMenu(view, handle, onMoveTo)
      }
      const showAtCaret = () => {
        const element = elementOfPlace(view, blockAround(view.state.selection.$head))
        if (element !== undefined) showAt(element)
      }
      /** What grows above its block pushes it. */
      const sizes = new ResizeObserver(() => block && showAt(block.isConnected ? block : undefined))
      sizes.observe(article)
      // It is made once somebody points at a block or has the caret in it.
      showAt(article.querySelector<HTMLElement>('.part > .block:hover') ?? undefined)
      if (block === undefined && view.hasFocus()) showAtCaret()
      const closed = new AbortController()
      const { signal } = closed
      article.addEventListener('pointerover', over, { signal })
      // Fingers do not rest over a block.
      view.dom.addEventListener('focus', showAtCaret, { signal })
      handle.addEventListener('pointerdown', press, { signal })
      handle.addEventListener('click', click, { signal })
      return {
        update(_, before) {
          const { state } = view
          if (view.hasFocus() && caretBlock(state) !== caretBlock(before)) showAtCaret()
          else if (before.doc !== state.doc && block !== undefined) showAt(block.isConnected ? block : undefined)
        },
        destroy() {
          sizes.disconnect()
          closed.abort()
          handle.remove()
          line.remove()
        },
      }
    },
  })
}

const caretBlock = ({ selection }: EditorState): unknown => blockAround(selection.$head).node.attrs.id

const selectAt = (view: EditorView, { pos }: BlockPlace): void => {
  view.focus()
  view.dispatch(view.state.tr.setSelection(BlockRange.create(view.state.doc, [pos])))
}

interface Parts {
  handle: HTMLElement
  line: HTMLElement
  article: HTMLElement
  onMoveTo: (ids: readonly string[]) => void
}

function drag(
  view: EditorView,
  { handle, line, article, onMoveTo }: Parts,
  pressed: BlockPlace,
  down: PointerEvent,
): void {
  const { selection, doc } = view.state
  const isSelected = selection instanceof BlockRange && selection.positions.includes(pressed.pos)
  const chosen = isSelected ? selection.positions.map((position) => blockAround(doc.resolve(position))) : [pressed]
  const group = withNested(doc, chosen)
  const taken = new Set(group.map(({ index }) => index))
  let target: number | undefined
  let isDragging = false
  handle.setPointerCapture(down.pointerId)
  const elements = group.flatMap(({ pos }) => (view.nodeDOM(pos) as HTMLElement | null) ?? [])
  const moved = (event: PointerEvent) => {
    isDragging ||= Math.hypot(event.clientY - down.clientY, event.clientX - down.clientX) > DRAG_FROM
    if (!isDragging) return
    for (const element of elements) element.classList.add('dragged')
    if (event.clientY < SCROLL_EDGE) window.scrollBy({ top: -20, behavior: 'instant' })
    if (event.clientY > innerHeight - SCROLL_EDGE) window.scrollBy({ top: 20, behavior: 'instant' })
    const gap = gapAt(view, event.clientY, taken)
    target = gap?.position
    line.hidden = gap === undefined
    if (gap === undefined) return
    const around = article.getBoundingClientRect()
    line.style.top = `${gap.y - around.top}px`
    line.style.left = `${gap.x - around.left}px`
  }
  const end = (event: PointerEvent) => {
    for (const name of ['pointermove', 'pointerup', 'pointercancel'] as const)
      handle.removeEventListener(name, listeners[name])
    line.hidden = true
    for (const element of elements) element.classList.remove('dragged')
    if (event.type !== 'pointerup') return
    if (isDragging) {
      // Others may have changed the document meanwhile.
      if (target !== undefined && view.state.doc === doc) view.dispatch(moveTo(view.state, group, target))
      return
    }
    if (event.pointerType !== 'mouse') startTouch(view, pressed.pos)
    else if (event.shiftKey && selection instanceof BlockRange)
      view.dispatch(view.state.tr.setSelection(BlockRange.between(doc, blockAround(selection.$anchor), pressed)))
    else {
      if (!isSelected) selectAt(view, pressed)
      openHandleMenu(view, handle, onMoveTo)
    }
  }
  const listeners = { pointermove: moved, pointerup: end, pointercancel: end }
  for (const [name, listener] of Object.entries(listeners)) handle.addEventListener(name, listener as EventListener)
}

/** The nearest gap between blocks that are not dragged. */
function gapAt(
  view: EditorView,
  y: number,
  taken: ReadonlySet<number>,
): { position: number; x: number; y: number } | undefined {
  const places: (BlockPlace & { element: HTMLElement })[] = []
  view.state.doc.forEach((node, pos, index) => {
    const element = view.nodeDOM(pos)
    if (!taken.has(index) && element instanceof HTMLElement && !element.hidden)
      places.push({ node, pos, index, element })
  })
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const box = places[middle]?.element.getBoundingClientRect()
    if (box !== undefined && (box.top + box.bottom) / 2 < y) low = middle + 1
    else high = middle
  }
  const [after, before] = [places[low], places[low - 1]]
  const nearest = after ?? before
  if (nearest === undefined) return undefined
  const { top, bottom, left } = nearest.element.getBoundingClientRect()
  return after === undefined
    ? { position: endOf(nearest), x: left, y: bottom }
    : { position: nearest.pos, x: left, y: top }
}
