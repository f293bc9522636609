/** Pinning documents to Home, and which documents lists show. */
import { addressOf, buttonForm } from '../form-page.ts'
import type { Html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { pinsOf } from '../page-cookies.ts'
import type { DocumentEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'

/** Daily notes are found by their day. */
export const isShown = ({ isDeleted, location, dailyNoteDate }: DocumentEntry): boolean =>
  !isDeleted && location !== 'trash' && dailyNoteDate === undefined

/** A button that pins a document to Home in this browser. */
export const pinButton = (call: PageCall, id: string, back = addressOf(call)): Html => {
  const isPinned = pinsOf(call).includes(id)
  const fields = { document: id, pinned: isPinned ? 'no' : 'yes' }
  return buttonForm(call, {
    action: '/pins',
    label: isPinned ? call.icon('pin-off', text('Unpin')) : call.icon('pin', text('Pin to Home')),
    back,
    fields,
  })
}
