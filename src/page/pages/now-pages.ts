/** Now: recent calls of people and agents, and undo for them. */

import { callerHtml } from '../calls/call-text.ts'
import { callEntryHtml } from '../frame/activity.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { HistoryItem } from '../page-tools.ts'

/** Calls per page. */
const LISTED = 60

export const nowPage: Page = {
  route: 'GET /now',
  async handle(call) {
    const connection = call.query.get('connection') ?? undefined
    const cursor = call.query.get('cursor') ?? undefined
    const { items, pagination } = await call.run('history_list', {
      limit: LISTED,
      ...(connection !== undefined && { connection }),
      ...(cursor !== undefined && { cursor }),
    })
    const feed = html`<div id="feed" data-stable${
      cursor === undefined &&
      html` hx-get="${call.request.base}/now${call.request.url.search}" hx-select="#feed" hx-select-oob="#programs:outerMorph" hx-trigger="spacechange from:body" hx-swap="outerMorph"`
    }>
${
  items.length === 0
    ? html`<p class="empty">What people and agents change shows up here as it happens, each change with its own Undo.</p>`
    : html`<ul class="calls">${items.map((item) => callEntryHtml(call, item))}</ul>`
}
</div>`
    const [first] = items
    const main = html`<div class="page"><h1>Now</h1>
${
  connection !== undefined &&
  html`<p class="about">${first === undefined ? 'No calls' : html`Calls of ${callerHtml(first)}`} · <a href="${call.href('/now')}">All calls</a></p>${first !== undefined && undoAllHtml(call, connection, items)}`
}
${feed}
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href('/now', { connection, cursor: pagination.cursor })}">Earlier</a></p>`}</div>`
    return {
      title: 'Now',
      main,
      current: '/now',
      showsCalls: true,
      ...(connection === undefined && { side: programsHtml(call, items) }),
    }
  },
}

/** The programs that made these calls, each with a summary and a way to undo everything it did. */
function programsHtml(call: PageCall, items: readonly HistoryItem[]): Html {
  const byConnection = Map.groupBy(items, ({ connection }) => connection)
  const rows = [...byConnection].flatMap(([connection, calls]) => {
    const [latest] = calls
    return connection === undefined || latest === undefined ? [] : [{ connection, calls, latest }]
  })
  if (rows.length === 0) return html``
  return html`<section class="programs" id="programs" data-stable><h2>Who wrote</h2><ul>${rows.map(
    ({ connection, calls, latest }) =>
      html`<li>${callerHtml(latest)} <a class="n" href="${call.href('/now', { connection })}">${calls.length} ${calls.length === 1 ? 'call' : 'calls'}, ${call.formats.time(latest.at)}</a>${undoAllHtml(call, connection, calls)}</li>
`,
  )}</ul></section>`
}

/** A link to the preview of undoing all calls of a connection. */
function undoAllHtml(call: PageCall, connection: string, items: readonly HistoryItem[]): Html | false {
  const standing = items.filter(({ undoneBy, undoes }) => undoneBy === undefined && undoes === undefined)
  const oldest = standing.at(-1)
  if (oldest === undefined || !call.may('change')) return false
  return html`<a class="button" href="${call.href('/undo', { connection, since: justBefore(oldest.at) })}">Undo all since ${call.formats.since(Date.parse(oldest.at))}…</a>`
}

/** A time just early enough to include the call. */
const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString()
