/**
 * Table cells, as in a spreadsheet: arrow keys move between cells, and a click, Enter or F2 edits a cell in place. So
 * does a letter, which replaces what was there. The fields come from the server's form for the cell, and what is typed
 * until they are here goes into them.
 */
import { announce } from './announcement.ts'
import { calls } from './calls.ts'
import { prepareColumns } from './columns.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'
import { type FormOutcome, sendForm } from './unsent/sent-forms.ts'

const HEADERS = { 'hx-request': 'true' }
const base = document.body.dataset.base ?? ''

/** Identifies a cell by its content, since reloading a table replaces its elements. */
interface Cell {
  item: string
  key: string
}

function elementOf({ item, key }: Cell): HTMLElement | null {
  return document.querySelector(`[data-cells] [data-item="${CSS.escape(item)}"] > [data-key="${CSS.escape(key)}"]`)
}

function cellOf(target: EventTarget | null): Cell | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-cells] [data-key]') : null
  const item = element?.closest<HTMLElement>('[data-item]')?.dataset.item
  const key = element?.dataset.key
  return item === undefined || key === undefined ? undefined : { item, key }
}

/** The cell with the focus, since reloading may remove its element. */
let current: Cell | undefined
document.addEventListener('focusin', ({ target }) => {
  current = cellOf(target)
})
// A press elsewhere moves the focus away.
document.addEventListener('pointerdown', ({ target }) => {
  if (target instanceof Element && target.closest('[data-cells], .cell-editor') === null) current = undefined
})

/** Makes one cell of each table reachable by Tab; arrow keys lead to the others. */
export function prepareCells(): void {
  const last = current && elementOf(current)
  for (const grid of document.querySelectorAll<HTMLElement>('table[data-cells]')) {
    grid.setAttribute('role', 'grid')
    const cells = [...grid.querySelectorAll<HTMLElement>('[data-key]')]
    const first = last && grid.contains(last) ? last : cells[0]
    for (const cell of cells) cell.tabIndex = cell === first ? 0 : -1
  }
  if (current !== undefined && document.activeElement === document.body) focus(current)
}

function focus(cell: Cell): void {
  const element = elementOf(cell)
  if (element === null) return
  const others = element.closest('[data-cells]')?.querySelectorAll<HTMLElement>('[tabindex="0"][data-key]') ?? []
  for (const other of others) other.tabIndex = -1
  element.tabIndex = 0
  element.focus()
}

/** Rows and columns by which each key moves. */
const STEPS: ReadonlyMap<string, readonly [rows: number, columns: number]> = new Map(
  Object.entries({
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  }),
)

function step(from: HTMLElement, [rows, columns]: readonly [number, number]): void {
  const row = from.closest('tr')
  // Skips the headings of groups.
  const lines = [...(from.closest('[data-cells]')?.querySelectorAll('tr:has([data-key])') ?? [])]
  const line = lines[row === null ? -1 : lines.indexOf(row) + rows]
  // Below the last row is the line that adds one.
  if (line === undefined && rows > 0) from.closest('[data-cells]')?.querySelector<HTMLElement>('.new-row a')?.focus()
  const cells = [...(line?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
  const place = [...(row?.querySelectorAll('[data-key]') ?? [])].indexOf(from) + columns
  const cell = cellOf(cells[place] ?? null)
  if (cell !== undefined) focus(cell)
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-cells] [data-key]')) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const by = STEPS.get(key)
  if (ahead !== undefined) {
    if (key === 'Enter') ahead.isDone = true
    else if ([...key].length === 1) ahead.text += key
    else return
    event.preventDefault()
  } else if (by !== undefined) {
    event.preventDefault()
    step(target, by)
  } else if (key === 'Enter' || key === 'F2' || key === ' ') {
    event.preventDefault()
    const box = target.querySelector<HTMLElement>('.box')
    const cell = cellOf(target)
    if (box !== null) box.click()
    else if (cell !== undefined) inBackground(() => edit(cell))
  } else if ([...key].length === 1 && !event.isComposing && target.querySelector('.box') === null) {
    const cell = cellOf(target)
    if (cell === undefined) return
    event.preventDefault()
    inBackground(() => edit(cell, key))
  }
})

document.addEventListener('click', (event) => {
  const { target } = event
  const cell = cellOf(target)
  if (cell === undefined || !(target instanceof Element) || target.closest('a, button, input') !== null) return
  focus(cell)
  if (elementOf(cell)?.querySelector('.box') === null) inBackground(() => edit(cell))
})

/** The overlay that edits a cell. There is one at a time. */
let editor: HTMLElement | undefined
/** What was typed since an overlay was asked for, and whether Enter followed; undefined if none is on its way. */
let ahead: { text: string; isDone: boolean } | undefined

async function edit(cell: Cell, typed = ''): Promise<void> {
  const path = elementOf(cell)?.closest<HTMLElement>('[data-cells]')?.dataset.cells
  if (path === undefined) return
  const back = `${location.pathname.slice(base.length)}${location.search}`
  const query = new URLSearchParams({ key: cell.key, back })
  const asked = { text: typed, isDone: false }
  ahead = asked
  try {
    const response = await fetch(`${path}/items/${cell.item}/edit?${query}`, { headers: HEADERS }).catch(
      () => undefined,
    )
    if (response === undefined) announce(text('The server cannot be reached, so this cell cannot be opened now.'))
    else if (response.ok) {
      const page = await response.text()
      if (ahead === asked) open(cell, page, asked)
    }
  } finally {
    if (ahead === asked) ahead = undefined
  }
}

/** @param typed  what was typed meanwhile, which replaces the text */
function open(cell: Cell, text: string, typed = { text: '', isDone: false }): void {
  editor?.remove()
  const page = new DOMParser().parseFromString(text, 'text/html')
  const form = page.querySelector<HTMLFormElement>('form.edit')
  if (form === null) return
  const own = document.createElement('div')
  own.className = 'cell-editor'
  own.setAttribute('role', 'dialog')
  own.setAttribute('aria-label', page.querySelector('h1')?.textContent ?? '')
  own.popover = 'auto'
  own.append(...[page.querySelector('[role="alert"]'), form].filter((one) => one !== null))
  document.body.append(own)
  editor = own
  own.showPopover()
  place(own, cell)
  const field = own.querySelector<HTMLElement>('[autofocus], input:not([type="hidden"]), textarea, select')
  field?.focus()
  if (field instanceof HTMLInputElement && field.type !== 'checkbox') field.select()
  const before = filledIn(own)
  const isTyped = typed.text !== '' && typeInto(field, typed.text)
  report('formshown', own)
  let isCanceled = false
  let isSending = false
  let hasFailed = false
  const save = (submitter?: HTMLElement | null) => {
    if (isSending) return
    isSending = true
    inBackground(async () => {
      hasFailed = !(await send(cell, own, submitter ?? null))
      isSending = false
    })
  }
  own.addEventListener('submit', (event) => {
    event.preventDefault()
    save(event.submitter)
  })
  own.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') isCanceled = true
    const isLine = event.target instanceof HTMLTextAreaElement && event.key === 'Enter' && !event.shiftKey
    const isPicked = event.target instanceof HTMLSelectElement && event.key === 'Enter'
    if (isLine || isPicked) {
      event.preventDefault()
      save()
    }
  })
  // As Enter does, which presses the first button.
  if (typed.isDone && isTyped) form.requestSubmit(form.querySelector<HTMLElement>('button:not([type="button"])'))
  own.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.target.closest('[data-close]') === null) return
    event.preventDefault()
    isCanceled = true
    own.hidePopover()
  })
  // A click elsewhere saves what was typed. Escape discards it, unless saving it has failed.
  own.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed' || isSending) return
    if (!isCanceled && filledIn(own) !== before) return save()
    if (isCanceled && !hasFailed) report('formdone', own)
    close(cell, own)
  })
}

/** Replaces the text of a field by what was typed before it was here. @returns false if it cannot have that */
function typeInto(field: HTMLElement | null, typed: string): boolean {
  if (field instanceof HTMLSelectElement) {
    const meant = [...field.options].find(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()))
    if (meant !== undefined) field.value = meant.value
    return meant !== undefined
  }
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
    // A field for a date takes words once a letter is typed: see page.js.
    if (field instanceof HTMLInputElement && /^date/.test(field.type)) {
      field.dataset.dateType = field.type
      field.type = 'text'
    }
    field.select()
    return document.execCommand('insertText', false, typed)
  }
  return false
}

/** See form-drafts.ts. */
const report = (type: string, own: HTMLElement): unknown =>
  own.querySelector('form')?.dispatchEvent(new CustomEvent(type, { bubbles: true }))

function close(cell: Cell, own: HTMLElement): void {
  own.remove()
  if (editor !== own) return
  editor = undefined
  focus(cell)
}

function fieldsOf(own: HTMLElement, submitter: HTMLElement | null): URLSearchParams {
  const form = own.querySelector('form')
  const fields = new URLSearchParams()
  if (form === null) return fields
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === 'string') fields.append(name, value)
  return fields
}

const filledIn = (own: HTMLElement): string => fieldsOf(own, null).toString()

/** Positions the overlay over the cell, with the same width, inside the window. */
function place(own: HTMLElement, cell: Cell): void {
  const at = elementOf(cell)?.getBoundingClientRect()
  if (at === undefined) return
  own.style.minWidth = `${Math.max(220, at.width)}px`
  const { width, height } = own.getBoundingClientRect()
  own.style.left = `${Math.max(8, Math.min(at.left - 12, innerWidth - width - 8))}px`
  own.style.top = `${Math.max(8, Math.min(at.top - 8, innerHeight - height - 8))}px`
}

/** @returns false if the server was not reached, and the form does not wait for it */
async function send(cell: Cell, own: HTMLElement, submitter: HTMLElement | null): Promise<boolean> {
  own.setAttribute('aria-busy', 'true')
  try {
    const outcome = await outcomeOf(own, submitter)
    if ('page' in outcome) {
      open(cell, outcome.page)
      return true
    }
    report('formdone', own)
    if ('waits' in outcome) {
      showWaiting(cell, own)
      close(cell, own)
      return true
    }
    const { leadsTo } = outcome
    // The new page shows a notice, so it must be loaded.
    if (new URL(leadsTo, location.href).searchParams.has('notice')) location.assign(leadsTo)
    else inBackground(() => readItems(cell).finally(() => close(cell, own)))
    return true
  } catch {
    // On an error, the overlay stays open with what was typed.
    own.removeAttribute('aria-busy')
    if (!own.matches(':popover-open')) own.showPopover()
    const fault = document.createElement('p')
    fault.textContent = text('The server was not reached. Nothing was saved; try again.')
    fault.setAttribute('role', 'alert')
    own.querySelector('[role="alert"]')?.remove()
    own.prepend(fault)
    return false
  }
}

/** Sends the form through the queue. A button with a name searches, which does not wait. */
async function outcomeOf(own: HTMLElement, submitter: HTMLElement | null): Promise<FormOutcome> {
  const action = own.querySelector('form')?.getAttribute('action') ?? ''
  const body = fieldsOf(own, submitter)
  if (!submitter?.getAttribute('name')) {
    const fields = [...body].filter(([name]) => name !== 'token')
    return sendForm(calls, { action: action.slice(base.length), fields, text: typedIn(own) })
  }
  const response = await fetch(action, { method: 'POST', body, headers: HEADERS })
  return { page: await response.text() }
}

const TEXT_FIELDS = 'textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"])'

const typedIn = (own: HTMLElement): string =>
  [...own.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_FIELDS)]
    .map(({ value }) => value)
    .filter((value) => value !== '')
    .join('\n')

/** Shows what was typed in a cell, until the server has it. */
function showWaiting(cell: Cell, own: HTMLElement): void {
  const element = elementOf(cell)
  const typed = fieldsOf(own, null).get(cell.key === 'title' ? 'title' : `v.${cell.key}`)
  if (element === null || typed === null || typed === undefined) return
  const link = element.querySelector('a')
  ;(cell.key === 'title' && link !== null ? link : element).textContent = typed
  element.classList.add('waits')
}

/** Reloads the items of the cell's collection. */
async function readItems(cell: Cell): Promise<void> {
  const items = elementOf(cell)?.closest<HTMLElement>('[data-items]')
  if (items) await reloadItems(items)
}

/** @param items  the element of the items of a collection @returns its present one; undefined if there is none */
export async function reloadItems({ id, dataset }: HTMLElement): Promise<HTMLElement | undefined> {
  const text = await (await fetch(dataset.items ?? '', { headers: HEADERS })).text()
  // Another reload may have replaced the elements in the meantime.
  const items = document.getElementById(id)
  const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById(id)
  if (items === null || fresh === null) return undefined
  const scrolled = items.querySelector('.wide')?.scrollLeft ?? 0
  items.replaceChildren(...fresh.childNodes)
  items.querySelector('.wide')?.scrollTo(scrolled, 0)
  const { htmx } = globalThis as { htmx?: { process(element: Element): void } }
  htmx?.process(items)
  prepareCells()
  prepareColumns()
  return items
}

prepareCells()
document.addEventListener('htmx:after:swap', prepareCells)
