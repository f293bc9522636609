/** Home: where a day begins. Today's note, what is due, what waits, pinned documents, what changed, and the latest. */

import { shownTitle } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { textOfBlock } from '../blocks/block-writer.ts'
import { inlineHtml } from '../blocks/inline-content-html.ts'
import { readWaiting } from '../calls/proposals.ts'
import { documentName } from '../documents/document-name.ts'
import { isShown } from '../documents/pinned-documents.ts'
import { addressOf, backOf, formLink } from '../form-page.ts'
import { groupEntryHtml, groupsOf } from '../frame/activity.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import { lastVisit, readPinned, withPin } from '../page-cookies.ts'
import type { Page } from '../page-declaration.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'
import { taskListHtml, tickFormHtml } from './task-pages.ts'

/** Rows of each section, and blocks of which a document shows the first lines. */
const DUE = 8
const WAITING = 5
const CHANGED = 6
const CALLS_READ = 100
const RECENT = 8
const DOCUMENTS_READ = 40
const BLOCKS_READ = 4
const NOTE_LINES = 6

export const homePage: Page = {
  route: 'GET /',
  async handle(call) {
    if (!call.has('documents_list')) return { redirect: '/days/today' }
    const { since, cookie } = lastVisit(call)
    const sections = [
      await noteHtml(call),
      await dueHtml(call),
      await forMeHtml(call),
      await pinnedHtml(call),
      ...(since === undefined ? [] : [await changedHtml(call, since)]),
      await recentHtml(call),
    ]
    const { formats } = call
    const acts =
      call.may('add') &&
      call.has('documents_add') &&
      formLink(call, '/documents/new', call.icon('file-plus', text('New document…')), { key: 'c' })
    const main = html`${barHtml([], acts)}<div class="page"><h1>${formats.longDay(formats.today)}</h1>
${tickFormHtml(call, '/')}
<div class="home" id="home" data-stable hx-get="${call.request.base}${addressOf(call)}" hx-select="#home" hx-trigger="spacechange from:body" hx-swap="outerMorph">${sections}</div></div>`
    return {
      title: text('Home'),
      main,
      current: '/',
      isWide: true,
      scripts: ['unsent'],
      styles: ['activity.css', 'home.css'],
      setCookie: cookie,
    }
  },
}

const sectionHtml = (name: string, content: Html, more: Html | false = false): Html =>
  html`<section><h2>${name}${more}</h2>${content}</section>
`

/** The first lines of today's note. */
async function noteHtml(call: PageCall): Promise<Html | false> {
  if (call.kind === 'selected') return false
  const { today } = call.formats
  const note = await call
    .run('blocks_get', { date: today, maxDepth: 1, maxBlocks: NOTE_LINES, fetchMetadata: true })
    .catch(undefinedIfNotFound)
  const lines = linesOf(note?.content ?? [], NOTE_LINES)
  const open = html` <a href="${call.href('/days/today')}">Open</a>`
  return sectionHtml(
    text('Today’s note'),
    lines.length === 0
      ? html`<p class="empty">Nothing is written yet. <a href="${call.href('/days/today')}">Begin today’s note</a></p>`
      : html`<div class="lines">${lines.map((line) => html`<p dir="auto">${inlineHtml(line, call)}</p>`)}</div>`,
    open,
  )
}

/** The texts of the first blocks that have one. */
const linesOf = (blocks: readonly JsonBlock[], most: number): string[] =>
  blocks
    .filter(({ type }) => type === 'text')
    .map(textOfBlock)
    .filter((text) => text !== '')
    .slice(0, most)

async function dueHtml(call: PageCall): Promise<Html | false> {
  if (!call.has('tasks_list')) return false
  const { items, pagination } = await call.run('tasks_list', { scope: 'active', limit: DUE })
  if (items.length === 0) return sectionHtml(text('Due'), html`<p class="empty">Nothing is due today.</p>`)
  const count = items.length + (pagination?.remaining ?? 0)
  const more = html` <a href="${call.href('/tasks')}">${count > items.length ? text('All {count}', { count: call.formats.number(count) }) : text('All')}</a>`
  return sectionHtml(text('Due'), taskListHtml(call, items), more)
}

/** What is unread of what waits for the member, and how many proposals wait. */
async function forMeHtml(call: PageCall): Promise<Html | false> {
  const unread = call.has('for_me_list')
    ? (await call.run('for_me_list', { limit: WAITING })).items.filter(({ isRead }) => isRead !== true)
    : []
  const proposals = (await readWaiting(call)).length
  if (unread.length + proposals === 0) return false
  const rows = unread.map(({ id, blockId, text: line, title, at }) => {
    const href = blockId === undefined ? call.href(`/waiting/${id}`) : call.links.block(blockId)
    return html`<li><a href="${href}">${line === '' ? text('Without text') : shownText(line)}</a> <small>${title !== undefined && html`${shownTitle(title)}, `}${call.formats.time(at)}</small></li>`
  })
  return sectionHtml(
    text('Waits for you'),
    html`<ul class="documents">${rows}${
      proposals > 0 &&
      html`<li><a href="${call.href('/waiting')}">${proposals === 1 ? text('A proposal') : text('{proposals} proposals', { proposals: call.formats.number(proposals) })} to decide</a></li>`
    }</ul>`,
  )
}

async function pinnedHtml(call: PageCall): Promise<Html | false> {
  const documents = await readPinned(call)
  return (
    documents.length > 0 &&
    sectionHtml(
      text('Pinned'),
      html`<ul class="pins">${documents.map(({ id, title }) => html`<li><a href="${call.links.block(id)}">${documentName(call, title)}</a></li>`)}</ul>`,
    )
  )
}

/** What others did since the last visit. */
async function changedHtml(call: PageCall, since: number): Promise<Html | false> {
  const { items, pagination } = await call.run('history_list', {
    since: new Date(since).toISOString(),
    limit: CALLS_READ,
  })
  const groups = groupsOf(call, items, pagination !== undefined).filter(({ isOwn }) => !isOwn)
  if (groups.length === 0) return false
  const more = html` <a href="${call.href('/now')}">${groups.length > CHANGED ? text('All {count}', { count: call.formats.number(groups.length) }) : text('All')}</a>`
  return sectionHtml(
    text('Changed since {since}', { since: call.formats.since(since) }),
    html`<ul class="calls">${groups.slice(0, CHANGED).map((group) => groupEntryHtml(call, group))}</ul>`,
    more,
  )
}

/** The latest documents without daily notes, each with its first lines. */
async function recentHtml(call: PageCall): Promise<Html> {
  const { items } = await call.run('documents_list', {
    orderBy: 'modified',
    fetchMetadata: true,
    limit: DOCUMENTS_READ,
  })
  const recent = items.filter(isShown).slice(0, RECENT)
  const more = html` <a href="${call.href('/documents')}">All documents</a>`
  if (recent.length === 0) {
    return sectionHtml(
      text('Recent'),
      html`<p class="empty">Documents show up here, the last changed first. Agents add them with documents_add.</p>`,
      more,
    )
  }
  const rows: Html[] = []
  for (const { id, title, lastModifiedAt } of recent) {
    const read = await call.find('blocks_get', { id, maxDepth: 1, maxBlocks: BLOCKS_READ, fetchMetadata: false })
    const lines = linesOf(read?.content ?? [], 2).join(' ')
    rows.push(html`<li><a href="${call.links.block(id)}">${documentName(call, title)}</a>${lastModifiedAt !== undefined && html`<span class="n">${call.formats.time(lastModifiedAt)}</span>`}${lines !== '' && html`<p dir="auto">${inlineHtml(lines, call)}</p>`}</li>
`)
  }
  return sectionHtml(text('Recent'), html`<ul class="recent">${rows}</ul>`, more)
}

export const pinDocument: Page = {
  route: 'POST /pins',
  async handle(call) {
    const id = call.form.get('document') ?? ''
    return {
      redirect: backOf(call, `/d/${encodeURIComponent(id)}`),
      setCookie: withPin(call, id, call.form.get('pinned') === 'yes'),
    }
  },
}
