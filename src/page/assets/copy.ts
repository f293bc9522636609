/** Buttons that copy what stands before them: an address, a password, or what to paste into a program. */
import { copyText } from './copy-text.ts'
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'

document.addEventListener('opened', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.dataset.copy === undefined) return
  const [shown, status] = [target.previousElementSibling, target.nextElementSibling]
  if (!(shown instanceof HTMLElement) || status === null) return
  inBackground(async () => {
    const isCopied = await copyText(shown instanceof HTMLInputElement ? shown.value : (shown.textContent ?? ''), shown)
    // In a dialog, screen readers follow nothing outside of it.
    status.textContent = ''
    status.textContent = isCopied ? text('Copied.') : text('The browser did not allow copying.')
    status.classList.toggle('hidden', isCopied)
    if (!isCopied) return
    target.focus()
    const before = target.textContent
    if (before === text('Copied')) return
    target.textContent = text('Copied')
    target.addEventListener('blur', () => (target.textContent = before), { once: true })
  })
})
