/**
 * Shows due reminders as browser notifications where the person allowed them, and what newly waits for the member where
 * that was chosen, too. Loaded by `page.js` where they are allowed, and where they are offered.
 */
const { base = '', owner = '' } = document.body.dataset
const KEY = `scriptorium ${base} for-me ${owner}`
const GATHER_MS = 1_000

const isAllowed = (): boolean => 'Notification' in window && Notification.permission === 'granted'
const isWanted = (): boolean => isAllowed() && localStorage.getItem(KEY) === 'yes'

async function readList(path: string): Promise<Document> {
  const response = await fetch(`${base}${path}`, { headers: { 'hx-request': 'true' } })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** @param tag  a later notification with the same one takes the place of this one */
function show(link: HTMLAnchorElement, tag: string): void {
  const href = link.getAttribute('href') ?? ''
  // Phones only allow notifications of service workers.
  try {
    const shown = new Notification(link.textContent ?? '', { tag })
    shown.addEventListener('click', () => {
      window.focus()
      location.assign(href)
    })
  } catch {}
}

/** The links of the unread entries of the list, by their IDs. */
async function readUnread(): Promise<Map<string, HTMLAnchorElement | null>> {
  const page = await readList('/for-me')
  const entries = [...page.querySelectorAll('[data-unread]')]
  return new Map(entries.map((entry) => [entry.getAttribute('data-for-me') ?? '', entry.querySelector('a')]))
}

/** What waited already. Only one tab receives feed events, so each entry is shown once. */
let known = isWanted() ? readUnread() : undefined
let timer: ReturnType<typeof setTimeout> | undefined

offerNotifications('', () => Notification.permission === 'default')
offerNotifications(
  'for-me',
  () => Notification.permission !== 'denied' && !isWanted(),
  () => {
    localStorage.setItem(KEY, 'yes')
    known = readUnread()
  },
)

/** Shows the button of a page that asks for them. */
function offerNotifications(name: string, canAsk: () => boolean, onAllowed?: () => void): void {
  const offer = document.querySelector<HTMLElement>(`[data-notifications="${name}"]`)
  if (offer === null || !('Notification' in window) || !canAsk()) return
  offer.hidden = false
  const ask = async () => {
    if ((await Notification.requestPermission()) === 'granted') onAllowed?.()
    offer.hidden = true
  }
  offer.querySelector('button')?.addEventListener('click', () => {
    ask().catch(console.error)
  })
}

/** Only one tab receives feed events, so each reminder is shown once. */
document.body.addEventListener('reminderdue', (event) => {
  const { reminderId = '' } = event instanceof CustomEvent ? event.detail : {}
  showReminder(reminderId).catch(console.error)
})

async function showReminder(id: string): Promise<void> {
  if (!isAllowed()) return
  const link = (await readList('/reminders')).querySelector<HTMLAnchorElement>(`[data-reminder="${CSS.escape(id)}"] a`)
  if (link !== null) show(link, id)
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
    if (before?.has(id) === false && link !== null) show(link, id)
  }
}

export {}
