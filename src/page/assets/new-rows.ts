/**
 * New rows where they will be: a click on *New* below the rows of a table, in a column of a board or on a day of a month
 * opens a field for the title in its place. Enter stores the row, and begins the next one. Whatever closes the field
 * stores what was typed in it, and nothing is stored without a title.
 */
import { TITLE_LENGTH } from '../../base/limits/document-limits.ts'
import { calls } from './calls.ts'
import { showStatus } from './card-drag.ts'
import { reloadItems } from './cells.ts'
import { inBackground, messageOf } from './page-background.ts'
import { text } from './page-text.ts'
import { FORMS, type FormOutcome, sendForm } from './unsent/sent-forms.ts'

const base = document.body.dataset.base ?? ''

/** A row that is on its way: shown at its link until the server has it. */
interface NewRow {
  title: string
  /** The address of its link, since reloading the items replaces their elements. */
  href: string
  /** True if it waits for a connection. */
  waits?: true
}
const rows = new Set<NewRow>()

/** The field that is open. There is one at a time. */
let opened: { own: HTMLElement; field: HTMLInputElement; href: string } | undefined

const linkAt = (href: string): HTMLAnchorElement | null =>
  document.querySelector(`a[data-in-place][href="${CSS.escape(href)}"]`)

document.addEventListener(
  'click',
  (event) => {
    const { target } = event
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-in-place]') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    open(link)
  },
  { capture: true },
)

/** The address of the link with the focus, which reloading the items would lose. */
let focused: string | null | undefined
document.addEventListener('focusin', ({ target }) => {
  focused = target instanceof Element ? target.closest('a[data-in-place]')?.getAttribute('href') : undefined
})
document.addEventListener('pointerdown', () => {
  focused = undefined
})

// Above the line that adds a row is the last row.
document.addEventListener('keydown', (event) => {
  const { target, key } = event
  if (key !== 'ArrowUp' || !(target instanceof HTMLElement) || !target.matches('.new-row a')) return
  const titles = [...(target.closest('table')?.querySelectorAll<HTMLElement>('[data-key="title"]') ?? [])]
  if (titles.length === 0) return
  event.preventDefault()
  titles.at(-1)?.focus()
})

function open(link: HTMLAnchorElement, title = ''): void {
  opened?.own.hidePopover()
  const own = document.createElement('div')
  own.className = 'cell-editor new-row-editor'
  own.setAttribute('role', 'dialog')
  own.setAttribute('aria-label', link.ariaLabel ?? link.textContent?.trim() ?? '')
  own.popover = 'auto'
  const field = document.createElement('input')
  Object.assign(field, { type: 'text', dir: 'auto', value: title, autocomplete: 'off' })
  field.maxLength = TITLE_LENGTH
  field.ariaLabel = link.dataset.inPlace ?? ''
  field.placeholder = link.dataset.inPlace ?? ''
  own.append(field)
  document.body.append(own)
  const href = link.getAttribute('href') ?? ''
  opened = { own, field, href }
  own.showPopover()
  place()
  field.focus()
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'Enter' && field.value.trim() !== '') store(href, field)
    else if (event.key === 'Enter' || event.key === 'Tab') own.hidePopover()
    else return
    event.preventDefault()
  })
  own.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return
    store(href, field)
    const hasFocus = own.contains(document.activeElement) || document.activeElement === document.body
    own.remove()
    if (opened?.own !== own) return
    opened = undefined
    if (hasFocus) linkAt(href)?.focus()
  })
}

/** Stores the row in the field, which is empty then. */
function store(href: string, field: HTMLInputElement): void {
  const title = field.value.trim().replace(/\s+/g, ' ')
  field.value = ''
  if (title === '') return
  const row: NewRow = { title, href }
  rows.add(row)
  draw()
  inBackground(() => send(row))
}

async function send(row: NewRow): Promise<void> {
  const { title, href } = row
  const { pathname, searchParams } = new URL(href, location.href)
  const fields: [string, string][] = [
    ['title', title],
    ['in-place', 'yes'],
  ]
  for (const [name, value] of searchParams) {
    if (name === 'back') fields.push([name, value])
    else if (name.startsWith('v.') && value !== 'false') fields.push(['has', name.slice(2)], [name, value])
  }
  let outcome: FormOutcome
  try {
    outcome = await sendForm(calls, { action: pathname.slice(base.length), fields, text: title })
  } catch (error) {
    refuse(row, messageOf(error))
    return
  }
  if ('waits' in outcome) row.waits = true
  else if ('page' in outcome) {
    const page = new DOMParser().parseFromString(outcome.page, 'text/html')
    refuse(row, page.querySelector('[role="alert"]')?.textContent ?? text('This was refused. Nothing was changed.'))
  } else await show(row, new URL(outcome.leadsTo, location.href).searchParams)
  draw()
}

/** Shows a row that is stored, or says why it is not among those that are shown. */
async function show(row: NewRow, answer: URLSearchParams): Promise<void> {
  const { title, href } = row
  const isProposed = answer.get('notice') === 'proposed'
  const items = linkAt(href)?.closest<HTMLElement>('[data-items]')
  const shown = items ? await reloadItems(items).catch(() => undefined) : undefined
  rows.delete(row)
  const isThere = shown?.querySelector(`[data-item="${CSS.escape(answer.get('row') ?? '')}"]`) != null
  if (isProposed) showStatus(text('“{title}” waits for approval.', { title }), true)
  else if (shown !== undefined && !isThere)
    showStatus(text('“{title}” was added, and is not among the rows that are shown here.', { title }), true)
  else showStatus(text('“{title}” was added.', { title }))
}

/** What was typed goes back into the field if that is free, and is in the notice in any case. */
function refuse(row: NewRow, reason: string): void {
  const { title, href } = row
  rows.delete(row)
  draw()
  showStatus(text('“{title}” was not added: {reason}', { title, reason }), true)
  const link = linkAt(href)
  if (opened === undefined && link !== null) open(link, title)
  else if (opened?.href === href && opened.field.value === '') opened.field.value = title
}

// What waited for a connection is sent with the other forms, and then among the items.
calls.addEventListener('outcome', (event) => {
  if ((event as CustomEvent<{ document: string }>).detail.document !== FORMS) return
  for (const row of rows) if (row.waits) rows.delete(row)
  draw()
})

/** Shows the rows that are on their way, where they will be, and moves the field below them. */
function draw(): void {
  for (const drawn of document.querySelectorAll('.coming-row')) drawn.remove()
  for (const { title, href } of rows) {
    const link = linkAt(href)
    const line = link?.closest('.new-row')
    if (line) {
      const row = document.createElement('tr')
      row.append(Object.assign(document.createElement('th'), { scope: 'row', textContent: title }))
      for (let n = 1; n < (line.firstElementChild as HTMLTableCellElement).colSpan; n++) row.insertCell()
      line.before(coming(row))
    } else {
      const row = coming(document.createElement('li'))
      row.textContent = title
      if (link?.closest('[data-board]')) row.classList.add('item')
      link?.closest('section.month td, [data-board] section')?.querySelector('ul')?.append(row)
    }
  }
  place()
  if (focused && opened === undefined && document.activeElement === document.body) linkAt(focused)?.focus()
}

function coming(row: HTMLElement): HTMLElement {
  row.classList.add('coming-row', 'waits')
  return row
}

/** Positions the field over its link, as wide as the cells or cards above it. */
function place(): void {
  const link = opened && linkAt(opened.href)
  if (opened === undefined || !link) return
  const { own } = opened
  const line = link.closest('.new-row')
  const around = (line ?? link.closest('section.month td, [data-board] section') ?? link).getBoundingClientRect()
  const first = line && link.closest('table')?.querySelector('thead th')
  const width = Math.max(180, first ? first.getBoundingClientRect().width : around.width)
  const day = link.closest('td')?.querySelector('.day-number')
  const top = day ? day.getBoundingClientRect().bottom : (line ?? link).getBoundingClientRect().top
  own.classList.toggle('of-table', line !== null)
  own.style.width = `${Math.min(width, innerWidth - 16)}px`
  own.style.left = `${Math.max(8, Math.min(around.left, innerWidth - Math.min(width, innerWidth - 16) - 8))}px`
  own.style.top = `${Math.max(8, Math.min(top, innerHeight - own.offsetHeight - 8))}px`
}

document.addEventListener('htmx:after:swap', draw)
for (const moved of ['scroll', 'resize'] as const) addEventListener(moved, place, { capture: true, passive: true })
