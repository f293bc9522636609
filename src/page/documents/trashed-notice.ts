/** Says that a document is in the trash, also to those who are reading or editing it when it is moved there. */
import { livePart } from '../frame/live-parts.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { DocumentEntry } from '../page-tools.ts'

/** The notice, which a script replaces; empty for other documents. */
export const trashedHtml = (call: PageCall, entry: DocumentEntry | undefined): Html =>
  livePart(html`<div id="trashed" role="status">${isTrashed(entry) && noticeHtml(call, entry)}</div>`)

const isTrashed = (entry: DocumentEntry | undefined): entry is DocumentEntry =>
  entry !== undefined && (entry.location === 'trash' || entry.isDeleted === true)

function noticeHtml(call: PageCall, { id }: DocumentEntry): Html {
  const canRestore = call.may('change') && call.has('documents_move')
  return html`<div class="notice"><p>This document is in the trash. What is written in it stays there.</p>${
    canRestore &&
    html`<form method="post" action="${call.href('/trash/restore')}">${call.tokenField()}<input type="hidden" name="document" value="${id}"><button>Restore</button></form>`
  }</div>`
}

/** The place of a document; undefined if the connection cannot list documents, and for the inbox and the logbook. */
export async function documentEntry(call: PageCall, id: string): Promise<DocumentEntry | undefined> {
  if (call.kind !== 'full') return undefined
  const input = { documentIds: [id], fetchMetadata: true }
  return (await call.find('documents_list', input))?.items[0]
}
