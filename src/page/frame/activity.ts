/** The right column: pending proposals and current activity. */

import { PAGE_CLIENT } from '../../space/model/space.ts'
import { callerHtml, callerName, callText } from '../calls/call-text.ts'
import { readWaiting, waitingHtml } from '../calls/proposals.ts'
import { FRESH_MS } from '../formats.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ShownPage } from '../page-declaration.ts'
import type { HistoryItem, ProposalItem } from '../page-tools.ts'

export interface Activity {
  calls: HistoryItem[]
  waiting: ProposalItem[]
}

/** Number of calls to show, and number of calls to read in order to find active programs. */
const SHOWN = 6
const READ = 40
/** Milliseconds for which a program counts as active after a write. */
const AT_WORK_MS = 10 * 60_000

export async function readActivity(call: PageCall): Promise<Activity> {
  const { items } = await call.run('history_list', { limit: READ })
  return { calls: items, waiting: await readWaiting(call) }
}

/** The number of programs that wrote recently. */
export function countAgents({ calls }: Pick<Activity, 'calls'>, now: number): number {
  const atWork = calls.filter(({ at, client }) => client !== PAGE_CLIENT && now - Date.parse(at) < AT_WORK_MS)
  return new Set(atWork.map((item) => item.connection ?? callerName(item))).size
}

/** Documents with a write within the last minute, and the name of the author. */
export function recentWriters({ calls }: Pick<Activity, 'calls'>, now: number): Map<string, string> {
  const writing = new Map<string, string>()
  for (const item of calls) {
    if (now - Date.parse(item.at) >= FRESH_MS || item.client === PAGE_CLIENT) continue
    for (const { documentId } of item.documents) if (!writing.has(documentId)) writing.set(documentId, callerName(item))
  }
  return writing
}

/** @param page  parts that it shows itself are left out */
export async function activityHtml(
  call: PageCall,
  activity: Activity,
  page: Pick<ShownPage, 'side' | 'showsCalls' | 'showsWaiting'>,
): Promise<Html> {
  const { side, showsCalls = false, showsWaiting = false } = page
  return html`<div class="side" role="complementary" aria-label="Activity">
${side}
${!showsWaiting && call.has('proposals_list') && (await waitingHtml(call, activity.waiting))}
${!showsCalls && nowHtml(call, activity)}
</div>`
}

/**
 * The author of a document's last change. Where documents are only read, screen readers say politely when somebody else
 * has changed it; the editor says itself what was changed.
 */
export function lastEditHtml(call: PageCall, last: HistoryItem): Html {
  const { connection } = call.request.caller.link
  const isOwn = connection !== undefined && last.connection === connection
  // The time is outside, since it changes every minute.
  return html`<span class="edited" id="edited"><span aria-live="${isOwn || call.edits ? 'off' : 'polite'}">Edited by ${callerName(last)}</span> ${call.formats.time(last.at)}</span>`
}

/** The latest calls. */
export function nowHtml(call: PageCall, { calls }: Pick<Activity, 'calls'>): Html {
  const shown = calls.slice(0, SHOWN)
  return html`<section class="now" id="now" data-stable>
<h2>Now <a href="${call.href('/now')}">All</a></h2>
${
  shown.length === 0
    ? html`<p class="empty">What people and agents change shows up here, each with its own Undo.</p>`
    : html`<ul>${shown.map((item) => callEntryHtml(call, item))}</ul>`
}
</section>`
}

/** A call in a list: its changes, its author, and a button to undo it. */
export function callEntryHtml(call: PageCall, item: HistoryItem): Html {
  const { callId, undoneBy } = item
  const difference = call.href(`/calls/${callId}`)
  return html`<li id="call-${callId}"${undoneBy !== undefined && html` class="undone"`}>
<span class="what">${callText(item, call.links)}</span>
${undoButtonHtml(call, item)}
<small>${callerHtml(item, call.pictures)}, ${call.formats.time(item.at)}${changedDocuments(item) && html` · <a href="${difference}">Changes</a>`}${undoneBy !== undefined && html` · taken back`}</small>
</li>
`
}

/** True if the call changed documents, and not just links and participants. */
const changedDocuments = ({ summary, documents }: HistoryItem): boolean => summary !== '' || documents.length > 0

/** A button that undoes a call, if the link may do that and the call has not been undone. */
export function undoButtonHtml(call: PageCall, item: HistoryItem): Html | false {
  const { callId, undoneBy, undoes } = item
  const isPossible = undoneBy === undefined && changedDocuments(item)
  if (!isPossible || !call.may('change') || !call.has('history_undo')) return false
  return html`<form method="post" action="${call.href('/undo')}">${call.tokenField()}<input type="hidden" name="calls" value="${callId}"><button>${undoes === undefined ? 'Undo' : 'Redo'}</button></form>`
}
