/** Shows when changes are waiting in the browser, and why. */

import { calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import type { EditedPage } from './blocks/edited-page.ts'

export function startConnectionLine({ documentId, base }: EditedPage): void {
  const line = document.createElement('p')
  line.className = 'connection'
  line.setAttribute('role', 'status')
  line.hidden = true
  document.body.append(line)
  const show = async () => {
    const waiting = (await calls.pending(documentId)).length
    const { connection } = calls
    line.hidden = connection === 'online'
    if (connection === 'online') return
    const changes = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
    line.textContent =
      connection === 'offline'
        ? `The server cannot be reached. ${changes} in this browser and will be sent.`
        : `You are signed out. ${changes} in this browser. `
    if (connection === 'signed-out') {
      const link = document.createElement('a')
      link.href = `${base}/`
      link.textContent = 'Open the space again'
      line.append(link)
    }
  }
  calls.addEventListener('state', () => inBackground(() => show()))
  window.addEventListener('offline', () => inBackground(() => show()))
}
