/** On the page after signing out: offers what the session did not send, for copying. */
import { inBackground } from './page-background.ts'
import { showLeftBehind } from './unsent/left-behind-notice.ts'

const { base = '', owner = '' } = document.body.dataset

const own = {
  about: (count: string) =>
    `${count} could not be sent before you signed out, and will not be sent as somebody else. Copy what you need, then delete it from this browser.`,
  isFolded: false,
}

inBackground(() => showLeftBehind(base, (session) => session.startsWith(`${owner}-`), own))
