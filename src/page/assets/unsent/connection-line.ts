/** Shows on each page that changes wait in the browser, why, and what they are. */

import { type Connection, calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import { changeOf } from './left-behind.ts'
import { copiedList, element } from './left-behind-notice.ts'

const REASONS: Record<Exclude<Connection, 'online'>, string> = {
  offline: 'The server cannot be reached.',
  'signed-out': 'You are signed out, or your access has ended.',
}

/** @param base  the base address of the space's pages */
export function startConnectionLine(base: string): void {
  const line = element('section', 'connection')
  line.setAttribute('role', 'status')
  line.setAttribute('aria-label', 'What was not sent yet')
  line.hidden = true
  document.body.append(line)
  let isOpen = false
  let shown = ''
  const show = async () => {
    const { connection } = calls
    const changes = (await calls.waiting()).map((call) => changeOf(call, false))
    line.hidden = connection === 'online'
    const now = JSON.stringify([connection, changes.map(({ text }) => text)])
    if (connection === 'online' || now === shown) return
    shown = now
    const waiting = `${changes.length === 1 ? '1 change waits' : `${changes.length} changes wait`} in this browser`
    const isOut = connection === 'signed-out'
    const sentence = `${REASONS[connection]} ${waiting}${isOut ? '. ' : ' and will be sent.'}`
    const { list, copy, status } = copiedList(changes)
    const details = element('details', '', element('summary', '', 'Show'), list, element('div', 'acts', copy, status))
    // No one knows whether this browser will be let in again.
    ;(details as HTMLDetailsElement).open = isOpen || isOut
    details.addEventListener('toggle', () => {
      isOpen = (details as HTMLDetailsElement).open
    })
    line.replaceChildren(sentence, ...(isOut ? [openAgain(base)] : []), ...(changes.length > 0 ? [details] : []))
  }
  calls.addEventListener('state', () => inBackground(() => show()))
  window.addEventListener('offline', () => inBackground(() => show()))
}

function openAgain(base: string): HTMLElement {
  const link = document.createElement('a')
  link.href = `${base}/`
  link.textContent = 'Open the space again'
  return link
}
