/** The history of a document: its calls on a timeline, past states, and the difference between two. */

import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { callerHtml, callText } from '../calls/call-text.ts'
import { differenceHtml } from '../calls/difference.ts'
import { readDocumentCalls } from '../documents/document-calls.ts'
import { undoButtonHtml } from '../frame/activity.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { HistoryItem } from '../page-tools.ts'
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
    const main = html`${backBar(call, id, title)}
<div class="page"><h1>History of ${title}</h1>
${
  items.length === 0
    ? html`<p class="empty">Each change of this document shows up here, with who made it. History is kept for 30 days unless the server keeps it longer.</p>`
    : html`<form class="timeline" method="get" action="${call.href(`/d/${id}/compare`)}">
<p class="compare"><span class="pick" aria-hidden="true"><i>From</i><i>To</i></span><button>Compare</button></p>
<ol>${items.map((item, index) => entryHtml(call, { id, title }, item, index))}</ol></form>`
}
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href(`/d/${id}/history`, { cursor: pagination.cursor })}">Earlier</a></p>`}
</div>`
    return { title: `History of ${title}`, main, documentId: id }
  },
}

function entryHtml(
  call: PageCall,
  { id, title }: { id: string; title: string },
  item: HistoryItem,
  index: number,
): Html {
  const { callId, at, undoneBy } = item
  const radio = (name: 'from' | 'to', isChecked: boolean) =>
    html`<input type="radio" name="${name}" value="${callId}" aria-label="${name === 'from' ? 'From' : 'To'} this moment"${isChecked && html` checked`}>`
  return html`<li${undoneBy !== undefined && html` class="undone"`}>
<span class="pick">${radio('from', index === 1)}${radio('to', index === 0)}</span>
<span class="what">${callText(item, call.links, { within: title })}</span>
<small>${callerHtml(item, call.pictures)}, ${call.formats.time(at)} · <a href="${call.href(`/calls/${callId}`)}">Changes</a> · <a href="${call.href(`/d/${id}/at/${callId}`)}">As it was then</a>${undoneBy !== undefined && html` · taken back`}</small>
</li>
`
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
${await differenceHtml(call.comparer, parseUnifiedDiff(diff), false)}
${pagination !== undefined && nextPartHtml(call.href(`/d/${id}/compare`, following))}</div>`
    return { title: `${title}, two moments`, main, documentId: id }
  },
}

const momentHtml = (call: PageCall, { id, at }: Moment): Html =>
  at === undefined ? html`call ${id}` : call.formats.moment(at)

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
    const documents = parseUnifiedDiff(diff)
    const main = html`${barHtml([{ href: call.href('/now'), name: 'Now' }])}
<div class="page"><h1>${item === undefined ? 'A call' : callText(item, call.links)}</h1>
${
  item !== undefined &&
  html`<p class="about">${callerHtml(item, call.pictures)}, ${call.formats.time(item.at)}${
    item.undoneBy !== undefined && html` · <a href="${call.href(`/calls/${item.undoneBy}`)}">taken back</a>`
  }</p><div class="acts">${undoButtonHtml(call, item)}</div>`
}
${await differenceHtml(call.comparer, documents, documents.length > 1)}
${pagination !== undefined && nextPartHtml(call.href(`/calls/${id}`, { cursor: pagination.cursor }))}</div>`
    return { title: 'What changed', main, current: '/now' }
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
    { href: call.href(`/d/${id}/history`), name: 'History' },
  ])

async function documentTitle(call: PageCall, id: string): Promise<string> {
  const { markdown } = await call.run('blocks_get', { id, maxDepth: 0 })
  return shownTitle(markdown)
}
