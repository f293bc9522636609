/** Shows on each page that changes wait in the browser, why, and what they are. */

import { type Connection, calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import { count, text } from '../page-text.ts'
import { changeOf } from './left-behind.ts'
import { copiedList, element } from './left-behind-notice.ts'

const REASONS: Record<Exclude<Connection, 'online'>, string> = {
  offline: text('The server cannot be reached.'),
  'signed-out': text('You are signed out, or your access has ended.'),
}

/** @param base  the base address of the space's pages */
export function startConnectionLine(base: string): void {
  const line = element('section', 'connection')
  line.setAttribute('role', 'status')
  line.setAttribute('aria-label', text('What was not sent yet'))
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
    const waiting = count(changes.length, {
      one: '1 change waits in this browser',
      other: '{n} changes wait in this browser',
    })
    const isOut = connection === 'signed-out'
    const sentence = `${REASONS[connection]} ${isOut ? `${waiting}. ` : text('{waiting} and will be sent.', { waiting })}`
    const { list, copy, status } = copiedList(changes)
    const details = element(
      'details',
      '',
      element('summary', '', text('Show')),
      list,
      element('div', 'acts', copy, status),
    )
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
  link.textContent = text('Open the space again')
  return link
}
