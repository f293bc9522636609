/** Now: recent calls of people and agents, and undo for them. */

import { callerHtml } from '../calls/call-text.ts'
import { callEntryHtml } from '../frame/activity.ts'
import { type Html, html } from '../html.ts'
import { AGAIN, readMembers, stateHtml } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { HistoryItem } from '../page-tools.ts'
import { stopButton } from './stop-pages.ts'

/** Calls per page. */
const LISTED = 60

export const nowPage: Page = {
  route: 'GET /now',
  async handle(call) {
    const author = authorOf(call.query)
    const cursor = call.query.get('cursor') ?? undefined
    const { items, pagination } = await call.run('history_list', {
      limit: LISTED,
      ...author,
      ...(cursor !== undefined && { cursor }),
    })
    const feed = html`<div id="feed" data-stable${
      cursor === undefined &&
      html` hx-get="${call.request.base}/now${call.request.url.search}" hx-select="#feed" hx-select-oob="#programs:outerMorph" hx-trigger="${AGAIN}" hx-swap="outerMorph"`
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
  author !== undefined &&
  html`<p class="about">${first === undefined ? 'No calls' : html`Calls of ${callerHtml(first, call.pictures)}`} · <a href="${call.href('/now')}">All calls</a></p>${first !== undefined && undoAllHtml(call, author, items)}`
}
${feed}
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href('/now', { ...author, cursor: pagination.cursor })}">Earlier</a></p>`}</div>`
    return {
      title: 'Now',
      main,
      current: '/now',
      showsCalls: true,
      ...(author === undefined && { side: await programsHtml(call, items) }),
    }
  },
}

/** Whose calls are listed: those of a connection, or all of a link. */
type CallAuthor = { connection: string } | { link: string }

function authorOf(query: URLSearchParams): CallAuthor | undefined {
  const [connection, link] = [query.get('connection'), query.get('link')]
  return connection !== null ? { connection } : link !== null ? { link } : undefined
}

/** The programs that made these calls, each with a summary and a way to undo everything it did. */
async function programsHtml(call: PageCall, items: readonly HistoryItem[]): Promise<Html> {
  // Single calls over a link, such as those of REST, have no connection.
  const byAuthor = Map.groupBy(items, ({ connection, linkId }) => connection ?? linkId)
  const links = call.request.isOperator ? (await call.run('links_list')).items : []
  const { items: members } = await readMembers(call)
  const rows = [...byAuthor].flatMap(([key, calls]) => {
    const [latest] = calls
    if (key === undefined || latest === undefined) return []
    const author: CallAuthor = latest.connection === undefined ? { link: key } : { connection: key }
    const link = links.find(({ id, revokedAt }) => id === latest.linkId && revokedAt === undefined)
    const member = members.find(({ linkId }) => linkId !== undefined && linkId === latest.linkId)
    return [{ author, calls, latest, link, member }]
  })
  if (rows.length === 0) return html``
  return html`<section class="programs" id="programs" data-stable><h2>Who wrote</h2><ul>${rows.map(
    ({ author, calls, latest, link, member }) =>
      html`<li><span>${callerHtml(latest, call.pictures)}</span> <a class="n" href="${call.href('/now', author)}">${calls.length} ${calls.length === 1 ? 'call' : 'calls'}, ${call.formats.time(latest.at)}</a>${member?.state && html`<small>${stateHtml(call, member.state)}</small>`}<div class="acts">${undoAllHtml(call, author, calls)}${link !== undefined && stopButton(call, link)}</div></li>
`,
  )}</ul></section>`
}

/** A link to the preview of undoing all calls of a connection or a link. */
function undoAllHtml(call: PageCall, author: CallAuthor, items: readonly HistoryItem[]): Html | false {
  const standing = items.filter(({ undoneBy, undoes }) => undoneBy === undefined && undoes === undefined)
  const oldest = standing.at(-1)
  if (oldest === undefined || !call.may('change')) return false
  return html`<a class="button" href="${call.href('/undo', { ...author, since: justBefore(oldest.at) })}">Undo all since ${call.formats.since(Date.parse(oldest.at))}…</a>`
}

/** A time just early enough to include the call. */
const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString()
