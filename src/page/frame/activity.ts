/** Activity: the badge above each page, and its panel with pending proposals and the latest calls. */

import { UNDO_CALLS } from '../../base/limits.ts'
import { readCookie } from '../../base/read-cookie.ts'
import { IMPORT_CLIENT, PAGE_CLIENT } from '../../space/model/space.ts'
import { assetPath } from '../assets.ts'
import { type CallGroup, groupCalls } from '../calls/call-groups.ts'
import { callerHtml, callerName, callText } from '../calls/call-text.ts'
import { groupText } from '../calls/group-text.ts'
import { readWaiting, waitingHtml } from '../calls/proposals.ts'
import { FRESH_MS } from '../formats.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ShownPage } from '../page-declaration.ts'
import type { HistoryItem, ProposalItem } from '../page-tools.ts'
import { count, text } from '../texts/text.ts'
import { livePart } from './live-parts.ts'

export interface Activity {
  calls: HistoryItem[]
  /** True if there are calls before these. */
  hasEarlier?: boolean
  waiting: ProposalItem[]
}

/** Number of calls to show, and number of calls to read in order to find active programs. */
const SHOWN = 6
const READ = 40
/** Milliseconds for which a program counts as active after a write. */
const AT_WORK_MS = 10 * 60_000

export async function readActivity(call: PageCall): Promise<Activity> {
  const { items, pagination } = await call.run('history_list', { limit: READ })
  return { calls: items, hasEarlier: pagination !== undefined, waiting: await readWaiting(call) }
}

/**
 * The number of agents that wrote recently. A link is one agent, however many connections it has, and so are the programs
 * on this machine that share a name: a host that was restarted is not a second one. Imports on the command line, and what
 * the program writes itself into a new space, are no agents.
 */
export function countAgents({ calls }: Pick<Activity, 'calls'>, now: number): number {
  const atWork = calls.filter((item) => isAgent(item) && now - Date.parse(item.at) < AT_WORK_MS)
  return new Set(atWork.map((item) => item.linkId ?? callerName(item))).size
}

const isAgent = ({ client, linkId }: HistoryItem): boolean =>
  client === undefined ? linkId !== undefined : client !== PAGE_CLIENT && client !== IMPORT_CLIENT

/** Documents with a write within the last minute, and the name of the author. */
export function recentWriters({ calls }: Pick<Activity, 'calls'>, now: number): Map<string, string> {
  const writing = new Map<string, string>()
  for (const item of calls) {
    if (now - Date.parse(item.at) >= FRESH_MS || item.client === PAGE_CLIENT) continue
    for (const { documentId } of item.documents) if (!writing.has(documentId)) writing.set(documentId, callerName(item))
  }
  return writing
}

/** The cookie in which a browser keeps that the panel stays open. */
const PANEL_COOKIE = 'scriptorium-panel'

export const isPinned = (call: PageCall): boolean =>
  readCookie(call.request.request.headers.get('cookie'), PANEL_COOKIE) === 'pinned'

/** What waits and who is at work, in a word. It opens the panel, or without scripts the page with the same content. */
export function badgeHtml(call: PageCall, activity: Activity, script: string): Html {
  const waiting = activity.waiting.length
  const agents = countAgents(activity, call.request.now)
  return livePart(
    html`<a class="badge button" id="badge" href="${call.href('/activity')}" data-script="${script}" title="What waits for you, and what happens now">${
      agents > 0 &&
      html`<span><span class="dot"></span> ${agents === 1 ? text('1 agent') : text('{agents} agents', { agents })}</span>`
    }${waiting > 0 && html`<b class="waits">${waiting} waiting</b>`}${agents + waiting === 0 && call.icon('activity', text('Activity'))}</a>`,
  )
}

/** The parts of a page that its panel leaves out. */
type ShownParts = Pick<ShownPage, 'showsCalls' | 'showsWaiting'>

/** What waits and what happens, without the parts that the page shows itself. */
export async function activityParts(
  call: PageCall,
  activity: Activity,
  { showsCalls, showsWaiting }: ShownParts,
): Promise<Html[]> {
  return [
    ...(!showsWaiting && call.has('proposals_list') ? [livePart(await waitingHtml(call, activity.waiting))] : []),
    ...(showsCalls ? [] : [livePart(nowHtml(call, activity))]),
  ]
}

/** The panel beside a page. */
export const panelHtml = (call: PageCall, parts: readonly Html[]): Html =>
  html`<div class="side activity" id="activity" role="complementary" aria-label="Activity" tabindex="-1"><link rel="stylesheet" href="${assetPath(call.request.root, 'activity.css')}">
<p class="head"><b>Activity</b><span><button class="plain" data-pin aria-pressed="${isPinned(call) ? 'true' : 'false'}">Pin</button><button class="plain" data-hide>Close</button></span></p>
${parts}
</div>`

/**
 * The author of a document's last change. Where documents are only read, screen readers say politely when somebody else
 * has changed it; the editor says itself what was changed.
 */
export function lastEditHtml(call: PageCall, last: HistoryItem): Html {
  const { connection } = call.request.caller.link
  const isOwn = connection !== undefined && last.connection === connection
  // The time is outside, since it changes every minute.
  return livePart(
    html`<span class="edited" id="edited"><span aria-live="${isOwn || call.edits ? 'off' : 'polite'}">Edited by ${callerName(last)}</span> ${call.formats.time(last.at)}</span>`,
  )
}

/** The latest calls, as the panel shows them. */
export function nowHtml(call: PageCall, { calls, hasEarlier }: Pick<Activity, 'calls' | 'hasEarlier'>): Html {
  const shown = groupsOf(call, calls, hasEarlier).slice(0, SHOWN)
  return html`<section class="now" id="now" data-stable>
<h2>Now <a href="${call.href('/now')}">All</a></h2>
${
  shown.length === 0
    ? html`<p class="empty">What people and agents change shows up here, each with its own Undo.</p>`
    : html`<ul>${shown.map((group) => groupEntryHtml(call, group))}</ul>`
}
</section>`
}

export const groupsOf = (call: PageCall, calls: readonly HistoryItem[], hasEarlier = false): CallGroup[] =>
  groupCalls(calls, call.request.caller.link.author, undefined, hasEarlier)

/** The row of a group keeps its ID while its author goes on. */
export const rowId = ({ calls }: CallGroup): string => `burst-${(calls.at(-1) ?? calls[0]).callId}`

/** What an author did in a burst, with one Undo for all of it. Its calls are folded below it. */
export function groupEntryHtml(call: PageCall, group: CallGroup, within?: string): Html {
  const { calls } = group
  const [latest] = calls
  const isUndone = calls.every(({ undoneBy }) => undoneBy !== undefined)
  return html`<li id="${rowId(group)}" data-latest="${latest.callId}"${group.isOwn && html` data-own`}${isUndone && html` class="undone"`}>
<span class="what">${groupText(call, group, within)}</span>
${undoGroupHtml(call, calls)}
<small>${call.formats.time(latest.at)}${
    calls.length === 1 &&
    changedDocuments(latest) &&
    html` · <a href="${call.href(`/calls/${latest.callId}`)}">Changes</a>`
  }${isUndone && html` · taken back`}</small>${calls.length > 1 && foldedHtml(call, calls)}
</li>
`
}

/** The calls of a group, each with its own Undo. @param documentId  the document whose history has them */
export const foldedHtml = (call: PageCall, calls: readonly HistoryItem[], documentId?: string): Html =>
  html`<details class="folded"><summary>${count(calls.length, { one: '{n} change', other: '{n} changes' })}</summary><ul>${calls.map((item) => callEntryHtml(call, item, documentId))}</ul></details>`

/** A time just early enough to include the call. */
export const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString()

/** A button that undoes all calls of a group. More than one are shown before they are undone. */
export function undoGroupHtml(call: PageCall, calls: CallGroup['calls']): Html | false {
  const [latest] = calls
  if (calls.length === 1) return undoButtonHtml(call, latest)
  const standing = calls.filter((item) => item.undoneBy === undefined && changedDocuments(item))
  if (standing.length === 0 || !call.may('change') || !call.has('history_undo')) return false
  const ids = standing.slice(0, UNDO_CALLS).map(({ callId }) => callId)
  return html`<form method="post" action="${call.href('/undo')}">${call.tokenField()}<input type="hidden" name="calls" value="${ids.join(',')}"><button>Undo</button></form>`
}

/** A call in a list: its changes, its author, and a button to undo it; in the history of a document, the way to it. */
export function callEntryHtml(call: PageCall, item: HistoryItem, documentId?: string): Html {
  const { callId, undoneBy } = item
  const difference = call.href(`/calls/${callId}`)
  return html`<li id="call-${callId}"${undoneBy !== undefined && html` class="undone"`}>
<span class="what">${callText(item, call.links)}</span>
${undoButtonHtml(call, item)}
<small>${callerHtml(item, call.pictures)}, ${call.formats.time(item.at)}${changedDocuments(item) && html` · <a href="${difference}">Changes</a>`}${documentId !== undefined && html` · <a href="${call.href(`/d/${documentId}/at/${callId}`)}">As it was then</a>`}${undoneBy !== undefined && html` · taken back`}</small>
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
  return html`<form method="post" action="${call.href('/undo')}">${call.tokenField()}<input type="hidden" name="calls" value="${callId}">${undoes !== undefined && html`<input type="hidden" name="redo" value="yes">`}<button>${undoes === undefined ? text('Undo') : text('Redo')}</button></form>`
}
