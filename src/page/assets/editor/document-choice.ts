/** Asks for a document, by a few letters of its title. */
import { BLOCK_SCHEME } from '../../../markdown/addresses.ts'
import type { LinkTarget } from '../../link-target.ts'
import { announce } from '../announcement.ts'
import { inBackground } from '../page-background.ts'
import { text } from '../page-text.ts'

/**
 * @param base  the base address of the space's pages
 * @param chosen  called with the ID and the title of the document
 */
export function chooseDocument(base: string, label: string, chosen: (id: string, title: string) => void): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'document-choice'
  dialog.setAttribute('aria-label', label)
  const field = Object.assign(document.createElement('input'), { type: 'search', placeholder: label, dir: 'auto' })
  field.setAttribute('aria-label', label)
  const list = document.createElement('ul')
  dialog.append(field, list)
  let asked = 0
  const show = (targets: readonly LinkTarget[]) => {
    const entries = targets
      .filter(({ url }) => url.startsWith(BLOCK))
      .map(({ url, title }) => {
        const button = Object.assign(document.createElement('button'), { type: 'button', textContent: title })
        button.addEventListener('click', () => {
          dialog.close()
          chosen(url.slice(BLOCK.length), title)
        })
        const entry = document.createElement('li')
        entry.append(button)
        return entry
      })
    list.replaceChildren(...entries)
  }
  const find = async () => {
    const own = ++asked
    const response = await fetch(`${base}/targets?${new URLSearchParams({ q: field.value.trim() })}`).catch(
      () => undefined,
    )
    if (own !== asked) return
    if (response?.ok) show((await response.json()) as LinkTarget[])
    else announce(text('You are offline. Documents can be found once the server is reached.'))
  }
  field.addEventListener('input', () => inBackground(find))
  dialog.addEventListener('keydown', (event) => {
    const buttons = [...list.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    if (event.isComposing) return
    if (event.key === 'ArrowDown') buttons[Math.min(at + 1, buttons.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') (buttons[at - 1] ?? field).focus()
    else if (event.key === 'Enter' && event.target === field) buttons[0]?.click()
    else return
    event.preventDefault()
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  inBackground(find)
}

const BLOCK = BLOCK_SCHEME
