/** On pages for people without a session: offers what was not sent from this browser, for copying. */
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'
import { showLeftBehind } from './unsent/left-behind-notice.ts'

const { base = '', owner = '' } = document.body.dataset

const ofSession = {
  about: (count: string) =>
    text(
      '{count} could not be sent before you signed out, and will not be sent as somebody else. Copy what you need, then delete it from this browser.',
      { count },
    ),
  isFolded: false,
}

/** Access has ended, for good or until the person opens the space again. */
const ofAll = {
  about: (count: string) =>
    text('{count} in this browser could not be sent, and will be once the space is opened in the same way', { count }),
  isFolded: true,
}

// What was kept for when there is no connection: the service worker deletes it as well, where it runs.
if ('caches' in window)
  inBackground(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith(`scriptorium pages ${base} `))
    await Promise.all(names.map((name) => caches.delete(name)))
  })
inBackground(() =>
  owner === ''
    ? showLeftBehind(base, () => true, ofAll)
    : showLeftBehind(base, (session) => session.startsWith(`${owner}-`), ofSession),
)
