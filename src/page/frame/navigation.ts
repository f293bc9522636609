/** The left column with the navigation. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { type NestedPage, type NestedPages, nestedPages } from '../../space/documents/nested-pages.ts'
import { type SuggestedDocuments, suggestedDocuments } from '../../space/proposals/suggested-documents.ts'
import { documentName } from '../documents/document-name.ts'
import { addressOf } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import { readPinned } from '../page-cookies.ts'
import type { ShownPage } from '../page-declaration.ts'
import type { DocumentEntry, FolderEntry } from '../page-tools.ts'
import { awaitsName, GUEST_PATH } from '../pages/guest-page.ts'
import { AS_BROWSER, LANGUAGE_PATH } from '../pages/language-page.ts'
import { PASSWORD_PATH } from '../pages/password-page.ts'
import { shownText } from '../shown-text.ts'
import { chosenLanguage, LANGUAGES, pageLocale } from '../texts/language.ts'
import { text, textKey } from '../texts/text.ts'

export interface Navigation {
  spaceName: string
  folders: FolderEntry[]
  /** The documents of the open folder, or those that the link exposes. */
  documents: DocumentEntry[]
  moreDocuments: number
  /** The pages within the open document. */
  nested: NestedPages
  /** Where the open document is, if it is in no folder. */
  location?: DocumentEntry['location']
  openTasks?: number
  suggested: SuggestedDocuments
  /** Documents that are pinned in this browser. */
  pinned: DocumentEntry[]
  /** What waits for the member and is unread; absent for a link that is no member. */
  unreadForMe?: number
}

/** Maximum number of documents to list. */
const LISTED = 30

/** What the page shows: its folder, whose documents are listed, and its document, whose pages are. */
type Shown = Pick<ShownPage, 'folderId' | 'documentId'>

export async function readNavigation(call: PageCall, shown: Shown): Promise<Navigation> {
  const { folderId, documentId } = shown
  const navigation: Navigation = {
    spaceName: call.request.caller.space.info.name,
    folders: [],
    documents: [],
    moreDocuments: 0,
    nested: await readNested(call, documentId),
    suggested: await readSuggested(call),
    pinned: await readPinned(call),
  }
  if (call.has('folders_list')) {
    navigation.folders = (await call.run('folders_list')).items
  }
  const where = listedPlace(call, shown)
  if (where !== undefined && call.has('documents_list')) {
    const listed = await call.find('documents_list', {
      ...where,
      limit: LISTED,
    })
    const items = listed?.items ?? []
    // The response includes documents of subfolders, which are listed in their own folders.
    navigation.documents = items.filter((one) => one.folderId === folderId || call.kind === 'selected')
    navigation.moreDocuments = listed?.pagination?.remaining ?? 0
    if (folderId === undefined) navigation.location = items[0]?.location
  }
  if (call.has('for_me_list')) {
    const { memberId, unread } = await call.run('for_me_list', { limit: 1 })
    if (memberId !== undefined) navigation.unreadForMe = unread
  }
  if (call.has('tasks_list')) {
    const { items, pagination } = await call.run('tasks_list', { scope: 'active', limit: 1 })
    navigation.openTasks = items.length + (pagination?.remaining ?? 0)
  }
  return navigation
}

/** The documents of the open folder. Outside of folders, the open document alone. */
function listedPlace(
  { kind }: PageCall,
  { folderId, documentId }: Shown,
): { folderId?: string; documentIds?: string[] } | undefined {
  if (kind === 'selected') return {}
  if (folderId !== undefined) return { folderId }
  return kind === 'full' && documentId !== undefined ? { documentIds: [documentId] } : undefined
}

const readSuggested = ({ request: { caller } }: PageCall): Promise<SuggestedDocuments> =>
  caller.space.read(caller.link, suggestedDocuments)

const NO_PAGES: NestedPages = { pages: [], isCut: false }

async function readNested(call: PageCall, documentId: string | undefined): Promise<NestedPages> {
  if (documentId === undefined || call.kind === 'daily') return NO_PAGES
  const { space, link } = call.request.caller
  const read = space.read(link, async (view) => nestedPages(view, await view.readId(documentId)))
  return (await read.catch(undefinedIfNotFound)) ?? NO_PAGES
}

/** Locations other than folders, and the titles of their pages. */
export const LOCATIONS = {
  unsorted: textKey('Unsorted'),
  templates: textKey('Templates'),
  trash: textKey('Trash'),
} as const
const LOCATION_ICONS = { unsorted: 'unsorted', templates: 'template', trash: 'trash' } as const
const isLocation = (id: string): id is keyof typeof LOCATIONS => Object.hasOwn(LOCATIONS, id)

interface Marks {
  current: string
  folderId?: string | undefined
  documentId?: string | undefined
  /** The page within the document that is open. */
  nestedId?: string | undefined
  /** The number of recently active agents, and of pending proposals. */
  agents: number
  waiting: number
  /** Documents that someone is writing in, with the name of the author. */
  writing: ReadonlyMap<string, string>
  /** The address from which a script reloads the layout after a change. */
  news: string
  /** The script that moves documents; undefined if the link may not. */
  tree: string | undefined
  /** When it does. */
  trigger: string
}

export function navigationHtml(call: PageCall, navigation: Navigation, marks: Marks): Html {
  const { spaceName, folders, openTasks, unreadForMe = 0 } = navigation
  const { current, agents, waiting } = marks
  const entry = (
    path: string,
    icon: IconName,
    name: string,
    about: Html | string = '',
    isShown = true,
    below: Html | false = false,
  ): Html | false =>
    isShown &&
    html`<li><a href="${call.href(path)}"${path === current && html` aria-current="page"`}>${call.icon(icon, html`<span class="name">${name}</span>`)}${about !== '' && html` <span class="n">${about}</span>`}</a>${below}</li>`
  const own = folders.filter(({ id }) => !isLocation(id))
  const builtIn = folders.filter(({ id, documentCount }) => isLocation(id) && (id !== 'templates' || documentCount > 0))
  return html`<nav id="nav" aria-label="Space" tabindex="-1"${marks.tree !== undefined && html` data-tree="${marks.tree}"`} hx-get="${marks.news}" hx-trigger="${marks.trigger}" hx-swap="none" hx-select-oob="#feed:outerMorph,#programs:outerMorph,#nav:outerMorph,#badge:outerMorph,#edited:outerMorph,#trashed:outerMorph,#now:outerMorph,#waiting:outerMorph">
<div class="space"><a href="${call.href('/')}">${spaceName}</a><a class="close" href="#main">Close</a></div>
<a class="find" href="${call.href('/search')}" data-find>${call.icon('search', text('Find or go to…'))} <kbd>${text('Ctrl')} K</kbd></a>
<section><ul>
${entry('/', 'house', text('Home'), '', call.kind !== 'daily')}
${entry('/now', 'activity', text('Now'), agents === 0 ? '' : agents === 1 ? text('1 agent') : text('{agents} agents', { agents }))}
${entry('/for-me', 'bell', text('For me'), unreadForMe === 0 ? '' : html`<b class="waits">${call.formats.number(unreadForMe)}</b>`, navigation.unreadForMe !== undefined)}
${entry('/waiting', 'inbox', text('Waiting'), waiting === 0 ? '' : html`<b class="waits">${waiting}</b>`, call.has('proposals_list'))}
${entry('/days/today', 'calendar-days', text('Today'), call.formats.shortDay(call.formats.today), call.kind !== 'selected')}
${entry('/tasks', 'tasks', text('Tasks'), openTasks === undefined || openTasks === 0 ? '' : call.formats.number(openTasks), call.has('tasks_list'))}
${entry('/collections', 'collection', text('Collections'))}
${entry('/tags', 'tag', text('Tags'))}
</ul></section>
${pinnedHtml(call, navigation.pinned, marks)}${
  call.kind !== 'daily' &&
  html`<section><h2 id="nav-documents"><a href="${call.href('/documents')}">Documents</a></h2><ul class="tree" aria-labelledby="nav-documents">
${call.kind === 'selected' && documentsHtml(call, navigation, marks)}${proposedHtml(call, navigation.suggested)}
${own.map((folder) => folderHtml(call, folder, navigation, marks))}
${builtIn.map(({ id, name, documentCount }) =>
  entry(
    `/${id}`,
    isLocation(id) ? LOCATION_ICONS[id] : 'folder',
    isLocation(id) ? `${LOCATIONS[id]}` : name,
    call.formats.number(documentCount),
    true,
    id === navigation.location && html`<ul>${documentsHtml(call, navigation, marks)}</ul>`,
  ),
)}
</ul></section>`
}
<section><h2>People and agents</h2><ul>${entry('/members', 'members', text('Members'))}${entry('/links', 'links', call.managesSpace ? text('Links and people') : text('Your links'), '', call.management !== undefined)}${entry('/settings', 'settings', text('Settings'), '', call.managesSpace)}${entry(PASSWORD_PATH, 'lock', text('Your password'), '', call.request.changePassword !== undefined)}</ul></section>
${guestHtml(call)}${languageHtml(call)}<form class="leave" method="post" action="${call.href('/sign-out')}">${call.tokenField()}<button class="plain">${call.icon('sign-out', text('Sign out'))}</button></form>
</nav>`
}

/** The other languages of the pages, each by its own name, and the way back to what the browser asks for. */
const languageHtml = (call: PageCall): Html =>
  html`<form class="language" method="post" action="${call.href(LANGUAGE_PATH)}">${call.tokenField()}${Object.entries(
    LANGUAGES,
  )
    .filter(([language]) => language !== pageLocale().language)
    .map(
      ([language, name]) =>
        html`<button class="plain" name="language" value="${language}" lang="${language}">${call.icon('language', name)}</button>`,
    )}${
    chosenLanguage(call.request.request.headers) !== undefined &&
    html`<button class="plain" name="language" value="${AS_BROWSER}">${call.icon('language', text('As the browser says'))}</button>`
  }</form>`

/** Pinned documents, above the folders. */
const pinnedHtml = (call: PageCall, pinned: readonly DocumentEntry[], { documentId }: Marks): Html | false =>
  pinned.length > 0 &&
  html`<section><h2 id="nav-pinned">Pinned</h2><ul aria-labelledby="nav-pinned">${pinned.map(
    ({ id, title }) =>
      html`<li><a href="${call.links.block(id)}"${id === documentId && html` aria-current="page"`}>${documentName(call, title)}</a></li>`,
  )}</ul></section>`

/** Under which name a guest comments, and the way to give one. */
function guestHtml(call: PageCall): Html | false {
  const { link } = call.request.caller
  if (!link.isGuest) return false
  const href = call.href(GUEST_PATH, { back: addressOf(call) })
  return awaitsName(call)
    ? html`<p class="about"><a href="${href}">Give your name to comment</a></p>`
    : html`<p class="about">You comment as <b dir="auto">${link.author}</b>. <a href="${href}">Change</a></p>`
}

/** The menu of an entry: a page of its own without scripts. */
const entryMenu = (call: PageCall, path: string, name: string, { tree }: Marks): Html | false =>
  tree !== undefined &&
  html`<a class="entry-menu" href="${call.href(`${path}/actions`)}" data-script="${tree}" aria-haspopup="menu" aria-label="Actions for ${name}">${call.icon('more')}</a>`

const holds = ({ folders, id }: FolderEntry, wanted: string | undefined): boolean =>
  id === wanted || folders.some((inner) => holds(inner, wanted))

function folderHtml(call: PageCall, folder: FolderEntry, navigation: Navigation, marks: Marks): Html {
  const { id, name, documentCount, folders } = folder
  const isOpen = holds(folder, marks.folderId)
  const path = `/folders/${id}`
  return html`<li><a href="${call.href(path)}"${path === marks.current && html` aria-current="page"`}>${call.icon(isOpen ? 'folder-open' : 'folder', html`<span class="name">${name}</span>`)} <span class="n">${call.formats.number(documentCount)}</span></a>${entryMenu(call, path, name, marks)}${
    isOpen &&
    html`<ul>${folders.map((inner) => folderHtml(call, inner, navigation, marks))}${id === marks.folderId && documentsHtml(call, navigation, marks)}</ul>`
  }</li>
`
}

function documentsHtml(call: PageCall, navigation: Navigation, marks: Marks): Html {
  const { documents, moreDocuments, nested, suggested } = navigation
  const { documentId, folderId, nestedId, writing } = marks
  return html`${documents.map(({ id, title }) => {
    const writer = writing.get(id)
    return html`<li><a href="${call.links.block(id)}"${id === documentId && nestedId === undefined && html` aria-current="page"`}>${documentName(call, title)}${writer !== undefined && html` <span class="dot" role="img" title="${writer} is writing here" aria-label="${writer} is writing here"></span>`}${suggestedHtml(suggested.counts.get(id))}</a>${entryMenu(call, `/d/${id}`, shownTitle(title), marks)}${id === documentId && nestedHtml(call, shownTitle(title), nested, { id, marks })}</li>
`
  })}${
    moreDocuments > 0 &&
    html`<li><a class="more" href="${call.href(folderId === undefined ? '/documents' : `/folders/${folderId}`)}">${call.formats.number(moreDocuments)} more</a></li>`
  }`
}

/** Documents that wait to be accepted, which open as previews. */
const proposedHtml = (call: PageCall, { proposed }: SuggestedDocuments): Html =>
  html`${proposed.map(
    ({ id, title }) =>
      html`<li><a href="${call.links.block(id)}">${call.icon('file', html`<span class="name">${shownText(shownTitle(title))}</span>`)} <span class="n">proposed</span></a></li>
`,
  )}`

/** A dot at a document for which something is suggested. */
function suggestedHtml(suggestions = 0): Html | false {
  const words = suggestions === 1 ? text('A suggestion waits') : text('{suggestions} suggestions wait', { suggestions })
  return suggestions > 0 && html` <span class="dot waits" role="img" title="${words}" aria-label="${words}"></span>`
}

/** The pages within the open document. Those within its pages are folded, unless one of them is open. */
function nestedHtml(
  call: PageCall,
  title: string,
  { pages, isCut }: NestedPages,
  { id, marks }: { id: string; marks: Marks },
): Html | false {
  if (pages.length === 0) return false
  const { nestedId } = marks
  const isOpen = ({ id, pages }: NestedPage): boolean => id === nestedId || pages.some(isOpen)
  const levelHtml = (title: string, pages: NestedPage[], shown: boolean, more: Html | false = false): Html =>
    html`<details class="nested"${shown && html` open`}><summary>${call.icon('chevron-right')}<span class="hidden">Pages in ${title}</span></summary><ul>${pages.map(
      (page) =>
        html`<li><a href="${call.links.block(page.id)}"${page.id === nestedId && html` aria-current="page"`}>${documentName(call, page.title)}</a>${entryMenu(call, `/d/${page.id}`, shownTitle(page.title), marks)}${
          page.pages.length > 0 && levelHtml(shownTitle(page.title), page.pages, isOpen(page))
        }</li>`,
    )}${more}</ul></details>`
  return levelHtml(
    title,
    pages,
    true,
    isCut && html`<li><a class="more" href="${call.links.block(id)}">More in the document</a></li>`,
  )
}
