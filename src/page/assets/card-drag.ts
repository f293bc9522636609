/** Dragging of items between lists, and of columns, by mouse or touch, and its events. */
import Sortable from 'sortablejs'

/** Milliseconds that a finger must rest on a card before it can be dragged; shorter touches scroll. */
const TOUCH_MS = 180

/** What can be dragged. */
const HELD = '[data-item], [data-column]'

/** The pressed card and the dragged card. Their collections are not reloaded in the meantime. */
let pressed: Element | undefined
let dragged: Element | undefined
/** True if an update was skipped in the meantime. */
let isBehind = false
document.addEventListener('htmx:before:swap', (event) => {
  const { tasks } = (event as CustomEvent<{ tasks: { target: Element | string }[] }>).detail
  const held = [pressed, dragged].filter((card) => card !== undefined)
  if (!tasks.some(({ target }) => target instanceof Element && held.some((card) => target.contains(card)))) return
  event.preventDefault()
  isBehind = true
})

function catchUp(): void {
  if (!isBehind || pressed !== undefined || dragged !== undefined) return
  isBehind = false
  readAgain()
}

// Runs before the library's own listener.
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    pressed = (target instanceof Element && target.closest(HELD)) || undefined
    if (dragged === undefined) forgetRemoved()
  },
  { capture: true },
)
for (const end of ['pointerup', 'pointercancel'] as const)
  document.addEventListener(end, () => {
    pressed = undefined
    catchUp()
  })

/** Reloads all items, since the page may show something else than what is stored. */
export const readAgain = (): boolean => document.body.dispatchEvent(new CustomEvent('spacechange', { detail: 'items' }))

/** A dropped card. */
export interface Drop {
  card: HTMLElement
  from: HTMLElement
  to: HTMLElement
}

interface Lists {
  /** Cards can only be dragged between lists of the same group, since a document may contain several collections. */
  name: string
  /** True if the cards of the list have an order. */
  isOrdered: boolean
  /** Selects what is dragged, if it is no item, and what in it is not. */
  draggable?: string
  filter?: string
}

export function makeSortable(
  list: HTMLElement,
  { name, isOrdered, draggable = '[data-item]', filter = '' }: Lists,
  drop: (dropped: Drop) => void,
  /** Called when a drag begins, and before it ends. */
  dragging: (isDragged: boolean) => void = () => undefined,
): void {
  const sortable = Sortable.create(list, {
    group: name,
    sort: isOrdered,
    draggable,
    filter,
    preventOnFilter: false,
    forceFallback: true,
    fallbackOnBody: true,
    fallbackTolerance: 4,
    delay: TOUCH_MS,
    delayOnTouchOnly: true,
    touchStartThreshold: 8,
    animation: 0,
    chosenClass: 'chosen',
    ghostClass: 'ghost',
    fallbackClass: 'dragged',
    onChoose: ({ item }) => {
      dragged = item
    },
    onStart: () => dragging(true),
    onEnd: ({ item, from, to, oldDraggableIndex, newDraggableIndex }) => {
      dragging(false)
      if (from === to && oldDraggableIndex === newDraggableIndex) return
      // A moved item is reloaded once the move is stored.
      isBehind = false
      drop({ card: item, from, to })
    },
    // Also called for a card that was not moved; for a moved card, just before onEnd.
    onUnchoose: () => {
      dragged = undefined
      setTimeout(catchUp)
    },
  })
  sortables.add(sortable)
}

const sortables = new Set<Sortable>()

/** The library treats a list that was removed from the page as one that covers the window and accepts all drops. */
function forgetRemoved(): void {
  for (const sortable of sortables) {
    if (sortable.el.isConnected) continue
    sortables.delete(sortable)
    sortable.destroy()
  }
}

const status = document.createElement('p')
status.id = 'moved'
status.className = 'hidden'
status.setAttribute('role', 'status')
document.getElementById('main')?.prepend(status)

export function showStatus(text: string, isFault = false): void {
  status.textContent = text
  status.classList.toggle('hidden', !isFault)
  status.classList.toggle('notice', isFault)
}
