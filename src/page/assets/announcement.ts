/** Short messages at the edge of the window, which screen readers say politely. */

const SHOWN_MS = 6_000
const SPOKEN = 'spoken'

let shown: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message for some seconds, and screen readers speak it. */
export function announce(text: string): void {
  shown ??= newMessage()
  if (!shown.isConnected) document.body.append(shown)
  shown.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => shown?.replaceChildren(), SHOWN_MS)
  speak(text)
}

/** Takes a message away, if it is still shown. */
export function endAnnouncement(text: string): void {
  if (shown?.textContent === text) shown.replaceChildren()
}

/** For screen readers alone: what others see anyway. */
export function speak(text: string): void {
  const region = spokenRegion()
  // The same text again is spoken again.
  region.replaceChildren()
  region.textContent = text
}

/** The one region of the page that screen readers follow. They only speak what is put into one that was there before. */
export function spokenRegion(): HTMLElement {
  const known = document.getElementById(SPOKEN)
  if (known !== null) return known
  const made = document.createElement('p')
  made.id = SPOKEN
  made.className = 'hidden'
  made.setAttribute('role', 'status')
  document.body.append(made)
  return made
}

function newMessage(): HTMLElement {
  const made = document.createElement('p')
  made.className = 'announcement'
  made.setAttribute('aria-hidden', 'true')
  return made
}
