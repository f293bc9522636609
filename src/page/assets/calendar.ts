/** Moves items between the days of a month, by dragging or by Ctrl and an arrow key. */

import { CallError, calls } from './calls.ts'
import { makeSortable, readAgain, showStatus } from './card-drag.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

const CALENDAR = '[data-calendar]'
const DAY_MS = 86_400_000
/** Days by which each key moves an item. */
const STEPS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }),
)

/** A day, or the first and last day of a range; null for an item without a date. */
type DateValue = string | { start: string; end: string } | null

/** Reloading a month replaces its elements. */
const prepared = new WeakSet<HTMLElement>()
/** The item that was moved by a key, which keeps the focus at its new place. */
let followed: string | undefined

export function prepareCalendars(): void {
  for (const list of document.querySelectorAll<HTMLElement>(`${CALENDAR} [data-date]`)) {
    if (prepared.has(list)) continue
    prepared.add(list)
    const collection = list.closest<HTMLElement>(CALENDAR)?.dataset.calendar ?? ''
    makeSortable(list, { name: `days-${collection}`, isOrdered: false }, ({ card, from, to }) => {
      inBackground(() => change(card, dropped(dateOf(card), from.dataset.date ?? '', to.dataset.date ?? '')))
    })
  }
  if (followed === undefined || document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`${CALENDAR} [data-item="${CSS.escape(followed)}"] a`)?.focus()
}

document.addEventListener('focusin', ({ target }) => {
  followed =
    target instanceof Element ? target.closest<HTMLElement>(`${CALENDAR} [data-item]`)?.dataset.item : undefined
})

document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  const days = STEPS.get(event.key)
  const card = event.target instanceof Element ? event.target.closest<HTMLElement>(`${CALENDAR} [data-item]`) : null
  if (days === undefined || card === null) return
  event.preventDefault()
  const value = dateOf(card)
  // An item without a date moves to the first visible day.
  const first = card.closest(CALENDAR)?.querySelector<HTMLElement>('[data-date]')?.dataset.date ?? ''
  inBackground(() => change(card, value === null ? first : later(value, days)))
})

// On an edited page, the month and the sorting change without loading the page. The address contains both.
document.addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
  const link = target.closest<HTMLAnchorElement>(
    `article[data-page] :is(${CALENDAR} .months a, .collection a[data-rules])`,
  )
  if (link === null) return
  event.preventDefault()
  link.closest<HTMLElement>('[popover]')?.hidePopover()
  history.replaceState(history.state, '', link.href)
  readAgain()
})

const dateOf = (card: HTMLElement): DateValue => JSON.parse(card.dataset.value ?? 'null') as DateValue

/** The date of an item that was dragged from one day to another. `from` is empty for items without a date. */
function dropped(value: DateValue, from: string, to: string): DateValue {
  if (to === '') return null
  return value === null ? to : later(value, (timeOf(to) - timeOf(from)) / DAY_MS)
}

/** Changes the date of an item. */
async function change(card: HTMLElement, value: DateValue): Promise<void> {
  const { calendar: collectionId = '', keyOf: key = '' } = card.closest<HTMLElement>(CALENDAR)?.dataset ?? {}
  const item = card.dataset.item ?? ''
  // Further key presses continue from here before the month is reloaded. An item with several days has an element on
  // each.
  for (const one of document.querySelectorAll<HTMLElement>(`${CALENDAR} [data-item="${CSS.escape(item)}"]`)) {
    one.dataset.value = JSON.stringify(value)
  }
  try {
    await calls.make({
      document: collectionId,
      tool: 'items_update',
      arguments: { collectionId, itemsToUpdate: [{ id: item, properties: { [key]: value } }] },
    })
    showStatus(
      value === null
        ? text('{title} has no date now.', { title: card.textContent ?? '' })
        : text('{title} moved to {place}.', { title: card.textContent ?? '', place: textOfDate(value) }),
    )
  } catch (error) {
    showStatus(error instanceof CallError ? error.message : String(error), true)
  }
  readAgain()
}

const textOfDate = (value: NonNullable<DateValue>): string =>
  typeof value === 'string' ? value : `${value.start} – ${value.end}`

const timeOf = (date: string): number => Date.parse(`${date}T12:00:00Z`)

const dayLater = (date: string, days: number): string =>
  new Date(timeOf(date) + days * DAY_MS).toISOString().slice(0, 10)

/** Moves a date, or both ends of a range. */
const later = (value: NonNullable<DateValue>, days: number): DateValue =>
  typeof value === 'string'
    ? dayLater(value, days)
    : { start: dayLater(value.start, days), end: dayLater(value.end, days) }

prepareCalendars()
document.addEventListener('htmx:after:swap', prepareCalendars)
