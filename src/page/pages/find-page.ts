/**
 * What Ctrl K finds while somebody types: documents and pages in them by their titles, days, people, pages and commands, and texts. Without
 * words, the documents that were changed last.
 */

import { matchRank } from '../../base/title-match.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { isFullLink } from '../../space/model/access.ts'
import { titleText } from '../blocks/block-writer.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { text } from '../texts/text.ts'
import { PASSWORD_PATH } from './password-page.ts'
import {
  daysOf,
  findTitles,
  innerPages,
  type Match,
  membersNamed,
  nameOfMatch,
  placeOfMatch,
  queryOf,
  search,
} from './search-pages.ts'

interface FoundRow {
  href: string
  icon: IconName
  name: string
  /** What it is; empty for documents, and the document around a page. */
  about: string
  /** The text that has the words. */
  text?: string
}

/** Pages within documents in the list. */
const PAGES_SHOWN = 5
/** Texts in the list. */
const TEXTS_SHOWN = 5
/** Letters from which on texts are searched. */
const TEXT_QUERY = 2
const TEXT_LENGTH = 120

export const findFragment: Page = {
  route: 'GET /find',
  async handle(call) {
    const query = queryOf(call)
    const titles = await findTitles(call, query)
    const matches = query.length < TEXT_QUERY ? [] : (await search(call, query)).items
    const rows: FoundRow[] = [
      ...titles.map(({ id, title }) => ({
        href: call.links.block(id),
        icon: 'file' as const,
        name: shownTitle(title),
        about: '',
      })),
      ...matches.flatMap((match) => pagesFound(call, query, match)).slice(0, PAGES_SHOWN),
      ...daysFound(call, query),
      ...(await peopleFound(call, query)),
      ...placesOf(call, query),
      ...textsFound(call, query, matches, new Set(titles.map(({ id }) => id))),
    ]
    return {
      fragment: html`<ul data-query="${query}">${rows.map((row) => rowHtml(call, row))}
${query !== '' && html`<li><a href="${call.href('/search', { q: query })}">Search all words for <b>${query}</b></a></li>`}</ul>`,
    }
  },
}

const rowHtml = (call: PageCall, { href, icon, name, about, text: line = '' }: FoundRow): Html =>
  html`<li><a href="${href}">${call.icon(icon)} <span>${name}${line !== '' && html`<small>${line}</small>`}</span>${about !== '' && html` <span class="n">${about}</span>`}</a></li>`

const daysFound = (call: PageCall, query: string): FoundRow[] =>
  daysOf(call, query).map(({ title }) => ({
    href: call.links.day(title),
    icon: 'calendar-days',
    name: call.formats.longDay(title),
    about: text('day'),
  }))

async function peopleFound(call: PageCall, query: string): Promise<FoundRow[]> {
  const members = await membersNamed(call, query)
  return members.map(({ title, about }) => {
    const name = title.replace(/^@/, '')
    return { href: call.href('/members', { q: name }), icon: 'members', name, about }
  })
}

/** Pages within a document, by their titles. */
const pagesFound = (call: PageCall, query: string, match: Match): FoundRow[] =>
  innerPages(match)
    .map((page) => ({ id: page.id, title: titleText(page) }))
    .filter(({ title }) => matchRank(title, query) !== undefined)
    .map(({ id, title }) => ({
      href: call.links.block(id),
      icon: 'page',
      name: shownTitle(title),
      about: nameOfMatch(match),
    }))

/** Texts with the words, each page once, and none that was found by its title. */
function textsFound(call: PageCall, query: string, matches: readonly Match[], shown: Set<string>): FoundRow[] {
  const rows: FoundRow[] = []
  for (const match of matches) {
    const { href, name, id } = placeOfMatch(call, match)
    if (pagesFound(call, query, match).some((page) => page.href === href)) continue
    if (id !== undefined && shown.has(id)) continue
    if (id !== undefined) shown.add(id)
    const line = plainTitle(match.markdown.replace(/\s+/g, ' ')).trim()
    rows.push({
      href,
      icon: 'text',
      name,
      about: text('text'),
      text: line.length > TEXT_LENGTH ? `${line.slice(0, TEXT_LENGTH)}…` : line,
    })
    if (rows.length === TEXTS_SHOWN) break
  }
  return rows
}

interface Place {
  path: string
  icon: IconName
  name: string
  /** Further words by which it is found. */
  words?: string
  isThere?: boolean
}

/** Pages and commands, those first whose names begin with the words. Words such as `go to` before them mean nothing. */
function placesOf(call: PageCall, query: string): FoundRow[] {
  const asked = query.replace(/^(?:go to|open|show|gehe zu|öffne|zeige)\s+/i, '')
  const isFound = ({ name, words = '' }: Place) => matchRank(`${name} ${words}`, asked) !== undefined
  const found = (places: readonly Place[], about: string) =>
    places
      .filter((place) => place.isThere !== false && isFound(place))
      .map(({ path, icon, name }) => ({ href: call.href(path), icon, name, about }))
  // Without words, there are no commands: what is there comes first.
  const places = [
    ...(query === '' ? [] : found(commandsOf(call), text('command'))),
    ...found(pagesOf(call), text('page')),
  ]
  const rank = ({ name }: FoundRow) => (matchRank(name, asked) === 0 ? 0 : 1)
  return places.sort((one, other) => rank(one) - rank(other))
}

function commandsOf(call: PageCall): Place[] {
  const mayAdd = call.may('add')
  const isFull = isFullLink(call.request.caller.link)
  return [
    {
      path: '/documents/new',
      icon: 'file-plus',
      name: text('New document'),
      words: text('add create'),
      isThere: mayAdd && call.has('documents_add'),
    },
    {
      path: '/tasks?scope=active&new=yes',
      icon: 'tasks',
      name: text('New task'),
      words: text('add create'),
      isThere: mayAdd && call.has('tasks_add'),
    },
    {
      path: '/folders/new',
      icon: 'folder-plus',
      name: text('New folder'),
      words: text('add create'),
      isThere: mayAdd && call.has('folders_add'),
    },
    { path: '/export', icon: 'export', name: text('Export'), words: text('download save markdown json html') },
    { path: '/import', icon: 'upload', name: text('Import'), words: text('upload bring'), isThere: isFull },
    ...documentCommands(call),
    {
      path: '/links/new',
      icon: 'links',
      name: text('New link'),
      words: text('share invite agent'),
      isThere: call.management !== undefined,
    },
    {
      path: '/people/new',
      icon: 'members',
      name: text('Invite a person'),
      words: text('share participant'),
      isThere: call.managesSpace,
    },
    {
      path: '/trash/empty',
      icon: 'trash',
      name: text('Empty trash'),
      words: text('delete for good'),
      isThere: call.managesSpace,
    },
  ]
}

/** Commands for the document that the browser shows. */
function documentCommands(call: PageCall): Place[] {
  const { headers } = call.request.request
  const shown = URL.parse(headers.get('hx-current-url') ?? '')?.pathname ?? ''
  const [, id] = /\/d\/(\d{12})$/.exec(shown) ?? []
  if (id === undefined) return []
  return [
    {
      path: `/links/new?document=${id}`,
      icon: 'share',
      name: text('Share this document'),
      words: text('link invite'),
      isThere: call.management !== undefined,
    },
    { path: `/d/${id}/print`, icon: 'print', name: text('Print this document'), words: text('paper pdf') },
  ]
}

function pagesOf(call: PageCall): Place[] {
  const isWithDays = call.kind !== 'selected'
  const hasFolders = call.has('folders_list')
  return [
    { path: '/now', icon: 'activity', name: text('Now'), words: text('history activity') },
    { path: '/days/today', icon: 'calendar-days', name: text('Today'), isThere: isWithDays },
    { path: '/days', icon: 'calendar-days', name: text('Daily notes'), words: text('calendar'), isThere: isWithDays },
    { path: '/tasks', icon: 'tasks', name: text('Tasks'), isThere: call.has('tasks_list') },
    { path: '/collections', icon: 'collection', name: text('Collections'), words: text('tables boards') },
    { path: '/tags', icon: 'tag', name: text('Tags') },
    { path: '/members', icon: 'members', name: text('Members'), words: text('people agents') },
    { path: '/waiting', icon: 'inbox', name: text('Waiting'), words: text('proposals approve') },
    { path: '/unsorted', icon: 'unsorted', name: text('Unsorted'), isThere: hasFolders },
    { path: '/trash', icon: 'trash', name: text('Trash'), words: text('deleted'), isThere: hasFolders },
    {
      path: '/links',
      icon: 'links',
      name: call.managesSpace ? text('Links and people') : text('Your links'),
      words: text('share access'),
      isThere: call.management !== undefined,
    },
    {
      path: '/settings',
      icon: 'settings',
      name: text('Settings'),
      words: text('time zone week language backups storage'),
      isThere: call.managesSpace,
    },
    {
      path: PASSWORD_PATH,
      icon: 'lock',
      name: text('Your password'),
      words: text('change sign in'),
      isThere: call.request.changePassword !== undefined,
    },
  ]
}
