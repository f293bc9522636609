/**
 * What was not sent yet: the calls of this session are sent, before signing out as well, and so is what its closed tabs
 * left. What other sessions have left in this browser is offered for copying.
 */
import { calls } from './calls.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'
import { session, tab } from './this-session.ts'
import { sendForClosedTabs } from './unsent/closed-tabs.ts'
import { startConnectionLine } from './unsent/connection-line.ts'
import { draftCalls } from './unsent/draft-calls.ts'
import { startFormDrafts } from './unsent/form-drafts.ts'
import { showLeftBehind } from './unsent/left-behind-notice.ts'
import { showRefusedForms } from './unsent/refused-forms.ts'
import { takeForms } from './unsent/sent-forms.ts'

/** Milliseconds after which signing out does not wait for calls any longer. */
const PATIENCE_MS = 5_000

const { base = '' } = document.body.dataset
/** Functions that queue what was typed last. */
const flushes: (() => Promise<void>)[] = []
let isLeaving = false

/** Calls a function before the person signs out. It resolves once everything that was typed is queued. */
export function flushBeforeSignOut(flush: () => Promise<void>): void {
  flushes.push(flush)
}

// First, since it asks before signing out.
startFormDrafts()

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !form.matches('.leave') || isLeaving) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const sending = Promise.all(flushes.map((flush) => flush())).then(() => calls.allSettled())
    const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    const leave = () => {
      isLeaving = true
      // A form cannot be submitted again before this event has ended.
      setTimeout(() => form.requestSubmit())
    }
    inBackground(() => Promise.race([sending, patience]).finally(leave))
  },
  true,
)

/** True once the page is being closed: what was typed last is sent then, as it is stored. */
let isClosing = false

/** True if the page only is hidden, so that it can still queue what was typed. */
export const isHiddenOnly = (): boolean => document.hidden && !isClosing

window.addEventListener('pagehide', () => {
  isClosing = true
  calls.sendLast(draftCalls(base, session, tab).map(({ call }) => call))
})
// The browser shows the page as it was. What was sent when it was left would be sent again as another change.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

const others = {
  about: (count: string) => text('{count} of another session in this browser could not be sent', { count }),
  isFolded: true,
}

/** Loads the list of members once a person writes a comment. Without it, a typed handle names a member all the same. */
const offerMentions = (field: EventTarget | null): unknown =>
  field instanceof Element && field.matches('[data-mentions]') && import('./mention-menu.ts').catch(console.error)
document.addEventListener('focusin', ({ target }) => offerMentions(target))
offerMentions(document.activeElement)

takeForms(calls)
startConnectionLine(base)
inBackground(() => calls.resume())
showRefusedForms()
sendForClosedTabs({ base, session, tab })
inBackground(() => showLeftBehind(base, (one) => one !== session, others))
