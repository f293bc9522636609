/**
 * Folders, documents and pages of the tree are opened and closed in place. The server keeps what is open, so that every page and each update of
 * the tree has it. It is loaded when the first one is pressed: see page.js.
 */
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

/** Each request begins after the one before it, since it sends the cookie that the other one has set. */
let turn: Promise<unknown> = Promise.resolve()

document.addEventListener('opened', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || !target.matches('#nav .fold')) return
  const isOpen = target.getAttribute('aria-expanded') !== 'true'
  const { value } = target
  show(value, isOpen)
  turn = turn.catch(() => undefined).then(() => keep(value, isOpen))
  inBackground(() => turn)
})

/** The button of a place, which updates of the tree may have replaced. */
const buttonOf = (place: string): HTMLButtonElement | null =>
  document.querySelector(`#nav .fold[value="${CSS.escape(place)}"]`)

const listOf = (button: Element): HTMLElement | null =>
  button.parentElement?.querySelector<HTMLElement>(':scope > ul') ?? null

function show(place: string, isOpen: boolean): void {
  const button = buttonOf(place)
  if (button === null) return
  button.setAttribute('aria-expanded', String(isOpen))
  button.name = isOpen ? 'close' : 'open'
  const list = listOf(button)
  if (list !== null) list.hidden = !isOpen
  const icon = button.nextElementSibling?.querySelector('use')
  const address = icon?.getAttribute('href')?.replace(/#folder(?:-open)?$/, isOpen ? '#folder-open' : '#folder')
  if (address !== undefined) icon?.setAttribute('href', address)
}

async function keep(place: string, isOpen: boolean): Promise<void> {
  const form = buttonOf(place)?.form
  if (form === null || form === undefined) return
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
  body.append(isOpen ? 'open' : 'close', place)
  const sent = { method: 'POST', body, headers: { 'hx-request': 'true' } }
  const response = await fetch(form.action, sent).catch(() => undefined)
  const list = response?.ok && isOpen ? await readList(place) : undefined
  if (response?.ok && (list !== undefined || !isOpen)) {
    if (list === undefined) return
    const button = buttonOf(place)
    // Somebody closed it meanwhile.
    if (button?.getAttribute('aria-expanded') !== 'true') return
    listOf(button)?.remove()
    button.parentElement?.append(list)
    return
  }
  show(place, !isOpen)
  report(response === undefined ? text('You are offline. Try again later.') : text('This could not be opened.'))
}

/** What is in a place, from a new navigation; undefined if it is not there. */
async function readList(place: string): Promise<HTMLElement | undefined> {
  const nav = document.getElementById('nav')
  const address = `${nav?.getAttribute('hx-get')}&had=nav:`
  const response = await fetch(address, { headers: { 'hx-request': 'true' } }).catch(() => undefined)
  if (!response?.ok) return undefined
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const button = page.querySelector(`#nav .fold[value="${CSS.escape(place)}"]`)
  const list = button === null ? null : listOf(button)
  return list === null ? undefined : document.adoptNode(list)
}

function report(sentence: string): void {
  const notice = document.getElementById('unfolded') ?? document.createElement('p')
  Object.assign(notice, { id: 'unfolded', className: 'notice', textContent: sentence })
  notice.setAttribute('role', 'alert')
  document.getElementById('main')?.prepend(notice)
}
