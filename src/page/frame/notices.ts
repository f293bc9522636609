/**
 * Notices after an action. Addresses contain a code for each sentence, so that no address can put its own text on a
 * page.
 */
import { type Html, html } from '../html.ts'
import { removeNotes } from '../kept-notes.ts'
import { isForLater, type PageCall } from '../page-call.ts'
import { shownText } from '../shown-text.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

const SENTENCES: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    undone: textKey('Taken back.'),
    redone: textKey('Done again.'),
    'undone-partly': textKey('Taken back, but for what others changed later.'),
    'redone-partly': textKey('Done again, but for what others changed later.'),
    version: textKey('The earlier version is back. Comments on what is still there stayed.'),
    'version-partly': textKey('The earlier version is back, but for what others changed later.'),
    restored: textKey('Restored.'),
    moved: textKey('Moved out of the trash, to where it was.'),
    'moved-to-unsorted': textKey(
      'Moved out of the trash to Unsorted: the folder it was in is gone, or history no longer knows it.',
    ),
    'trash-emptied': textKey('The trash was emptied.'),
    'trash-was-empty': textKey('There was nothing left to delete. What is here came since.'),
    'document-moved': textKey('Moved.'),
    trashed: textKey('Moved to the trash.'),
    locked: textKey('Locked. Agents can read it, and change nothing in it until you unlock it.'),
    unlocked: textKey('Agents may change it again.'),
    'folder-made': textKey('The folder was made.'),
    'folder-deleted': textKey('The folder was deleted. What it held is still here.'),
    'page-deleted': textKey('The page was deleted.'),
    'row-deleted': textKey('The row was deleted.'),
    'rows-deleted': textKey('The rows were deleted.'),
    'taken-back': textKey('The row is free again.'),
    'collection-deleted': textKey('The collection was deleted.'),
    subscribed: textKey('Its events are shown in the calendar and beside daily notes.'),
    unsubscribed: textKey('The calendar was removed, with its events.'),
    'reminder-set': textKey('You will be reminded. Tasks has a list of your reminders.'),
    saved: textKey('Saved.'),
    'password-changed': textKey('Your password was changed. Other browsers are signed out.'),
    ticked: textKey('Done.'),
    unticked: textKey('Open again.'),
    proposed: textKey('Proposed. It happens once it is approved.'),
    'group-removed': textKey('The group was removed.'),
    'link-revoked': textKey('The link was revoked. Its next request is refused.'),
    'person-removed': textKey('The person was removed.'),
    'link-paused': textKey('Stopped. Its calls are refused, and what happens waits, until you resume it.'),
    'link-resumed': textKey('It may make calls again.'),
    'link-changed': textKey('Saved. It holds from the next call of the link on.'),
    'person-changed': textKey('Saved. It holds from their next call on.'),
    'webhook-paused': textKey('Paused. What happens waits until you resume it.'),
    'webhook-resumed': textKey('It is called again, with what has happened meanwhile.'),
    approved: textKey('Approved.'),
    accepted: textKey('Accepted.'),
    rejected: textKey('Rejected.'),
    withdrawn: textKey('Withdrawn. It no longer waits.'),
    'suggestions-changed': textKey(
      'A suggestion would change something else by now. Read it again, and decide on it by itself.',
    ),
  }),
)

/** @param call  its query contains the code; `call` in the query has the IDs of the calls that can be undone together */
export const noticeHtml = (call: PageCall): Html => html`${sentenceHtml(call)}${notesHtml(call)}`

/** What the calls of the last form noted besides, such as whose changes they replaced. */
function notesHtml(call: PageCall): Html | false {
  // Parts of the page that is shown already have no place for them.
  const { request } = call.request
  if (request.method !== 'GET' || request.headers.has('hx-request') || isForLater(request)) return false
  const notes = removeNotes(call.session)
  return (
    notes.length > 0 &&
    html`<div class="notice" role="status">${notes.map((note) => html`<p>${shownText(note)}</p>`)}</div>`
  )
}

function sentenceHtml(call: PageCall): Html {
  const notice = call.query.get('notice') ?? ''
  const sentence = SENTENCES.get(notice)
  const isUndone = notice === 'undone' || notice === 'undone-partly'
  if (sentence === undefined) return html``
  const id = call.query.get('call') ?? ''
  const document = call.query.get('document') ?? ''
  const canRestore = /^\d{12}$/.test(document) && call.may('change') && call.has('documents_move')
  const isCall = /^\d{12}(?:,\d{12}){0,9}$/.test(id)
  return html`<div class="notice" id="notice" role="status"><p>${sentence}</p>${
    isCall &&
    call.may('change') &&
    html`<form method="post" action="${call.href('/undo')}">${call.tokenField()}<input type="hidden" name="calls" value="${id}">${id.includes(',') && html`<input type="hidden" name="confirmed" value="yes">`}${isUndone && html`<input type="hidden" name="redo" value="yes">`}<button>${isUndone ? text('Redo') : text('Undo')}</button></form>`
  }${
    canRestore &&
    html`<form method="post" action="${call.href('/trash/restore')}">${call.tokenField()}<input type="hidden" name="document" value="${document}"><button>Restore</button></form>`
  }</div>`
}
