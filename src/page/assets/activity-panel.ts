/**
 * The panel beside a page: what waits and what happens. The badge above the page opens and closes it, Escape closes it,
 * and Pin keeps it open on all pages of this browser.
 */

const { base = '' } = document.body.dataset
/** The server reads it, so that a pinned panel is there before any script runs. */
const COOKIE = 'scriptorium-panel'
const YEAR = 365 * 24 * 60 * 60

const panel = () => document.getElementById('activity')
const badge = () => document.getElementById('badge')

async function open(): Promise<void> {
  const opener = badge()
  if (!(opener instanceof HTMLAnchorElement)) return
  const shown = panel() ?? (await load(opener))
  if (shown === null) return
  shown.classList.add('open')
  opener.setAttribute('aria-expanded', 'true')
  shown.focus({ preventScroll: true })
}

/** Without an answer, the page with the same content opens instead. */
async function load({ href }: HTMLAnchorElement): Promise<HTMLElement | null> {
  const response = await fetch(href, { headers: { 'hx-request': 'true' } }).catch(() => undefined)
  if (response?.ok !== true) {
    location.assign(href)
    return null
  }
  const { body } = new DOMParser().parseFromString(await response.text(), 'text/html')
  const loaded = body.querySelector('#activity')
  if (!(loaded instanceof HTMLElement) || panel() !== null) return panel()
  document.body.append(loaded)
  await htmxReady()
  ;(globalThis as { htmx?: { process(element: Element): void } }).htmx?.process(loaded)
  return loaded
}

function close(): void {
  const shown = panel()
  if (shown === null) return
  const hadFocus = shown.contains(document.activeElement)
  if (isPinned()) setPinned(false)
  shown.remove()
  badge()?.setAttribute('aria-expanded', 'false')
  if (hadFocus) badge()?.focus()
}

const isPinned = (): boolean => document.body.classList.contains('pinned')

function setPinned(isOn: boolean): void {
  document.body.classList.toggle('pinned', isOn)
  panel()?.classList.toggle('open', !isOn)
  panel()?.querySelector('[data-pin]')?.setAttribute('aria-pressed', String(isOn))
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: browsers without the Cookie Store API are supported
  document.cookie = `${COOKIE}=pinned; path=${base}; max-age=${isOn ? YEAR : 0}; samesite=lax${secure}`
}

/** A pinned panel has no room beside the page in a narrow window. There it opens over the page. */
const isShown = (): boolean => panel()?.checkVisibility() ?? false

document.addEventListener('opened', ({ target }) => {
  if (!(target instanceof Element) || target.id !== 'badge') return
  if (isShown()) close()
  else open().catch(console.error)
})

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.closest('#activity [data-hide]') !== null) close()
  else if (target.closest('#activity [data-pin]') !== null) setPinned(!isPinned())
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || isPinned() || !isShown()) return
  if (document.querySelector('dialog[open], :popover-open') !== null) return
  close()
})
