/**
 * The list of members that `@` opens in a comment, and what is typed after it narrows. It stays in the field: arrow keys choose, Enter or Tab
 * takes, Escape closes the list alone. What is inserted is what could have been typed: `@anna`.
 */
import type { LinkTarget } from '../link-target.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

const base = document.body.dataset.base ?? ''

/** What opens the list, before the caret: no `@` within a word, an address, or a mention that is stored already. */
const TYPED = /(?<![\p{L}\p{M}\p{N}_@/.`[-])@((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,59})?)$/u

const list = document.createElement('div')
list.id = 'mentions'
list.className = 'kinds'
list.popover = 'manual'
list.setAttribute('role', 'listbox')
list.setAttribute('aria-label', text('Members to mention'))
Object.assign(list.style, { inset: 'auto', margin: '0' })

interface Open {
  field: HTMLTextAreaElement
  members: readonly LinkTarget[]
  chosen: number
}
let open: Open | undefined
/** Counts what was asked for: an answer that comes late is not shown. */
let asked = 0

const isField = (target: EventTarget | null): target is HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement && target.matches('[data-mentions]')

const queryIn = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string | undefined =>
  selectionStart === selectionEnd ? TYPED.exec(value.slice(0, selectionStart))?.[1] : undefined

document.addEventListener('input', ({ target }) => {
  if (isField(target)) inBackground(() => follow(target))
})
// What was typed while this was loaded.
if (isField(document.activeElement)) {
  const field = document.activeElement
  inBackground(() => follow(field))
}

async function follow(field: HTMLTextAreaElement): Promise<void> {
  const own = ++asked
  const query = queryIn(field)
  if (query === undefined) return close()
  const response = await fetch(`${base}/targets?${new URLSearchParams({ kind: 'member', q: query })}`).catch(
    () => undefined,
  )
  if (own !== asked) return
  // Without a connection there is nothing to choose from.
  const members = response?.ok ? ((await response.json()) as LinkTarget[]) : []
  if (own !== asked || document.activeElement !== field) return
  if (members.length === 0) close()
  else draw({ field, members, chosen: 0 })
}

function draw(shown: Open): void {
  const { field, members, chosen } = shown
  open = shown
  list.replaceChildren(...members.map((member, index) => optionOf(member, index, index === chosen)))
  // A dialog makes all outside of it inert.
  if (list.parentElement !== field.form) field.form?.append(list)
  if (!list.matches(':popover-open')) list.showPopover()
  list.children[chosen]?.scrollIntoView({ block: 'nearest' })
  field.setAttribute('aria-autocomplete', 'list')
  field.setAttribute('aria-haspopup', 'listbox')
  field.setAttribute('aria-controls', list.id)
  field.setAttribute('aria-activedescendant', `${list.id}-${chosen}`)
  place(field)
}

function optionOf({ title, about }: LinkTarget, index: number, isChosen: boolean): HTMLElement {
  const option = document.createElement('div')
  option.id = `${list.id}-${index}`
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', String(isChosen))
  const part = (className: string, textContent: string) =>
    Object.assign(document.createElement('span'), { className, textContent })
  option.append(part('name', title), ' ', part('hint', about))
  // The caret stays in the field.
  option.addEventListener('pointerdown', (event) => event.preventDefault())
  option.addEventListener('click', () => insert(index))
  return option
}

function close(): void {
  const { field } = open ?? {}
  open = undefined
  if (list.matches(':popover-open')) list.hidePopover()
  field?.removeAttribute('aria-activedescendant')
  field?.removeAttribute('aria-controls')
}

// Before the dialog and the form, for which these keys mean something else.
document.addEventListener(
  'keydown',
  (event) => {
    const { key } = event
    if (open === undefined || event.target !== open.field || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const { members, chosen } = open
    if (key === 'ArrowDown' || key === 'ArrowUp')
      draw({ ...open, chosen: (chosen + (key === 'ArrowDown' ? 1 : -1) + members.length) % members.length })
    else if (key === 'Enter' || key === 'Tab') insert(chosen)
    else if (key === 'Escape') dismiss()
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  },
  { capture: true },
)

/** Closes the list until something else is typed. */
function dismiss(): void {
  asked++
  close()
}
// Moving the caret away, or leaving the field.
document.addEventListener('selectionchange', () => {
  if (open !== undefined && queryIn(open.field) === undefined) dismiss()
})
document.addEventListener('focusout', ({ target }) => {
  if (target === open?.field) dismiss()
})
for (const moved of ['scroll', 'resize'] as const)
  addEventListener(moved, () => open && place(open.field), { capture: true, passive: true })

function insert(index: number): void {
  if (open === undefined) return
  const { field, members } = open
  const [member, query] = [members[index], queryIn(field)]
  dismiss()
  if (member === undefined || query === undefined) return
  field.focus()
  field.setSelectionRange(field.selectionStart - query.length - 1, field.selectionStart)
  // Undo of the browser takes it back.
  document.execCommand('insertText', false, `${mentionOf(member)} `)
}

/** Somebody without a handle is named as mentions are stored. */
const mentionOf = ({ handle, title, url }: LinkTarget): string =>
  handle === undefined ? `[${title.replace(/[[\]\\]/g, '\\$&')}](${url})` : `@${handle}`

/** Positions the list below the field, or above it where there is no room. */
function place(field: HTMLTextAreaElement): void {
  const { top, bottom, left } = field.getBoundingClientRect()
  const { offsetHeight: height, offsetWidth: width } = list
  const end = visualViewport === null ? innerHeight : visualViewport.height
  list.style.top = `${bottom + height + 8 < end ? bottom + 4 : Math.max(8, top - height - 4)}px`
  list.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
}
