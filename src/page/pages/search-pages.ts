/** Full-text search, and what the editor offers to link to. */

import { ScriptoriumError } from '../../base/errors.ts'
import { PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { mistypedRank } from '../../base/mistyped-title.ts'
import { matchRank } from '../../base/title-match.ts'
import { BLOCK_SCHEME, DATE_SCHEME, PERSON_SCHEME } from '../../markdown/addresses.ts'
import { shownTitle, UNTITLED } from '../../markdown/shown-title.ts'
import { resolveDate, validateDate } from '../../space/model/dates.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { type PathEntry, readPagePaths } from '../../space/reading/page-path.ts'
import { titleText } from '../blocks/block-writer.ts'
import { inlineHtml } from '../blocks/inline-content-html.ts'
import { type Html, html } from '../html.ts'
import type { LinkTarget } from '../link-target.ts'
import { MEMBER_KINDS } from '../members/member-kinds.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { DocumentEntry, ToolAnswer } from '../page-tools.ts'
import { TASK_LISTS } from '../task-scopes.ts'
import { text } from '../texts/text.ts'

type SearchAnswer = ToolAnswer<'documents_search' | 'daily_notes_search'>
type DocumentMatch = ToolAnswer<'documents_search'>['items'][number]
type DayMatch = ToolAnswer<'daily_notes_search'>['items'][number]
/** Documents are named by their IDs, or days by their dates. */
export type Match = ((DocumentMatch & Partial<DayMatch>) | (DayMatch & Partial<DocumentMatch>)) & {
  /** The pages around the best block, the document first: none around the document itself; undefined if very many. */
  path: readonly PathEntry[] | undefined
}
type FoundMatches = Omit<SearchAnswer, 'items'> & { items: Match[] }

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

/** Signs alone, such as `%` or an emoji, are looked for as they are. */
const hasWords = (query: string): boolean => /[\p{L}\p{N}]/u.test(query)

export async function search(call: PageCall, query: string, cursor?: string): Promise<FoundMatches> {
  const tool = call.has('documents_search') ? 'documents_search' : 'daily_notes_search'
  const answer = await call.run(tool, {
    ...(hasWords(query)
      ? { include: [query.replace(/[“”„]/g, '"')] }
      : { regexps: [query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')] }),
    fetchBlocks: true,
    ...(cursor !== undefined && { cursor }),
  })
  return withPaths(call, answer)
}

/** The matches with the pages around their best blocks. */
export async function withPaths(call: PageCall, answer: SearchAnswer): Promise<FoundMatches> {
  const { space, link } = call.request.caller
  const best = answer.items.flatMap(({ blockIds }) => blockIds.slice(0, 1))
  const paths = await space.read(link, (view) => readPagePaths(view, best))
  return { ...answer, items: answer.items.map((match) => ({ ...match, path: paths.get(match.blockIds[0] ?? '') })) }
}

/** @param query  the words that were looked for */
export function resultsHtml(call: PageCall, query: string, { items, note, pagination }: FoundMatches): Html {
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

interface MatchPlace {
  href: string
  /** The page with the words, after those around it. */
  name: string
  /** The ID of that page; undefined for a daily note. */
  id: string | undefined
}

/** Where the best block of a match stands: on the page of its document, or on one within it. */
export function placeOfMatch(call: PageCall, match: Match): MatchPlace {
  const [first] = match.blockIds
  // The page of a block leads to the one around it.
  if (first !== undefined && match.path === undefined)
    return { href: call.links.block(first), name: nameOfMatch(match), id: first }
  const [document, ...pages] = match.path ?? []
  const block = match.blocks?.find(({ id }) => id === first)
  // A page, or a row of a collection, has the words in its title or its values.
  if (document !== undefined && block !== undefined && isShownAlone(block)) {
    const name = pathName(match, [...pages, { content: titleText(block) }])
    return { href: call.links.block(block.id), name, id: block.id }
  }
  const page = pages.at(-1)
  if (page !== undefined && first !== undefined)
    return { href: `${call.links.block(page.id)}#b${first}`, name: pathName(match, pages), id: page.id }
  const { id, href } = documentOfMatch(call, match)
  return { href: `${href}${first !== undefined && first !== id ? `#b${first}` : ''}`, name: nameOfMatch(match), id }
}

type MatchBlock = NonNullable<Match['blocks']>[number]
const isShownAlone = (block: MatchBlock): block is MatchBlock & JsonBlock =>
  block.type === 'page' || block.type === 'collectionItem'

/** Pages that are named before the last one. Of more, those in the middle are left out. */
const OUTER_NAMED = 2

function pathName(match: Match, pages: readonly { content: string }[]): string {
  const all = [nameOfMatch(match), ...pages.map(({ content }) => shownTitle(content))]
  const named = all.length <= OUTER_NAMED + 1 ? all : [...all.slice(0, 1), '…', ...all.slice(-OUTER_NAMED)]
  return named.join(' › ')
}

/** The document of a match, or the list of its tasks. */
function documentOfMatch(call: PageCall, { documentId, exposedDocumentId, dailyNoteDate, location }: Match) {
  const id = documentId ?? exposedDocumentId
  if (id !== undefined) return { id, href: call.links.block(id) }
  return {
    id,
    href: dailyNoteDate !== undefined ? call.links.day(dailyNoteDate) : call.href('/tasks', { scope: location }),
  }
}

/** The name of its document. */
export const nameOfMatch = ({ title, location }: Match): string =>
  title || (location === 'logbook' || location === 'inbox' ? `${TASK_LISTS[location]}` : UNTITLED)

/** The pages within its document whose titles match, the best first. */
export const innerPages = ({ blocks = [], documentId, exposedDocumentId }: Match) =>
  blocks.filter(
    (block): block is typeof block & JsonBlock =>
      block.type === 'page' && block.id !== (documentId ?? exposedDocumentId),
  )

/**
 * What the editor offers to link to: days, members by their names, and documents by their titles; for a comment members
 * alone (`kind=member`). Titles are plain text.
 */
export const linkTargetsPage: Page = {
  route: 'GET /targets',
  async handle(call) {
    const query = queryOf(call)
    const targets =
      call.query.get('kind') === 'member' ? await firstMembers(call, query) : await allTargets(call, query)
    return Response.json(targets, {
      headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
    })
  },
}

async function allTargets(call: PageCall, query: string): Promise<LinkTarget[]> {
  const titles = await findTitles(call, query)
  return [
    ...daysOf(call, query),
    ...(await membersNamed(call, query)),
    ...titles.map(({ id, title }) => ({ url: `${BLOCK_SCHEME}${id}`, title: shownTitle(title), about: '' })),
  ]
}

/** Members in the menu. */
const MEMBERS_SHOWN = 5

/** The members whose names or handles contain the query, best matches first; none without one. */
export const membersNamed = async (call: PageCall, query: string): Promise<LinkTarget[]> =>
  query === '' ? [] : firstMembers(call, query)

/** @param query  empty for any members */
async function firstMembers(call: PageCall, query: string): Promise<LinkTarget[]> {
  const { items } = await call.run('members_list', { ...(query !== '' && { query }), limit: MEMBERS_SHOWN })
  return items.map(({ id, name, kind, handle }) => ({
    url: `${PERSON_SCHEME}${id}`,
    title: `@${name}`,
    about: `${MEMBER_KINDS[kind]}${handle === undefined ? '' : ` @${handle}`}`,
    ...(handle !== undefined && { handle }),
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
    const about = date === today ? text('today') : call.formats.longDay(date)
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
