/** Items of collections that are dragged from list to list, by mouse or by touch, and the notice about it. */
import Sortable from 'sortablejs'

/** Milliseconds for which a finger rests on a card before it is dragged: shorter ones scroll. */
const TOUCH_MS = 180

/** The card under a finger or a button, and the one that is dragged: what they stand in is not read again meanwhile. */
let pressed: Element | undefined
let dragged: Element | undefined
/** Whether something was not shown meanwhile. */
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

// Before the library hears of it.
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    pressed = (target instanceof Element && target.closest('[data-item]')) || undefined
    if (dragged === undefined) forgetRemoved()
  },
  { capture: true },
)
for (const end of ['pointerup', 'pointercancel'] as const)
  document.addEventListener(end, () => {
    pressed = undefined
    catchUp()
  })

/** Has the items read again where they stand: what a page shows of them may not be what is stored. */
export const readAgain = (): boolean => document.body.dispatchEvent(new CustomEvent('spacechange', { detail: 'items' }))

/** A card where it was let go. */
export interface Drop {
  card: HTMLElement
  from: HTMLElement
  to: HTMLElement
}

interface Lists {
  /** Cards are dragged between lists of the same name alone: a document may hold several collections. */
  name: string
  /** Whether cards have an order in the list. */
  isOrdered: boolean
}

export function makeSortable(list: HTMLElement, { name, isOrdered }: Lists, drop: (dropped: Drop) => void): void {
  const sortable = Sortable.create(list, {
    group: name,
    sort: isOrdered,
    draggable: '[data-item]',
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
    onEnd: ({ item, from, to, oldDraggableIndex, newDraggableIndex }) => {
      if (from === to && oldDraggableIndex === newDraggableIndex) return
      // What is moved is read again once it is stored.
      isBehind = false
      drop({ card: item, from, to })
    },
    // Also of a card that was not moved; of one that was, just before onEnd.
    onUnchoose: () => {
      dragged = undefined
      setTimeout(catchUp)
    },
  })
  sortables.add(sortable)
}

const sortables = new Set<Sortable>()

/** The library takes a list that stands nowhere for one as large as the window, into which everything can be dropped. */
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

export function say(words: string, isFault = false): void {
  status.textContent = words
  status.classList.toggle('hidden', !isFault)
  status.classList.toggle('notice', isFault)
}
