/** The handles beside the row and above the column under the pointer, by which they are dragged to another place. */
import type { EditorView } from 'prosemirror-view'
import { drawnIcon } from '../drawn-icon.ts'
import { text } from '../page-text.ts'
import { moveInTable, type TableAxis } from './table-moves.ts'

/** Pixels from which a press is a drag. */
const DRAG_FROM = 5

/**
 * @param wide  the element around the table, which scrolls
 * @param onPress  called for a press without a drag, with a position in the cell
 * @returns elements of the block of the table
 */
export function tableGrips(view: EditorView, wide: HTMLElement, onPress: (position: number) => void): HTMLElement[] {
  const line = document.createElement('div')
  line.className = 'table-drop-line'
  line.hidden = true
  // They are loaded once somebody points at the text.
  let cell = wide.querySelector<HTMLTableCellElement>(':is(td, th):hover') ?? undefined
  const grips = { row: gripOf('row'), column: gripOf('column') }
  const place = () => {
    for (const grip of Object.values(grips)) grip.hidden = cell?.isConnected !== true
    if (cell === undefined || !cell.isConnected) return
    const around = blockBox(wide)
    const [box, all] = [cell.getBoundingClientRect(), wide.getBoundingClientRect()]
    const middle = (box.left + box.right) / 2
    grips.column.hidden = middle < all.left || middle > all.right
    grips.column.style.left = `${middle - around.left}px`
    grips.column.style.top = `${all.top - around.top}px`
    // The header row stays the first.
    grips.row.hidden = cell.parentElement?.previousElementSibling === null
    grips.row.style.left = `${all.left - around.left}px`
    grips.row.style.top = `${(box.top + box.bottom) / 2 - around.top}px`
  }
  const point = ({ target }: Event) => {
    const found = target instanceof Element ? target.closest<HTMLTableCellElement>('td, th') : null
    if (found !== null) cell = found
    place()
  }
  wide.addEventListener('pointerover', point)
  wide.addEventListener('pointerdown', point)
  wide.addEventListener('scroll', place)
  // A finger leaves when it is lifted, and then reaches for a handle.
  wide.parentElement?.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType !== 'touch') cell = undefined
    place()
  })
  // Typing, menus and others change the table under a pointer that rests.
  new ResizeObserver(place).observe(wide)
  new MutationObserver(place).observe(wide, { subtree: true, childList: true, characterData: true })
  for (const [axis, grip] of Object.entries(grips) as [TableAxis, HTMLElement][]) {
    grip.addEventListener('pointerdown', (down) => {
      if (down.button !== 0 || cell === undefined) return
      down.preventDefault()
      drag(view, { axis, grip, line, cell, wide, onPress }, down)
    })
  }
  place()
  return [grips.row, grips.column, line]
}

function gripOf(axis: TableAxis): HTMLButtonElement {
  const grip = document.createElement('button')
  grip.type = 'button'
  grip.className = `table-grip ${axis}`
  grip.tabIndex = -1
  grip.contentEditable = 'false'
  grip.hidden = true
  grip.setAttribute('aria-label', axis === 'row' ? text('Drag this row') : text('Drag this column'))
  grip.append(drawnIcon('grip'))
  return grip
}

const blockBox = (wide: HTMLElement): DOMRect => (wide.parentElement ?? wide).getBoundingClientRect()

interface Dragged {
  axis: TableAxis
  grip: HTMLElement
  line: HTMLElement
  cell: HTMLTableCellElement
  wide: HTMLElement
  onPress: (position: number) => void
}

function drag(view: EditorView, { axis, grip, line, cell, wide, onPress }: Dragged, down: PointerEvent): void {
  const isRow = axis === 'row'
  /** Others may change the document while the handle is dragged. */
  const cellPlace = () => view.state.doc.resolve(view.posAtDOM(cell, 0))
  const indexNow = () => cellPlace().index(isRow ? 1 : 2)
  let to: number | undefined
  let isDragging = false
  grip.setPointerCapture(down.pointerId)
  const move = (event: PointerEvent) => {
    isDragging ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > DRAG_FROM
    if (!isDragging || !cell.isConnected) return
    const boxes = boxesOf(cell, axis)
    to = nearest(boxes, isRow ? event.clientY : event.clientX, isRow ? 1 : 0)
    showLine(line, boxes, { from: indexNow(), to, isRow, wide })
  }
  const end = ({ type }: PointerEvent) => {
    for (const [name, listener] of Object.entries(listeners)) grip.removeEventListener(name, listener as EventListener)
    line.hidden = true
    if (type !== 'pointerup' || !cell.isConnected) return
    if (!isDragging) return onPress(cellPlace().pos)
    if (to === undefined) return
    const moved = moveInTable(view.state.tr, cellPlace().start(1), axis, indexNow(), to)
    if (moved !== undefined) view.dispatch(moved)
    view.focus()
  }
  const listeners = { pointermove: move, pointerup: end, pointercancel: end }
  for (const [name, listener] of Object.entries(listeners)) grip.addEventListener(name, listener as EventListener)
}

/** The boxes of all rows or columns, in order. */
function boxesOf(cell: HTMLTableCellElement, axis: TableAxis): DOMRect[] {
  const table = cell.closest('table')
  const elements = axis === 'row' ? table?.rows : table?.rows[0]?.cells
  return [...(elements ?? [])].map((element) => element.getBoundingClientRect())
}

/** The index of the row or column whose middle is nearest. */
function nearest(boxes: readonly DOMRect[], at: number, first: number): number {
  const isVertical = first === 1
  const distances = boxes.map((box) => Math.abs((isVertical ? box.top + box.bottom : box.left + box.right) / 2 - at))
  let best = first
  for (const [index, distance] of distances.entries()) {
    if (index > first && distance < (distances[best] ?? 0)) best = index
  }
  return best
}

interface Line {
  from: number
  to: number
  isRow: boolean
  wide: HTMLElement
}

function showLine(line: HTMLElement, boxes: readonly DOMRect[], { from, to, isRow, wide }: Line): void {
  const box = boxes[to]
  line.hidden = box === undefined || from === to
  if (box === undefined) return
  const [around, all] = [blockBox(wide), wide.getBoundingClientRect()]
  const isAfter = to > from
  const isRtl = wide.matches(':dir(rtl)')
  const edge = isRow ? (isAfter ? box.bottom : box.top) : isAfter !== isRtl ? box.right : box.left
  const { style } = line
  style.left = `${(isRow ? all.left : edge) - around.left}px`
  style.top = `${(isRow ? edge : all.top) - around.top}px`
  style.width = isRow ? `${all.width}px` : '2px'
  style.height = isRow ? '2px' : `${all.height}px`
}
