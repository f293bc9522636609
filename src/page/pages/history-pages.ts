/** The history of a document: its calls on a timeline, past states, and the difference between two. */

import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { type CallGroup, groupCalls, VERSION_PAUSE_MS } from '../calls/call-groups.ts'
import { callerHtml, callerName, callText } from '../calls/call-text.ts'
import { changedTitle } from '../calls/changed-document.ts'
import { differenceHtml } from '../calls/difference.ts'
import { groupText } from '../calls/group-text.ts'
import { readDocumentCalls } from '../documents/document-calls.ts'
import { restoreForm } from '../documents/restore-form.ts'
import { foldedHtml, justBefore, undoButtonHtml, undoGroupHtml } from '../frame/activity.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { HistoryItem } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { showBlock } from './document-page.ts'

/** Calls per page. */
const LISTED = 50

export const documentHistoryPage: Page = {
  route: 'GET /d/:id/history',
  async handle(call) {
    const id = call.params.id ?? ''
    const title = await documentTitle(call, id)
    const cursor = call.query.get('cursor')
    const { items, pagination } = await call.run('history_list', {
      documentId: id,
      limit: LISTED,
      ...(cursor !== null && { cursor }),
    })
    const pauses = { ofOthers: VERSION_PAUSE_MS, own: VERSION_PAUSE_MS }
    const groups = groupCalls(items, call.request.caller.link.author, pauses)
    const asked = call.query.get('shown')
    const chosen = groups.find(({ calls }) => calls[0].callId === asked) ?? groups[0]
    const isLatest = cursor === null && chosen === groups[0]
    const main = html`${backBar(call, id, title)}
<div class="page"><h1>History of ${title}</h1>
${
  chosen === undefined
    ? html`<p class="empty">Each change of this document shows up here, with who made it. History is kept for 30 days unless the server keeps it longer.</p>`
    : html`<div class="moments"><div><ol class="timeline">${groups.map((group) => entryHtml(call, { id, title, chosen, cursor }, group))}</ol>
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href(`/d/${id}/history`, { cursor: pagination.cursor })}">Earlier</a></p>`}${items.length > 1 && compareFormHtml(call, id, items)}</div>
<section class="moment" id="moment" aria-label="What changed">${await momentPane(call, { id, title, items, chosen, isLatest })}</section></div>`
}</div>`
    return {
      title: text('History of {title}', { title }),
      main,
      documentId: id,
      isWide: true,
      styles: ['activity.css'],
    }
  },
}

interface ShownHistory {
  id: string
  title: string
  chosen: CallGroup
  cursor: string | null
}

function entryHtml(call: PageCall, { id, title, chosen, cursor }: ShownHistory, group: CallGroup): Html {
  const [latest] = group.calls
  const isUndone = group.calls.every(({ undoneBy }) => undoneBy !== undefined)
  const href = call.href(`/d/${id}/history`, { shown: latest.callId, cursor: cursor ?? undefined })
  return html`<li${isUndone && html` class="undone"`}><a href="${href}#moment"${group === chosen && html` aria-current="true"`}>${call.formats.time(latest.at)}</a>
<span class="what">${groupText(call, group, title)}</span>${isUndone && html` <small>taken back</small>`}</li>
`
}

interface ShownMoment extends Pick<ShownHistory, 'id' | 'title' | 'chosen'> {
  /** All calls that are listed. */
  items: readonly HistoryItem[]
  isLatest: boolean
}

/** What a group of calls changed, old and new side by side, and the ways back. */
async function momentPane(call: PageCall, { id, title, items, chosen: group, isLatest }: ShownMoment): Promise<Html> {
  const [latest] = group.calls
  const earliest = group.calls.at(-1) ?? latest
  const from = justBefore(earliest.at)
  const isBetween = ({ at }: HistoryItem) => at >= earliest.at && at <= latest.at
  const hasOthers = items.some((item) => isBetween(item) && !group.calls.includes(item))
  // A call of many documents is compared as a whole, of which this document is a part.
  const { diff = '', pagination } = await call.run('history_list', {
    documentId: id,
    since: from,
    until: latest.callId,
  })
  const back = { from, to: latest.callId, cursor: pagination?.cursor }
  return html`<p class="what">${groupText(call, group, title)}</p>
<p class="about">${call.formats.time(latest.at)} · <a href="${call.href(`/d/${id}/at/${latest.callId}`)}">As it was then</a>${hasOthers && text(' · Also shows what others changed in between.')}</p>
<div class="acts">${!isLatest && restoreForm(call, id, latest.callId)}${undoGroupHtml(call, group.calls)}</div>${group.calls.length > 1 && html`<div class="now">${foldedHtml(call, group.calls, id)}</div>`}
<div class="columns" aria-hidden="true"><b>Before</b><b>After</b></div>
${await differenceHtml(call.comparer, parseUnifiedDiff(diff), false, { sides: true, past: call.formats })}
${pagination !== undefined && nextPartHtml(call.href(`/d/${id}/compare`, back))}`
}

/** Any two moments can be compared. */
function compareFormHtml(call: PageCall, id: string, items: readonly HistoryItem[]): Html {
  const choice = (name: string, label: string, chosen: number) =>
    html`<label>${label} <select name="${name}">${items.map(
      (item, index) =>
        html`<option value="${item.callId}"${index === chosen && html` selected`}>${call.formats.since(Date.parse(item.at))}, ${callerName(item)}</option>`,
    )}</select></label>`
  return html`<details class="comparing"><summary>Compare two moments</summary><form method="get" action="${call.href(`/d/${id}/compare`)}">${choice('from', text('From'), 1)}${choice('to', text('To'), 0)}<button>Compare</button></form></details>`
}

export const pastDocumentPage: Page = {
  route: 'GET /d/:id/at/:moment',
  handle: (call) => showBlock(call, { id: call.params.id ?? '' }, call.params.moment),
}

export const comparePage: Page = {
  route: 'GET /d/:id/compare',
  async handle(call) {
    const id = call.params.id ?? ''
    const title = await documentTitle(call, id)
    const [from, to] = await momentsOf(call, id)
    if (from === undefined || to === undefined) {
      const main = html`${backBar(call, id, title)}<div class="page"><h1>${title}</h1><p class="empty">Choose two moments in the <a href="${call.href(`/d/${id}/history`)}">history</a>.</p></div>`
      return { title, main, documentId: id }
    }
    const { diff = '', pagination } = await call.run('history_list', {
      documentId: id,
      since: from.id,
      until: to.id,
      ...cursorIn(call),
    })
    const following = { from: from.id, to: to.id, cursor: pagination?.cursor }
    const canRestore = call.may('change') && call.has('history_undo')
    const main = html`${backBar(call, id, title)}
<div class="page"><h1>${title}</h1>
<p class="about">From <a href="${call.href(`/d/${id}/at/${from.id}`)}">${momentHtml(call, from)}</a> to <a href="${call.href(`/d/${id}/at/${to.id}`)}">${momentHtml(call, to)}</a></p>
${
  canRestore &&
  html`<form class="acts" method="get" action="${call.href('/undo')}"><input type="hidden" name="document" value="${id}"><input type="hidden" name="since" value="${from.id}"><button>Restore the earlier one…</button></form>`
}
${await differenceHtml(call.comparer, parseUnifiedDiff(diff), false, { sides: true, past: call.formats })}
${pagination !== undefined && nextPartHtml(call.href(`/d/${id}/compare`, following))}</div>`
    return {
      title: text('{title}, two moments', { title }),
      main,
      documentId: id,
      isWide: true,
      styles: ['activity.css'],
    }
  },
}

const momentHtml = (call: PageCall, { at }: Moment): Html =>
  at === undefined ? html`another moment` : call.formats.moment(at)

interface Moment {
  id: string
  at?: string
}

/** The two requested points in time, the earlier first. The later one defaults to now. */
async function momentsOf(call: PageCall, documentId: string): Promise<[Moment | undefined, Moment | undefined]> {
  const calls = await readDocumentCalls(call, documentId)
  const find = (id: string | undefined): Moment | undefined => {
    if (id === undefined || id === '') return undefined
    const at = calls.timeOf(id)
    return { id, ...(at !== undefined && { at }) }
  }
  const from = find(call.query.get('from') ?? undefined)
  const to = find(call.query.get('to') ?? calls.last?.callId)
  const order = (moment: Moment | undefined) => calls.items.findIndex(({ callId }) => callId === moment?.id)
  const isTurned = order(from) >= 0 && order(to) >= 0 && order(from) < order(to)
  return isTurned ? [to, from] : [from, to]
}

export const callPage: Page = {
  route: 'GET /calls/:id',
  async handle(call) {
    const id = call.params.id ?? ''
    const {
      items,
      diff = '',
      pagination,
    } = await call.run('history_list', {
      call: id,
      ...cursorIn(call),
    })
    const [item] = items
    const documents = parseUnifiedDiff(diff).map((one) => {
      const found = item?.documents.find(({ title }) => title === one.title)
      return found === undefined ? one : { ...one, title: changedTitle(call.links, found) }
    })
    const main = html`${barHtml([{ href: call.href('/now'), name: text('Now') }])}
<div class="page"><h1>${item === undefined ? text('A change') : callText(item, call.links)}</h1>
${
  item !== undefined &&
  html`<p class="about">${callerHtml(item, call.pictures)}, ${call.formats.time(item.at)}${
    item.undoneBy !== undefined && html` · <a href="${call.href(`/calls/${item.undoneBy}`)}">taken back</a>`
  }</p><div class="acts">${undoButtonHtml(call, item)}</div>`
}
${await differenceHtml(call.comparer, documents, documents.length > 1, { past: call.formats })}
${pagination !== undefined && nextPartHtml(call.href(`/calls/${id}`, { cursor: pagination.cursor }))}</div>`
    return { title: text('What changed'), main, current: '/now' }
  },
}

/** The part of a long difference that was asked for. */
function cursorIn(call: PageCall): { cursor?: string } {
  const cursor = call.query.get('cursor')
  return cursor === null ? {} : { cursor }
}

const nextPartHtml = (href: string): Html => html`<p class="more"><a class="button" href="${href}">Next part</a></p>`

const backBar = (call: PageCall, id: string, title: string): Html =>
  barHtml([
    { href: call.links.block(id), name: title },
    { href: call.href(`/d/${id}/history`), name: text('History') },
  ])

async function documentTitle(call: PageCall, id: string): Promise<string> {
  const { markdown } = await call.run('blocks_get', { id, maxDepth: 0 })
  return shownTitle(markdown)
}
