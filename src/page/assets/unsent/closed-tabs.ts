/**
 * Sends what was typed in tabs that were closed before it was queued or sent, whatever page of the space is open. A tab holds a
 * lock while it is open, so that nothing is sent that it will send itself.
 */
import { calls } from '../calls.ts'
import { draftStep } from '../editing/changes/page-step.ts'
import { storedTexts } from '../editing/changes/unsaved-text.ts'
import { inBackground } from '../page-background.ts'
import { databaseName } from '../session-name.ts'

export interface OpenTab {
  /** The base address of the space's pages. */
  base: string
  session: string
  tab: string
}

/** Browsers only have locks in secure contexts. Without them, all drafts are sent when a page is opened. */
export function sendForClosedTabs({ base, session, tab }: OpenTab): void {
  const { locks } = navigator
  const lockOf = (one: string) => `${databaseName(base, session)} tab ${one}`
  const drafts = () => storedTexts(base, session).filter(({ kind }) => kind === 'draft')
  const send = async (closed: string) => {
    await calls.resume()
    for (const { key, documentId, kept } of drafts().filter((one) => one.tab === closed)) {
      await calls.keep({ document: documentId, ...draftStep(kept), tab: closed, isKept: true })
      localStorage.removeItem(key)
    }
  }
  const known = new Set([tab])
  const watch = () => {
    for (const { tab: other } of drafts()) {
      if (known.has(other)) continue
      known.add(other)
      inBackground(() => (locks === undefined ? send(other) : locks.request(lockOf(other), () => send(other))))
    }
  }
  watch()
  if (locks === undefined) return
  inBackground(() => locks.request(lockOf(tab), () => new Promise(() => {})))
  window.addEventListener('storage', ({ key }) => {
    if (key?.includes(' draft ')) watch()
  })
}
