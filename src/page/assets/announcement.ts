/** Short messages at the edge of the window, which screen readers say politely. */

const SHOWN_MS = 6_000

let region: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message for some seconds. */
export function announce(text: string): void {
  region ??= newRegion()
  if (!region.isConnected) document.body.append(region)
  region.textContent = text
  clearTimeout(timer)
  timer = setTimeout(() => region?.replaceChildren(), SHOWN_MS)
}

function newRegion(): HTMLElement {
  const made = document.createElement('p')
  made.className = 'announcement'
  made.setAttribute('role', 'status')
  return made
}
