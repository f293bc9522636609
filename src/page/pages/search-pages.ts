/** Full-text search, and what the editor offers to link to. */

import { ScriptoriumError } from '../../base/errors.ts'
import { PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { mistypedRank } from '../../base/mistyped-title.ts'
import { matchRank } from '../../base/title-match.ts'
import { BLOCK_SCHEME, DATE_SCHEME, PERSON_SCHEME } from '../../markdown/addresses.ts'
import { shownTitle, UNTITLED } from '../../markdown/shown-title.ts'
import { resolveDate, validateDate } from '../../space/model/dates.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { inlineHtml } from '../blocks/inline-content-html.ts'
import { type Html, html } from '../html.ts'
import type { LinkTarget } from '../link-target.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { DocumentEntry, ToolAnswer } from '../page-tools.ts'
import { TASK_LISTS } from '../task-scopes.ts'
import { text } from '../texts/text.ts'

type SearchAnswer = ToolAnswer<'documents_search' | 'daily_notes_search'>
type DocumentMatch = ToolAnswer<'documents_search'>['items'][number]
type DayMatch = ToolAnswer<'daily_notes_search'>['items'][number]
/** Documents are named by their IDs, or days by their dates. */
export type Match = (DocumentMatch & Partial<DayMatch>) | (DayMatch & Partial<DocumentMatch>)

/** Titles that quick open checks, and that it shows. */
const TITLES_READ = 5_000
const TITLES_SHOWN = 8

export const queryOf = (call: PageCall): string => (call.query.get('q') ?? '').trim().slice(0, PAGE_QUERY_LENGTH)

export const searchPage: Page = {
  route: 'GET /search',
  async handle(call) {
    const query = queryOf(call)
    const cursor = call.query.get('cursor') ?? undefined
    const found = query === '' ? undefined : await search(call, query, cursor)
    const main = html`<div class="page"><h1>Search</h1>
<form class="search" role="search" method="get" action="${call.href('/search')}"><input type="search" dir="auto" name="q" value="${query}" aria-label="Words, or “a phrase” in quotes" placeholder="Words, or “a phrase” in quotes"${query === '' && html` autofocus`}><button>Search</button></form>
${found !== undefined && resultsHtml(call, query, found)}</div>`
    return { title: query === '' ? text('Search') : text('Search for {query}', { query }), main, current: '/search' }
  },
}

export function search(call: PageCall, query: string, cursor?: string): Promise<SearchAnswer> {
  const tool = call.has('documents_search') ? 'documents_search' : 'daily_notes_search'
  return call.run(tool, {
    include: [query.replace(/[“”„]/g, '"')],
    fetchBlocks: true,
    ...(cursor !== undefined && { cursor }),
  })
}

/** @param query  the words that were looked for */
export function resultsHtml(call: PageCall, query: string, { items, note, pagination }: SearchAnswer): Html {
  if (items.length === 0)
    return html`<p class="empty" role="status">Nothing has these words. Documents in the trash are not searched.</p>`
  return html`${note !== undefined && html`<p class="about" role="status">${note}</p>`}
<ol class="results">${items.map((match) => matchHtml(call, match))}</ol>
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href('/search', { q: query, cursor: pagination.cursor })}">${call.formats.number(pagination.remaining)} more</a></p>`}`
}

function matchHtml(call: PageCall, match: Match): Html {
  const { href, name } = placeOfMatch(call, match)
  return html`<li><a href="${href}"><b>${name}</b></a><div class="snippet" dir="auto">${inlineHtml(match.markdown, call)}</div></li>
`
}

/** Where a match stands. */
export function placeOfMatch(call: PageCall, match: Match): { href: string; name: string; id: string | undefined } {
  const { title, blockIds, location } = match
  const [first] = blockIds
  const { documentId, exposedDocumentId, dailyNoteDate } = match
  const id = documentId ?? exposedDocumentId
  const page =
    id !== undefined
      ? call.links.block(id)
      : dailyNoteDate !== undefined
        ? call.links.day(dailyNoteDate)
        : call.href('/tasks', { scope: location })
  const name = title || (location === 'logbook' || location === 'inbox' ? `${TASK_LISTS[location]}` : UNTITLED)
  const [inner] = innerPages(match)
  if (inner !== undefined && inner.id === first) return { href: call.links.block(inner.id), name, id }
  return { href: `${page}${first !== undefined && first !== id ? `#b${first}` : ''}`, name, id }
}

/** The pages within its document whose titles match, the best first. */
export const innerPages = ({ blocks = [], documentId, exposedDocumentId }: Match) =>
  blocks.filter(
    (block): block is typeof block & JsonBlock =>
      block.type === 'page' && block.id !== (documentId ?? exposedDocumentId),
  )

/** What the editor offers to link to: days, members by their names, and documents by their titles. Titles are plain text. */
export const linkTargetsPage: Page = {
  route: 'GET /targets',
  async handle(call) {
    const query = queryOf(call)
    const titles = await findTitles(call, query)
    const targets: LinkTarget[] = [
      ...daysOf(call, query),
      ...(await membersNamed(call, query)),
      ...titles.map(({ id, title }) => ({ url: `${BLOCK_SCHEME}${id}`, title: shownTitle(title), about: '' })),
    ]
    return Response.json(targets, {
      headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
    })
  },
}

/** Members in the menu. */
const MEMBERS_SHOWN = 5

/** The members whose names or handles contain the query, best matches first. */
export async function membersNamed(call: PageCall, query: string): Promise<LinkTarget[]> {
  if (query === '') return []
  const { items } = await call.run('members_list', { query, limit: MEMBERS_SHOWN })
  return items.map(({ id, name, kind, handle }) => ({
    url: `${PERSON_SCHEME}${id}`,
    title: `@${name}`,
    about: handle === undefined ? kind : `${kind} @${handle}`,
  }))
}

/** The day that the words name, such as `tomorrow`, `next friday` or `2026-11-28`. */
export function daysOf(call: PageCall, query: string): LinkTarget[] {
  if (call.kind === 'selected' || query === '') return []
  const { today } = call.formats
  const day = ['today', 'tomorrow', 'yesterday'].find((word) => word.startsWith(query.toLowerCase())) ?? query
  const calendar = { now: call.request.now, timezone: call.request.caller.space.info.timezone }
  try {
    const date = validateDate(resolveDate(day, calendar))
    const about = date === today ? 'today' : call.formats.longDay(date)
    return [{ url: `${DATE_SCHEME}${date}`, title: date, about }]
  } catch (error) {
    // Words that name no day, or two.
    if (error instanceof ScriptoriumError) return []
    throw error
  }
}

export async function findTitles(call: PageCall, query: string): Promise<DocumentEntry[]> {
  if (!call.has('documents_list')) return []
  const { items } = await call.run('documents_list', {
    orderBy: 'modified',
    limit: query === '' ? TITLES_SHOWN : TITLES_READ,
  })
  const known = items.filter(({ isDeleted }) => !isDeleted)
  // Of equal ones, those that were changed last come first.
  const matching = (rankOf: (title: string) => number | undefined) =>
    known
      .flatMap((entry) => {
        const rank = rankOf(entry.title)
        return rank === undefined ? [] : [{ entry, rank }]
      })
      .sort((one, other) => one.rank - other.rank)
      .slice(0, TITLES_SHOWN)
      .map(({ entry }) => entry)
  const found = matching((title) => matchRank(title, query))
  return found.length > 0 ? found : matching((title) => mistypedRank(title, query))
}
