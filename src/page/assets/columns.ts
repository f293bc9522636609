/**
 * Widths and places of the columns of a table, by mouse, touch and keys. Both are settings of its view.
 *
 *     drag the edge of a header, or ← → on it      the width        Delete on it, or a double click      all widths by the text
 *     drag a header, or Ctrl ← → on it             the place
 *     drag a header to the place that then appears above the table      hidden, as by its menu
 */
import { CallError, calls } from './calls.ts'
import { type Drop, makeSortable, readAgain, showStatus } from './card-drag.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

/** Pixels. The server shows no others. */
const LEAST = 48
const MOST = 1200
/** Pixels by which a key changes a width. */
const STEP = 16
/** Milliseconds without a key after which a width is stored. */
const PAUSE_MS = 600

const MOVED = 'th[data-column]:not([data-column="title"])'

/** The rows of headers that are movable. Reloading a table replaces elements in it. */
const prepared = new WeakSet<HTMLTableRowElement>()

/** The column whose edge or name has the focus, since reloading removes its element. */
let focused: (Column & { isEdge: boolean }) | undefined
/** The column whose width was set by keys, and is not stored yet. A table that is reloaded meanwhile has it as well. */
let resized: (Column & { width: number }) | undefined

/** A column of a collection, by its key. */
interface Column {
  collection: string
  key: string
}

document.addEventListener('focusin', ({ target }) => {
  const header = headerOf(target)
  const isEdge = target instanceof Element && target.matches('.column-edge')
  focused = header && { ...columnOf(header), isEdge }
})
document.addEventListener('pointerdown', ({ target }) => {
  if (headerOf(target) === undefined) focused = undefined
})

const headerOf = (target: EventTarget | null): HTMLElement | undefined =>
  (target instanceof Element && target.closest<HTMLElement>('th[data-column]')) || undefined
const tableOf = (header: HTMLElement): HTMLTableElement => header.closest('table') as HTMLTableElement
const columnOf = (header: HTMLElement): Column => ({
  collection: tableOf(header).dataset.collection ?? '',
  key: keyOf(header),
})
const shownHeader = ({ collection, key }: Column): HTMLElement | null =>
  document.querySelector(`table[data-collection="${CSS.escape(collection)}"] th[data-column="${CSS.escape(key)}"]`)
const keyOf = (header: HTMLElement): string => header.dataset.column ?? ''
const headersOf = (table: HTMLTableElement): HTMLElement[] => [
  ...table.querySelectorAll<HTMLElement>('thead th[data-column]'),
]

/** Adds the edges by which columns are resized, and makes headers movable. */
export function prepareColumns(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-view]')) {
    for (const header of headersOf(table))
      if (header.querySelector('.column-edge') === null) header.append(edgeOf(header))
    const row = table.tHead?.rows[0]
    if (row === undefined || prepared.has(row)) continue
    prepared.add(row)
    const name = `columns-${table.dataset.view}-${table.dataset.collection}`
    const lists = { name, isOrdered: true, draggable: MOVED, filter: '.column-edge, button' }
    const drop = ({ card, to }: Drop) => inBackground(() => (to === row ? moved(card) : hidden(table, card)))
    makeSortable(row, lists, drop, (isDragged) => (isDragged ? offerHiding(table, name) : hiding?.remove()))
  }
  const header = resized && shownHeader(resized)
  if (resized !== undefined && header) setWidth(header, resized.width)
  if (focused !== undefined && document.activeElement === document.body) refocus(focused)
}

/** The place to drop a header that is to be hidden. It is there while one is dragged. */
let hiding: HTMLElement | undefined

function offerHiding(table: HTMLTableElement, name: string): void {
  hiding?.remove()
  hiding = document.createElement('p')
  hiding.className = 'hides-column'
  hiding.textContent = text('Drop it here to hide it')
  table.closest('.wide')?.before(hiding)
  makeSortable(hiding, { name, isOrdered: false, draggable: MOVED }, () => undefined)
}

async function hidden(table: HTMLTableElement, header: HTMLElement): Promise<void> {
  hiding?.remove()
  const keys = (table.dataset.hidden ?? '').split(' ').filter(Boolean)
  await change(
    table,
    { hidden: [...keys, keyOf(header)] },
    text('{name} is hidden. Columns shows it again.', { name: header.textContent?.trim() ?? '' }),
  )
}

function refocus(column: Column & { isEdge: boolean }): void {
  const target = column.isEdge ? '.column-edge' : 'a'
  shownHeader(column)?.querySelector<HTMLElement>(target)?.focus()
}

function edgeOf(header: HTMLElement): HTMLElement {
  const edge = document.createElement('span')
  edge.className = 'column-edge'
  edge.tabIndex = 0
  edge.setAttribute('role', 'separator')
  edge.setAttribute('aria-orientation', 'vertical')
  edge.setAttribute('aria-label', text('Width of {name}', { name: header.textContent?.trim() ?? '' }))
  edge.setAttribute('aria-valuemin', String(LEAST))
  edge.setAttribute('aria-valuemax', String(MOST))
  edge.setAttribute('aria-valuenow', String(widthOf(header)))
  edge.addEventListener('pointerdown', (down) => {
    if (down.button !== 0) return
    down.preventDefault()
    edge.focus()
    drag(header, edge, down)
  })
  edge.addEventListener('dblclick', () => inBackground(() => clearWidths(tableOf(header))))
  return edge
}

const widthOf = (header: HTMLElement): number =>
  Math.min(MOST, Math.max(LEAST, Math.round(header.getBoundingClientRect().width)))

function drag(header: HTMLElement, edge: HTMLElement, down: PointerEvent): void {
  const before = widthOf(header)
  edge.setPointerCapture(down.pointerId)
  let isChanged = false
  const move = ({ clientX }: PointerEvent) => {
    isChanged ||= clientX !== down.clientX
    if (isChanged) setWidth(header, before + clientX - down.clientX)
  }
  const end = ({ type }: PointerEvent) => {
    for (const [name, listener] of Object.entries(listeners)) edge.removeEventListener(name, listener as EventListener)
    if (type === 'pointercancel') setWidth(header, before)
    else if (isChanged) inBackground(() => storeWidths(tableOf(header)))
  }
  const listeners = { pointermove: move, pointerup: end, pointercancel: end }
  for (const [name, listener] of Object.entries(listeners)) edge.addEventListener(name, listener as EventListener)
}

/** Sets the width of a column. All others keep theirs. */
function setWidth(header: HTMLElement, width: number): void {
  const table = tableOf(header)
  const columns = columnElements(table)
  const column = columns[headersOf(table).indexOf(header)]
  if (column === undefined) return
  column.width = String(Math.min(MOST, Math.max(LEAST, Math.round(width))))
  header.querySelector('.column-edge')?.setAttribute('aria-valuenow', column.width)
}

/** The elements of the columns with their widths, which are made of what is shown if there are none. */
function columnElements(table: HTMLTableElement): HTMLTableColElement[] {
  const known = [...table.querySelectorAll('col')]
  if (known.length > 0) return known
  const cells = [...(table.tHead?.rows[0]?.cells ?? [])]
  const columns = cells.map((cell) =>
    Object.assign(document.createElement('col'), { width: String(Math.round(cell.getBoundingClientRect().width)) }),
  )
  const group = document.createElement('colgroup')
  group.append(...columns)
  table.prepend(group)
  table.classList.add('sized')
  return columns
}

async function storeWidths(table: HTMLTableElement): Promise<void> {
  const columns = columnElements(table)
  const widths = Object.fromEntries(
    headersOf(table).map((header, index) => [keyOf(header), `${columns[index]?.width ?? LEAST}px`]),
  )
  await change(table, { widths }, '')
}

async function storeResized(): Promise<void> {
  const header = resized && shownHeader(resized)
  resized = undefined
  if (header) await storeWidths(tableOf(header))
}

const clearWidths = (table: HTMLTableElement): Promise<void> =>
  change(table, { widths: {} }, text('Each column is as wide as its text.'))

/** Stores settings of the view. @param done  the message once that is done */
async function change(table: HTMLTableElement, fields: object, done: string): Promise<void> {
  const { collection: collectionId = '', view: viewId = '' } = table.dataset
  const first = { tool: 'views_add', arguments: { collectionId, view: { name: text('Table'), type: 'table', fields } } }
  const later = { tool: 'views_update', arguments: { collectionId, viewId, view: { fields } } }
  try {
    const answer = await calls.make<{ id?: string }>({ document: collectionId, ...(viewId === '' ? first : later) })
    table.dataset.view = answer?.id ?? viewId
    showStatus(done)
  } catch (error) {
    showStatus(error instanceof CallError ? error.message : String(error), true)
  }
  readAgain()
}

/** Stores the order of the headers after one was moved, and shows its column there. */
async function moved(header: HTMLElement): Promise<void> {
  const table = tableOf(header)
  const key = keyOf(header)
  const { order = '' } = table.dataset
  const keys = order.split(' ').filter((one) => one !== key)
  const before = header.previousElementSibling instanceof HTMLElement ? keyOf(header.previousElementSibling) : ''
  // The title is the first column, and in no order. Hidden columns keep their places.
  keys.splice(keys.indexOf(before) + 1, 0, key)
  const name = header.textContent?.trim() ?? ''
  await change(
    table,
    { order: keys },
    text('{name} is column {place}.', { name: name ?? '', place: headersOf(table).indexOf(header) + 1 }),
  )
}

let pause: ReturnType<typeof setTimeout> | undefined

document.addEventListener('keydown', (event) => {
  const header = headerOf(event.target)
  const table = header?.closest('table[data-view]')
  if (header === undefined || !(table instanceof HTMLTableElement)) return
  const isEdge = event.target instanceof Element && event.target.matches('.column-edge')
  const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
  if (event.altKey || event.shiftKey) return
  if (by !== 0 && (event.ctrlKey || event.metaKey)) {
    if (keyOf(header) === 'title') showStatus(text('The column with the titles is always the first.'))
    else moveBy(header, by)
  } else if (by !== 0 && isEdge) {
    resized = { ...columnOf(header), width: widthOf(header) + by * STEP }
    setWidth(header, resized.width)
    clearTimeout(pause)
    pause = setTimeout(() => inBackground(storeResized), PAUSE_MS)
  } else if (isEdge && event.key === 'Delete') inBackground(() => clearWidths(table))
  else return
  event.preventDefault()
})

function moveBy(header: HTMLElement, by: -1 | 1): void {
  const other = by < 0 ? header.previousElementSibling : header.nextElementSibling
  if (!(other instanceof HTMLElement) || !other.matches(MOVED)) return
  if (by < 0) other.before(header)
  else other.after(header)
  refocus({ ...columnOf(header), isEdge: focused?.isEdge ?? false })
  inBackground(() => moved(header))
}

prepareColumns()
document.addEventListener('htmx:after:swap', prepareColumns)
