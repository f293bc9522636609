/**
 * Shows what newly waits for the member as browser notifications, if the person chose that in this browser. Loaded by
 * `reminders.js` where it was chosen, and where it is offered.
 */
const { base = '', owner = '' } = document.body.dataset
/** As in reminders.js. */
const KEY = `scriptorium ${base} for-me ${owner}`
const GATHER_MS = 1_000

const isWanted = (): boolean =>
  'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'yes'

/** The links of the unread entries of the list, by their IDs. */
async function readUnread(): Promise<Map<string, HTMLAnchorElement | null>> {
  const response = await fetch(`${base}/for-me`, { headers: { 'hx-request': 'true' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const entries = [...page.querySelectorAll('[data-unread]')]
  return new Map(entries.map((entry) => [entry.getAttribute('data-for-me') ?? '', entry.querySelector('a')]))
}

/** What waited already. Only one tab receives feed events, so each entry is shown once. */
let known = isWanted() ? readUnread() : undefined
let timer: ReturnType<typeof setTimeout> | undefined

const offer = document.querySelector<HTMLElement>('[data-notifications="for-me"]')
if (offer !== null && 'Notification' in window && Notification.permission !== 'denied' && !isWanted()) {
  offer.hidden = false
  offer.querySelector('button')?.addEventListener('click', () => {
    choose(offer).catch(console.error)
  })
}

async function choose(from: HTMLElement): Promise<void> {
  if ((await Notification.requestPermission()) === 'granted') {
    localStorage.setItem(KEY, 'yes')
    known = readUnread()
  }
  from.hidden = true
}

document.body.addEventListener('spaceheard', () => {
  if (known === undefined || timer !== undefined) return
  timer = setTimeout(() => {
    showNew().catch(console.error)
  }, GATHER_MS)
})

async function showNew(): Promise<void> {
  timer = undefined
  const before = await known
  const unread = await readUnread()
  known = Promise.resolve(unread)
  for (const [id, link] of unread) {
    if (before?.has(id) !== false || link === null) continue
    const href = link.getAttribute('href') ?? ''
    // Phones only allow notifications of service workers.
    try {
      const shown = new Notification(link.textContent ?? '', { tag: id })
      shown.addEventListener('click', () => {
        window.focus()
        location.assign(href)
      })
    } catch {}
  }
}

export {}
