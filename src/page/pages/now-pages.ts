/** Now: recent calls of people and agents, and undo for them. */

import { type CallGroup, hasChanged } from '../calls/call-groups.ts'
import { callerHtml, callerName } from '../calls/call-text.ts'
import { groupEntryHtml, groupsOf, justBefore, rowId } from '../frame/activity.ts'
import { hashOf, isChanged, type KnownParts, livePart } from '../frame/live-parts.ts'
import { type Html, html, trusted } from '../html.ts'
import { AGAIN, readMembers, stateHtml } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { HistoryItem } from '../page-tools.ts'
import { count, text } from '../texts/text.ts'
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
    const isLatest = cursor === undefined
    const groups = groupsOf(call, items, pagination !== undefined)
    const feed = feedHtml(groups, rowsHtml(call, groups), isLatest && author === undefined)
    const [first] = items
    const main = html`<div class="page"><h1>Now</h1>
${
  author !== undefined &&
  html`<p class="about">${first === undefined ? text('No changes') : html`Changes of ${callerHtml(first, call.pictures)}`} · <a href="${call.href('/now')}">All changes</a></p>${first !== undefined && undoAllHtml(call, author, items)}`
}
${isLatest && author !== undefined ? html`<div hx-get="${call.request.base}/now${call.request.url.search}" hx-select="#feed" hx-target="#feed" hx-trigger="${AGAIN}" hx-swap="outerMorph">${feed}</div>` : feed}
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href('/now', { ...author, cursor: pagination.cursor })}">Earlier</a></p>`}</div>`
    return {
      title: text('Now'),
      main,
      current: '/now',
      showsCalls: true,
      styles: ['activity.css'],
      ...(author === undefined && { side: { name: text('Who wrote'), content: await programsHtml(call, items) } }),
    }
  },
}

/**
 * What has changed of the latest calls of everybody, and of who wrote.
 *
 * @param known  what the page has. While its rows are the same ones, only those that changed are answered.
 */
export async function nowNews(call: PageCall, known: KnownParts): Promise<Html> {
  const { items, pagination } = await call.run('history_list', { limit: LISTED })
  const groups = groupsOf(call, items, pagination !== undefined)
  const rows = rowsHtml(call, groups)
  const feed =
    known.get('feed') === shapeOf(groups)
      ? rows.filter((row) => isChanged(row, known)).map(swappedRow)
      : [feedHtml(groups, rows, true)]
  return html`${feed}${[await programsHtml(call, items)].filter((part) => isChanged(part, known))}`
}

/** Replaces the row with the same ID. */
const swappedRow = (row: Html): Html =>
  trusted(String(row).replace(/^<li id="([^"]+)"/, '<li id="$1" hx-swap-oob="outerMorph:#$1"'))

/** Which rows a list has, in their order. */
const shapeOf = (groups: readonly CallGroup[]): string => hashOf(groups.map(rowId).join(' '))

const rowsHtml = (call: PageCall, groups: readonly CallGroup[]): Html[] =>
  groups.map((group) => livePart(groupEntryHtml(call, group)))

/** Calls as sentences. @param isLive  true if news of the layout keep it up to date */
const feedHtml = (groups: readonly CallGroup[], rows: readonly Html[], isLive: boolean): Html =>
  html`<div id="feed"${isLive && html` data-had="${shapeOf(groups)}"`} data-stable>
${
  rows.length === 0
    ? html`<p class="empty">What people and agents change shows up here as it happens, each change with its own Undo.</p>`
    : html`<ul class="calls">${rows}</ul>`
}
</div>`

/** Whose calls are listed: those of a connection, or all of a link. */
type CallAuthor = { connection: string } | { link: string }

function authorOf(query: URLSearchParams): CallAuthor | undefined {
  const [connection, link] = [query.get('connection'), query.get('link')]
  return connection !== null ? { connection } : link !== null ? { link } : undefined
}

/** The programs that made these calls, each with a summary and a way to undo everything it did. */
async function programsHtml(call: PageCall, items: readonly HistoryItem[]): Promise<Html> {
  // Single calls over a link, such as those of REST, have no connection. Narrow links see no other links.
  const changing = items.filter(hasChanged)
  const byAuthor = Map.groupBy(changing, (item) => item.connection ?? item.linkId ?? ` ${callerName(item)}`)
  const links = call.request.isOperator ? (await call.run('links_list')).items : []
  const { items: members } = await readMembers(call)
  const rows = [...byAuthor].flatMap(([key, calls]) => {
    const [latest] = calls
    if (latest === undefined) return []
    const { connection, linkId } = latest
    const author: CallAuthor | undefined =
      connection !== undefined ? { connection } : linkId === undefined ? undefined : { link: key }
    const link = links.find(({ id, revokedAt }) => id === latest.linkId && revokedAt === undefined)
    const member = members.find(({ linkId }) => linkId !== undefined && linkId === latest.linkId)
    return [{ author, calls, latest, link, member }]
  })
  return livePart(
    html`<section class="programs" id="programs" data-stable>${rows.length > 0 && html`<h2>Who wrote</h2>`}<ul>${rows.map(
      ({ author, calls, latest, link, member }) =>
        html`<li><span>${callerHtml(latest, call.pictures)}</span> ${countHtml(call, author, calls)}${member?.state && html`<small>${stateHtml(call, member.state)}</small>`}<div class="acts">${author && undoAllHtml(call, author, calls)}${link !== undefined && stopButton(call, link)}</div></li>
`,
    )}</ul></section>`,
  )
}

/** How much a program did, which leads to all of it. */
function countHtml(call: PageCall, author: CallAuthor | undefined, calls: readonly HistoryItem[]): Html {
  const [latest] = calls
  const about = html`${count(calls.length, { one: '{n} change', other: '{n} changes' })}${latest && html`, ${call.formats.time(latest.at)}`}`
  return author === undefined
    ? html`<span class="n">${about}</span>`
    : html`<a class="n" href="${call.href('/now', author)}">${about}</a>`
}

/** A link to the preview of undoing all calls of a connection or a link. */
function undoAllHtml(call: PageCall, author: CallAuthor, items: readonly HistoryItem[]): Html | false {
  const standing = items.filter(({ undoneBy, undoes }) => undoneBy === undefined && undoes === undefined)
  const oldest = standing.at(-1)
  if (oldest === undefined || !call.may('change')) return false
  return html`<a class="button" href="${call.href('/undo', { ...author, since: justBefore(oldest.at) })}">Undo all since ${call.formats.since(Date.parse(oldest.at))}…</a>`
}
