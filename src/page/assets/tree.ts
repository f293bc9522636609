/**
 * The tree of the navigation: its names are dragged to folders and pages, renamed in place, and have a menu each. It is
 * loaded when one of these begins: see page.js.
 */
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

const { body } = document
const { base = '' } = body.dataset

/** What is dragged, by its address: a document, a folder, or a page within a document. */
const ENTRY = /^\/(?:(d|folders)\/(\d{12})|(unsorted|templates|documents))$/

interface Target {
  link: HTMLAnchorElement
  /** What the server is asked for. */
  path: string
  fields: Readonly<Record<string, string>>
  /** Where the line is drawn; absent to go into it. */
  edge?: 'before' | 'after'
}

const pathOf = (link: HTMLAnchorElement): string => link.pathname.slice(base.length)
const nameOf = (link: Element): string => link.querySelector('.name')?.textContent?.trim() ?? ''
const isNested = (link: Element): boolean => link.closest('.nested') !== null
/** True for a page within a document. */
const isPage = (path: string): boolean => document.querySelector(`#nav .nested a[href="${base}${path}"]`) !== null

/** Where what is dragged would go. */
function targetAt(event: DragEvent): Target | undefined {
  const { target } = event
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('#nav a[href]:not(.entry-menu)') : null
  const dragged = body.dataset.dragged ?? ''
  if (link === null || dragged === pathOf(link)) return undefined
  const [, kind, id = '', location] = ENTRY.exec(pathOf(link)) ?? []
  if (dragged.startsWith('/folders/')) {
    const place = location === 'documents' ? 'root' : kind === 'folders' ? id : undefined
    return place === undefined ? undefined : { link, path: `${dragged}/move`, fields: { place } }
  }
  if (!isPage(dragged)) {
    const place = location === 'documents' ? undefined : kind === 'folders' ? id : location
    return place === undefined ? undefined : { link, path: `${dragged}/move`, fields: { place } }
  }
  if (kind !== 'd') return undefined
  const { top, height } = link.getBoundingClientRect()
  const part = height === 0 ? 0.5 : (event.clientY - top) / height
  const edge = !isNested(link) ? undefined : part < 0.3 ? 'before' : part > 0.7 ? 'after' : undefined
  const fields = { where: edge ?? 'into', target: id }
  return { link, path: `${dragged}/place`, fields, ...(edge && { edge }) }
}

const MARKS = ['drop', 'drop-before', 'drop-after']

function mark(target?: Target): void {
  for (const one of document.querySelectorAll('#nav :is(.drop, .drop-before, .drop-after)'))
    one.classList.remove(...MARKS)
  target?.link.classList.add(target.edge === undefined ? 'drop' : `drop-${target.edge}`)
}

const letGo = (): void => {
  mark()
  delete body.dataset.dragged
}

document.addEventListener('dragover', (event) => {
  if (body.dataset.dragged === undefined) return
  const target = targetAt(event)
  mark(target)
  if (target === undefined) return
  event.preventDefault()
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'move'
})

document.addEventListener('dragend', letGo)

document.addEventListener('drop', (event) => {
  const target = body.dataset.dragged === undefined ? undefined : targetAt(event)
  if (target === undefined) return
  event.preventDefault()
  letGo()
  inBackground(() => send(target.path, target.fields, text('Moved to {name}.', { name: nameOf(target.link) })))
})

/**
 * Sends a form. The server sends the news of it, by which the navigation is loaded again.
 *
 * @param done  what to say then
 * @returns false if it was refused
 */
async function send(path: string, fields: Readonly<Record<string, string>>, done: string): Promise<boolean> {
  const token = document.querySelector<HTMLInputElement>('.leave [name="token"]')?.value ?? ''
  const sent = new URLSearchParams({ token, back: '/', ...fields })
  const headers = { 'hx-request': 'true' }
  const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: sent }).catch(() => undefined)
  if (response === undefined) {
    report(text('The server was not reached. Nothing was moved; try again.'))
    return false
  }
  const refusal = response.headers.get('x-refusal')
  const leadsTo = new URLSearchParams(response.headers.get('x-leads-to')?.split('?')[1] ?? '')
  if (!response.ok) report(refusal === null ? text('It could not be moved.') : decodeURIComponent(refusal))
  else if (leadsTo.get('notice') === 'proposed') report(text('Proposed. It happens once it is approved.'))
  else if (leadsTo.has('notice')) report(done, { token, calls: leadsTo.get('call') ?? '' })
  return response.ok
}

/** @param undo  the call to offer to take back */
function report(sentence: string, undo?: { token: string; calls: string }): void {
  const notice = document.getElementById('moved') ?? document.createElement('div')
  const words = document.createElement('p')
  words.textContent = sentence
  Object.assign(notice, { id: 'moved', className: 'notice' })
  notice.setAttribute('role', 'status')
  notice.replaceChildren(words)
  if (undo !== undefined && undo.calls !== '') notice.append(undoForm(undo))
  document.getElementById('main')?.prepend(notice)
}

function undoForm({ token, calls }: { token: string; calls: string }): HTMLFormElement {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action: `${base}/undo` })
  const back = location.pathname.slice(base.length) || '/'
  for (const [name, value] of Object.entries({ token, calls, back }))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  form.append(Object.assign(document.createElement('button'), { textContent: text('Undo') }))
  return form
}

// The menu of an entry

document.addEventListener('opened', ({ target }) => {
  if (target instanceof HTMLAnchorElement && target.matches('.entry-menu')) inBackground(() => openMenu(target))
})

async function openMenu(opener: HTMLAnchorElement): Promise<void> {
  const back = location.pathname.slice(base.length) || '/'
  const headers = { 'hx-request': 'true' }
  const response = await fetch(`${opener.href}?${new URLSearchParams({ back })}`, { headers }).catch(() => undefined)
  const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html')
  const list = page.querySelector('.entry-actions')
  if (list === null) {
    report(page.querySelector('[role="alert"]')?.textContent ?? text('The server was not reached. Try again.'))
    return
  }
  document.getElementById('entry-menu')?.remove()
  const menu = document.createElement('div')
  Object.assign(menu, { id: 'entry-menu', className: 'menu', popover: 'auto' })
  menu.setAttribute('role', 'group')
  menu.setAttribute('aria-label', opener.getAttribute('aria-label') ?? '')
  menu.append(list)
  document.getElementById('main')?.append(menu)
  menu.addEventListener('toggle', (event) => {
    if ((event as ToggleEvent).newState === 'closed') menu.remove()
  })
  menu.addEventListener('keydown', (event) => moveFocus(menu, event))
  menu.addEventListener('click', (event) => chooseIn(menu, opener, event))
  menu.showPopover()
  const { bottom, left } = opener.getBoundingClientRect()
  const top = Math.max(8, Math.min(bottom + 4, innerHeight - menu.offsetHeight - 8))
  Object.assign(menu.style, { inset: 'auto', positionArea: 'none', margin: '0' })
  menu.style.top = `${top}px`
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - menu.offsetWidth - 8))}px`
  menu.querySelector<HTMLElement>('a, button')?.focus()
}

function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const items = [...menu.querySelectorAll<HTMLElement>('a, button')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  items[(at + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length]?.focus()
}

/** The forms of the menu open in the dialog; a name of the tree is changed where it stands. */
function chooseIn(menu: HTMLElement, opener: HTMLAnchorElement, event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null) return
  const entry = opener.previousElementSibling
  if (/\/d\/\d{12}\/rename$/.test(link.pathname) && entry instanceof HTMLAnchorElement) {
    event.preventDefault()
    event.stopPropagation()
    menu.hidePopover()
    rename(entry)
  } else if (link.dataset.panel !== undefined) menu.hidePopover()
}

// Names

document.addEventListener('rename', ({ target }) => {
  if (target instanceof HTMLAnchorElement && ENTRY.test(pathOf(target))) rename(target)
})

/** Changes a name in place: Enter keeps it, and so does leaving it. Escape does not. */
function rename(link: HTMLAnchorElement): void {
  const path = pathOf(link)
  const [, kind] = ENTRY.exec(path) ?? []
  const before = `${link.querySelector('.emoji')?.textContent ?? ''} ${nameOf(link)}`.trim()
  if (kind === undefined || link.hidden) return
  const field = Object.assign(document.createElement('input'), { type: 'text', value: before, className: 'entry-name' })
  field.setAttribute('aria-label', text('Name'))
  link.hidden = true
  link.after(field)
  field.focus()
  field.select()
  const end = (isKept: boolean) => {
    // Removing it takes its focus away, which ends it as well.
    field.removeEventListener('blur', leave)
    const typed = field.value.trim()
    field.remove()
    link.hidden = false
    if (isKept && typed !== '' && typed !== before) inBackground(() => store(link, kind, { path, before, typed }))
  }
  const leave = () => end(true)
  field.addEventListener('blur', leave)
  field.addEventListener('keydown', (event) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    end(event.key === 'Enter')
    link.focus()
  })
}

async function store(
  link: HTMLAnchorElement,
  kind: string,
  { path, before, typed }: { path: string; before: string; typed: string },
): Promise<void> {
  const name = link.querySelector('.name')
  if (name !== null) name.textContent = typed
  const done = text('Renamed to {name}.', { name: typed })
  const isKept =
    kind === 'd'
      ? await send(`${path}/rename`, { title: typed, opened: JSON.stringify({ title: before }) }, done)
      : await send(`${path}/name`, { name: typed }, done)
  if (!isKept && name !== null) name.textContent = before
}
