/** Shows who else has the document open. */
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'
import type { EditedPage } from './edited-page.ts'

/** Milliseconds between two reports that the page is open, and after someone has written. */
const EVERY_MS = 15_000
const AFTER_NEWS_MS = 1_500

export function startPeople({ documentId, base }: EditedPage): void {
  const list = document.createElement('ul')
  list.className = 'people'
  list.setAttribute('aria-label', text('Also here'))
  document.querySelector('.bar .right')?.prepend(list)
  const page = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const address = `${base}/d/${documentId}/people?page=${page}`
  let timer: ReturnType<typeof setTimeout> | undefined

  const askAfter = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => inBackground(ask), milliseconds)
  }
  const ask = async () => {
    askAfter(EVERY_MS)
    if (document.hidden) return
    try {
      const response = await fetch(address)
      if (response.ok) list.innerHTML = await response.text()
    } catch {
      // The server cannot be reached, so it is unknown who is there.
      list.replaceChildren()
    }
  }
  document.body.addEventListener('spacefeed', (event) => {
    const { documents } = (event as CustomEvent<{ documents: string[] }>).detail
    if (!documents.includes(documentId)) return
    askAfter(AFTER_NEWS_MS)
  })
  document.addEventListener('visibilitychange', () => inBackground(ask))
  window.addEventListener('pagehide', () => {
    fetch(`${address}&left=yes`, { keepalive: true }).catch(() => {})
  })
  inBackground(ask)
}
