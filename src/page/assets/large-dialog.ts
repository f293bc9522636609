/** Parts of the dialogs that show a picture or a PDF as large as the window. */
import { drawnIcon } from './drawn-icon.ts'
import { text } from './page-text.ts'

export function largeButton(
  icon: 'arrow-left' | 'arrow-right' | 'x',
  name: string,
  act: () => void,
): HTMLButtonElement {
  const made = Object.assign(document.createElement('button'), { type: 'button', title: name })
  made.setAttribute('aria-label', name)
  made.append(drawnIcon(icon))
  made.addEventListener('click', act)
  return made
}

export function downloadLink(href = ''): HTMLAnchorElement {
  const link = Object.assign(document.createElement('a'), { className: 'button', href, download: '' })
  link.append(drawnIcon('download'), ` ${text('Download')}`)
  return link
}
