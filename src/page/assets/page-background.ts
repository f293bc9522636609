/** Work of a page that is not awaited. */
import { text } from './page-text.ts'

/** Runs work without waiting for it. If it fails, the page says so, and the console has the error. */
export function inBackground(work: () => unknown): void {
  new Promise((resolve) => resolve(work())).catch(reportFault)
}

/** The text of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

let shown: HTMLElement | undefined

function reportFault(error: unknown): void {
  console.error(error)
  shown ??= document.createElement('p')
  shown.className = 'notice'
  shown.setAttribute('role', 'alert')
  const reason = messageOf(error)
  shown.textContent = text('This page could not finish something: {reason}. Load it again to see what is stored.', {
    reason,
  })
  document.getElementById('main')?.prepend(shown)
}
