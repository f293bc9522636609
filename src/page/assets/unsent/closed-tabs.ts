/**
 * Sends what was typed in tabs that were closed before it was queued or sent, whatever page of the space is open. A tab holds a
 * lock while it is open, so that nothing is sent that it will send itself.
 */
import { calls } from '../calls.ts'
import { inBackground } from '../page-background.ts'
import { databaseName } from '../session-name.ts'
import { draftCalls, drafts } from './draft-calls.ts'
import { callsLeft } from './own-calls.ts'

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
  const send = async (closed: string) => {
    const left = callsLeft(base, session).filter((one) => one.tab === closed)
    const typed = draftCalls(base, session, closed)
    await calls.adopt(
      left.flatMap((one) => one.calls),
      typed.map(({ call }) => call),
    )
    for (const { key } of [...left, ...typed]) localStorage.removeItem(key)
    await calls.resume()
  }
  const known = new Set([tab])
  const watch = () => {
    for (const { tab: other } of [...drafts(base, session), ...callsLeft(base, session)]) {
      if (known.has(other)) continue
      known.add(other)
      inBackground(() => (locks === undefined ? send(other) : locks.request(lockOf(other), () => send(other))))
    }
  }
  watch()
  if (locks === undefined) return
  inBackground(() => locks.request(lockOf(tab), () => new Promise(() => {})))
  window.addEventListener('storage', ({ key }) => {
    if (key !== null && / (?:draft|last) /.test(key)) watch()
  })
}
