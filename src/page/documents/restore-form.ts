/** Restores a document as it was at an earlier moment. */
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { text } from '../texts/text.ts'

/**
 * Takes back everything later at once, but for comments. What is lost of them is shown first.
 *
 * @param moment  a call or a time
 */
export function restoreForm(
  call: PageCall,
  documentId: string,
  moment: string,
  label = text('Restore this version'),
): Html | false {
  if (!call.may('change') || !call.has('history_undo')) return false
  return html`<form method="post" action="${call.href('/undo')}">${call.tokenField()}<input type="hidden" name="document" value="${documentId}"><input type="hidden" name="since" value="${moment}"><input type="hidden" name="confirmed" value="yes"><button class="go">${label}</button></form>`
}
