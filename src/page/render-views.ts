/**
 * Views of tool responses within conversations (MCP Apps). They only show, and link to the pages for actions, except that
 * proposals can be rejected there.
 */

import { createHash } from 'node:crypto'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { forOwner } from '../base/fair-queue.ts'
import { workOwner } from '../call/caller.ts'
import type { AppViews, ViewedCall } from '../call/catalog/app-views.ts'
import { parseUnifiedDiff } from '../difference/read-diff.ts'
import type { Endpoint } from '../endpoint.ts'
import { shownTitle } from '../markdown/shown-title.ts'
import { pageAddress, urlTemplates } from '../space/model/deep-links.ts'
import { assetText } from './assets.ts'
import { differenceHtml } from './calls/difference.ts'
import { proposalsView } from './calls/proposals-view.ts'
import { monthHtml } from './collections/collection-calendar.ts'
import { itemsHtml } from './collections/collection-html.ts'
import { readCollection } from './collections/read-collection.ts'
import { drawBoard } from './documents/board-picture.ts'
import { callEntryHtml } from './frame/activity.ts'
import { type Html, html, NOTHING, trusted } from './html.ts'
import type { PageCall } from './page-call.ts'
import { ViewCall } from './view-call.ts'

/** Limits above which the pages are needed: characters of HTML, items. */
const MAX_LENGTH = 300_000
const ITEMS_SHOWN = 60

/** @param input  the arguments of the tool, except for the form of its response */
type View = (call: PageCall, input: Record<string, unknown>) => Promise<Html | undefined>

/** By the tool whose responses they show. */
export const VIEWS: ReadonlyMap<string, View> = new Map(
  Object.entries({
    history_list: historyView,
    proposals_list: proposalsView,
    items_list: itemsView,
    elements_list: boardView,
  }),
)

export const createAppViews = (endpoints: readonly Endpoint[]): AppViews => ({
  frame: frameHtml,
  render: (viewed) => forOwner(workOwner(viewed.caller), () => renderView(viewed, endpoints)),
})

async function renderView(
  { caller: { space, link }, tool, arguments: input, comparer, log }: ViewedCall,
  endpoints: readonly Endpoint[],
): Promise<string | undefined> {
  const view = VIEWS.get(tool)
  if (view === undefined) return undefined
  const { format: _format, answer: _answer, ...asked } = Object(input) as Record<string, unknown>
  const { info } = space
  const pages = pageAddress({ info, link })
  const base = pages === undefined ? '' : `${pages}/view/${spaceKey(info.id)}`
  // The tool call was counted; further reads for its view are not.
  const call = new ViewCall({ caller: { space, link }, base, now: Date.now(), log }, endpoints, comparer)
  const { note } = urlTemplates({ info, link })
  const made = await view(call, asked)
  if (made === undefined) return undefined
  const shown = String(made)
  const content =
    shown.length > MAX_LENGTH ? html`<p class="empty">This is too long to be shown here.</p>` : trusted(shown)
  return String(html`${content}${note !== undefined && html`<p class="about">${note.replaceAll('`', '')}</p>`}`)
}

async function historyView(call: PageCall, input: Record<string, unknown>): Promise<Html> {
  const { items, diff, isDiffComplete } = await call.run('history_list', input)
  const [item] = items
  return html`<h1><a href="${call.href('/now')}">History</a></h1>
${diff !== undefined && (await differenceHtml(call.comparer, parseUnifiedDiff(diff), true))}
${isDiffComplete === false && item !== undefined && html`<p class="more"><a href="${call.href(`/calls/${item.callId}`)}">All that it changed</a></p>`}
${
  items.length === 0
    ? html`<p class="empty">Nothing was changed.</p>`
    : html`<ul class="calls">${items.map((item) => callEntryHtml(call, item))}</ul>`
}`
}

/** The items of the response, shown with the named view or the active one. */
async function itemsView(call: PageCall, input: Record<string, unknown>): Promise<Html | undefined> {
  const { collectionId, limit, viewId, cursor, ...rules } = input as { viewId?: string; [name: string]: unknown }
  // A cursor is only valid for the same query.
  if (cursor !== undefined) return undefined
  const address = (month?: string) => call.href(`/collections/${String(collectionId)}`, { view: viewId, month })
  const shown = await readCollection(call, String(collectionId), {
    viewId,
    rules: { ...(viewId === undefined && { filters: [] }), ...rules },
    limit: Math.min(Number(limit ?? ITEMS_SHOWN), ITEMS_SHOWN),
    // If an agent requested no items, no calendar is shown.
    ...(Number(limit) !== 0 && { calendar: { href: address } }),
  })
  const { calendar } = shown
  const more = calendar === undefined ? (shown.answer.pagination?.remaining ?? 0) : 0
  const place = address()
  return html`<h1><a href="${place}">${shownTitle(shown.schema.name)}</a></h1>
${calendar === undefined ? itemsHtml(call, shown) : monthHtml(call, shown, calendar)}
${more > 0 && html`<p class="more"><a href="${place}">${call.formats.number(more)} more</a></p>`}`
}

async function boardView(call: PageCall, input: Record<string, unknown>): Promise<Html> {
  const whiteboardBlockId = String(input.whiteboardBlockId)
  const board = await call.run('elements_list', { whiteboardBlockId })
  const svg = await drawBoard(board, call.request.caller.space.info.fontFolder)
  const place = call.href(`/whiteboards/${whiteboardBlockId}`)
  const picture = svg && `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return html`<h1><a href="${place}">Whiteboard</a></h1>
${picture === undefined ? html`<p class="empty">This board takes too long to draw.</p>` : html`<figure class="board"><img src="${picture}" alt="Whiteboard"></figure>`}`
}

let frame: string | undefined

/** The HTML document of all views. Its style and script are inline, since it may load nothing. */
function frameHtml(): string {
  const script = assetText('view.js')
  frame ??= String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${trusted(policyOf(script))}">
<meta name="color-scheme" content="light dark">
<title>Scriptorium</title>
<style>${trusted(assetText('view.css'))}</style>
</head>
<body class="view">
<main id="main">${NOTHING}</main>
<script type="module">${trusted(script)}</script>
</body>
</html>`)
  return frame
}

/** Runs no script but that of the frame, whatever a host allows, and loads nothing. */
function policyOf(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64')
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'`
}
