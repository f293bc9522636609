/**
 * Pages without a connection: starts the service worker, which keeps what was opened or pinned (offline-worker.js), and
 * says on a page that was kept since when it is. What is written meanwhile waits in the queue of calls: see calls.ts.
 */
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

const { base = '', saved } = document.body.dataset
/** Milliseconds between two questions whether the server answers again. */
const ASK_MS = 5_000

const isControlled = navigator.serviceWorker.controller !== null

if (saved !== undefined) showSaved(saved)
inBackground(() => listKept())
inBackground(() => start())

async function start(): Promise<void> {
  // Browsers refuse it in private windows, and where a person has set that: then nothing is kept.
  const registered = await navigator.serviceWorker
    .register(`${base}/offline-worker.js`, { scope: `${base}/` })
    .catch(() => undefined)
  if (registered === undefined || saved !== undefined) return
  const { active } = await navigator.serviceWorker.ready
  const pinned = [...document.querySelectorAll<HTMLAnchorElement>('#nav-pinned + ul a')].map(({ href }) => href)
  active?.postMessage({
    // The first visit loads nothing more.
    isDeep: isControlled,
    loaded: [
      ...performance.getEntriesByType('resource').map(({ name }) => name),
      ...(isControlled ? filesForLater() : []),
    ],
    pinned: isControlled ? [new URL(`${base}/offline`, location.href).href, ...pinned] : [],
  })
  // What is kept of this page is as old as the page.
  let isOld = !isControlled
  const change = () => {
    isOld = true
  }
  for (const type of ['spacefeed', 'input', 'submit']) document.body.addEventListener(type, change)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden || !isOld) return
    isOld = false
    active?.postMessage({ left: location.href })
  })
}

/** The scripts and styles that the page names, and loads when they are first needed. */
function filesForLater(): string[] {
  const named = document.querySelectorAll<HTMLElement>('body, [data-script], [data-tree], [data-tools]')
  const values = [...named].flatMap(({ dataset }) => Object.values(dataset))
  const files = values.filter((value) => /\/page\/[\w-]+\.(?:css|js)$/.test(value ?? ''))
  return [...new Set(files)].map((path) => new URL(path ?? '', location.href).href)
}

/** @param at  when the page was saved; empty if it was not, and this one lists those that were */
function showSaved(at: string): void {
  const notice = document.createElement('div')
  notice.className = 'notice'
  notice.setAttribute('role', 'status')
  const { lang } = document.documentElement
  const time = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
  const sentence = document.createElement('p')
  const shared = sharedText()
  sentence.textContent =
    shared !== ''
      ? text('No connection. Keep this page open: what you shared is added once there is one, after you are asked.')
      : at === ''
        ? text('No connection, and this page was not saved in this browser.')
        : text('No connection. This is what was saved at {time}.', { time: time.format(new Date(at)) })
  const again = Object.assign(document.createElement('button'), { textContent: text('Try again') })
  again.addEventListener('click', () => location.reload())
  notice.append(sentence, again)
  document.getElementById('main')?.prepend(notice)
  if (shared !== '') notice.after(Object.assign(document.createElement('pre'), { textContent: shared }))
  let isBack = false
  const ask = async () => {
    const answer = await fetch(`${base}/offline`, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
    if (answer === undefined || isBack) return
    isBack = true
    clearInterval(asking)
    // The person who writes goes on, with what others wrote meanwhile. All other pages are loaded again.
    if (!answer.ok || !isWriting()) return location.reload()
    notice.remove()
    await htmxReady()
    for (const type of ['spacechange', 'documentchange']) document.body.dispatchEvent(new CustomEvent(type))
  }
  const asking = setInterval(() => inBackground(ask), ASK_MS)
  for (const [target, type] of [
    [window, 'online'],
    [document, 'visibilitychange'],
  ] as const)
    target.addEventListener(type, () => inBackground(ask))
}

/** What another app shares to this page, which is in its address until it is added. */
function sharedText(): string {
  if (location.pathname !== `${base}/share`) return ''
  return [...new URLSearchParams(location.search).values()].filter((value) => value !== '').join('\n')
}

function isWriting(): boolean {
  const active = document.activeElement
  if (active instanceof HTMLElement && active.isContentEditable) return true
  return active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement
}

/** On the page that lists them: what was kept, the latest first. */
async function listKept(): Promise<void> {
  const list = document.getElementById('kept')
  if (list === null) return
  const name = (await caches.keys()).find((one) => one.startsWith(`scriptorium pages ${base} `))
  if (name === undefined) return
  const cache = await caches.open(name)
  const { lang } = document.documentElement
  const time = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' })
  for (const request of [...(await cache.keys())].reverse()) {
    const { headers } = (await cache.match(request, { ignoreVary: true })) ?? new Response()
    const title = headers.get('x-saved-title')
    if (title === null || request.url.endsWith('/offline')) continue
    // As it stands in the page.
    const words = new DOMParser().parseFromString(decodeURIComponent(title), 'text/html').body.textContent
    const link = Object.assign(document.createElement('a'), {
      href: request.url,
      textContent: words.replace(/ — [^—]*$/, ''),
    })
    const at = Object.assign(document.createElement('span'), {
      className: 'n',
      textContent: time.format(new Date(headers.get('x-saved-at') ?? 0)),
    })
    const row = document.createElement('li')
    row.append(link, at)
    list.append(row)
  }
}
