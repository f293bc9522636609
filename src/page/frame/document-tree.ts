/** The tree of the navigation: folders, their documents, and the pages within these. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { nestedPages, type PagesIn } from '../../space/documents/nested-pages.ts'
import {
  TREE_LOCATIONS,
  type TreeDocument,
  type TreeDocuments,
  treeDocuments,
} from '../../space/documents/tree-documents.ts'
import { type SuggestedDocuments, suggestedDocuments } from '../../space/proposals/suggested-documents.ts'
import { documentName } from '../documents/document-name.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import type { PageCall } from '../page-call.ts'
import { foldsOf } from '../page-cookies.ts'
import type { ShownPage } from '../page-declaration.ts'
import type { FolderEntry } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { text, textKey } from '../texts/text.ts'

export interface DocumentTree {
  folders: FolderEntry[]
  /** The IDs of open folders, and open locations. */
  open: ReadonlySet<string>
  /** The documents of open folders and locations, or those that the link exposes. */
  documents: TreeDocuments['documents']
  /** How many more the link exposes. */
  moreDocuments: number
  /** The pages within documents and pages, by the ID of what contains them. */
  nested: ReadonlyMap<string, PagesIn>
  suggested: SuggestedDocuments
}

/** Maximum number of documents to list in each place, and of folders. */
const LISTED = 30
const LISTED_FOLDERS = 100
/** The place of the documents that a link exposes. */
const EXPOSED = 'exposed'

/** What the page shows: its folder, its document and the page in it, which are open unless somebody closed them. */
export type TreePlace = Pick<ShownPage, 'folderId' | 'documentId' | 'nestedId'>

export async function readTree(call: PageCall, shown: TreePlace): Promise<DocumentTree> {
  const tree: DocumentTree = {
    folders: [],
    open: new Set(),
    documents: new Map(),
    moreDocuments: 0,
    nested: new Map(),
    suggested: await readSuggested(call),
  }
  if (call.has('folders_list')) {
    tree.folders = (await call.run('folders_list')).items
    Object.assign(tree, await readOpen(call, tree.folders, shown))
  }
  if (call.kind === 'selected' && call.has('documents_list')) {
    const { items, pagination } = await call.run('documents_list', { limit: LISTED })
    tree.documents = new Map([[EXPOSED, items]])
    tree.moreDocuments = pagination?.remaining ?? 0
  }
  tree.nested = await readNested(call, tree, shown)
  return tree
}

/** What is open in the tree: what somebody opened, and where the page is, unless somebody closed it. */
async function readOpen(
  call: PageCall,
  folders: readonly FolderEntry[],
  { folderId, documentId }: TreePlace,
): Promise<Pick<DocumentTree, 'open' | 'documents'>> {
  const folds = foldsOf(call)
  const open = new Set<string>()
  const addOpen = (folder: FolderEntry) => {
    if (!(folds.get(folder.id) ?? holds(folder, folderId))) return
    open.add(folder.id)
    for (const inner of folder.folders) addOpen(inner)
  }
  for (const folder of folders) if (!isLocation(folder.id)) addOpen(folder)
  const { space, link } = call.request.caller
  const { documents, location } = await space.read(link, (view) =>
    treeDocuments(view, {
      folders: [...open],
      isOpen: (location, holdsShown) => folds.get(location) ?? holdsShown,
      documentId,
      limit: LISTED,
    }),
  )
  for (const one of TREE_LOCATIONS) if (folds.get(one) ?? one === location) open.add(one)
  return { open, documents }
}

const readSuggested = ({ request: { caller } }: PageCall): Promise<SuggestedDocuments> =>
  caller.space.read(caller.link, suggestedDocuments)

async function readNested(
  call: PageCall,
  { documents, nested }: DocumentTree,
  { documentId, nestedId }: TreePlace,
): Promise<DocumentTree['nested']> {
  const { space, link } = call.request.caller
  const ids = [...documents.values()].flatMap((listed) => listed.map(({ id }) => id))
  if (ids.length === 0) return nested
  return space.read(link, (view) => nestedPages(view, { documents: ids, folds: foldsOf(call), documentId, nestedId }))
}

/** Locations other than folders, and the titles of their pages. */
export const LOCATIONS = {
  unsorted: textKey('Unsorted'),
  templates: textKey('Templates'),
  trash: textKey('Trash'),
} as const
const LOCATION_ICONS = { unsorted: 'unsorted', templates: 'template', trash: 'trash' } as const
const isLocation = (id: string): id is keyof typeof LOCATIONS => Object.hasOwn(LOCATIONS, id)

/** What the tree marks. */
export interface TreeMarks {
  current: string
  folderId?: string | undefined
  documentId?: string | undefined
  /** The page within the document that is open. */
  nestedId?: string | undefined
  /** Documents that someone is writing in, with the name of the author. */
  writing: ReadonlyMap<string, string>
  /** The script that moves documents; undefined if the link may not. */
  tree: string | undefined
  /** The script that opens folders in place. */
  folds: string
}

interface NavigationEntry {
  path: string
  icon: IconName
  name: string
  /** Such as a number behind the name. */
  about: Html | string
  isCurrent: boolean
}

/** @param fold  what stands before its link  @param below  what stands below it */
export const entryHtml = (
  call: PageCall,
  { path, icon, name, about, isCurrent }: NavigationEntry,
  fold: Html | false = false,
  below: Html | false = false,
): Html =>
  html`<li>${fold}<a href="${call.href(path)}"${isCurrent && html` aria-current="page"`}>${call.icon(icon, html`<span class="name">${name}</span>`)}${about !== '' && html` <span class="n">${about}</span>`}</a>${below}</li>`

/** The entries of the list. */
export function treeHtml(call: PageCall, tree: DocumentTree, marks: TreeMarks): Html {
  const { folders } = tree
  const own = folders.filter(({ id }) => !isLocation(id))
  const builtIn = folders.filter(({ id, documentCount }) => isLocation(id) && (id !== 'templates' || documentCount > 0))
  return html`${call.kind === 'selected' && documentsHtml(call, tree, { place: EXPOSED, path: '/documents', more: tree.moreDocuments }, marks)}${proposedHtml(call, tree.suggested)}
${foldersHtml(call, own, '/documents', tree, marks)}
${builtIn.map(({ id, documentCount }) => isLocation(id) && locationHtml(call, id, documentCount, tree, marks))}`
}

/** Without scripts, the buttons send this form, and the page is shown again. */
export const foldForm = (call: PageCall): Html | false =>
  call.has('documents_list') &&
  html`<form id="fold" method="post" action="${call.href('/tree')}" hidden>${call.tokenField()}</form>`

interface Fold {
  /** The ID of a folder, document or page, or a location. */
  place: string
  label: string
  isOpen: boolean
}

/** The triangle before a name, which shows and hides what is in it. */
const foldButton = (call: PageCall, { place, label, isOpen }: Fold, { folds }: TreeMarks): Html =>
  html`<button class="fold" form="fold" id="fold-${place}" name="${isOpen ? 'close' : 'open'}" value="${place}" aria-expanded="${isOpen ? 'true' : 'false'}" aria-label="${label}" data-script="${folds}">${call.icon('chevron-right')}</button>`

const contentsOf = (name: string): string => text('Contents of {name}', { name })

function locationHtml(
  call: PageCall,
  id: keyof typeof LOCATIONS,
  documentCount: number,
  tree: DocumentTree,
  marks: TreeMarks,
): Html {
  const [path, name, isOpen] = [`/${id}`, text(LOCATIONS[id]), tree.open.has(id)]
  const about = call.formats.number(documentCount)
  const entry = { path, icon: LOCATION_ICONS[id], name, about, isCurrent: path === marks.current }
  if (id === 'trash' || documentCount === 0) return entryHtml(call, entry)
  const listed = { place: id, path, more: documentCount - (tree.documents.get(id)?.length ?? 0) }
  return entryHtml(
    call,
    entry,
    foldButton(call, { place: id, label: contentsOf(name), isOpen }, marks),
    isOpen && html`<ul>${documentsHtml(call, tree, listed, marks)}</ul>`,
  )
}

/** @param path  of the page that lists all of them */
function foldersHtml(
  call: PageCall,
  folders: readonly FolderEntry[],
  path: string,
  tree: DocumentTree,
  marks: TreeMarks,
): Html {
  const shown = folders.filter((one, index) => index < LISTED_FOLDERS || holds(one, marks.folderId))
  const more = folders.length - shown.length
  return html`${shown.map((one) => folderHtml(call, one, tree, marks))}${
    more > 0 &&
    html`<li><a class="more" href="${call.href(path)}">${more === 1 ? text('1 more folder') : text('{more} more folders', { more: call.formats.number(more) })}</a></li>`
  }`
}

/** The menu of an entry: a page of its own without scripts. */
const entryMenu = (call: PageCall, path: string, name: string, { tree }: TreeMarks): Html | false =>
  tree !== undefined &&
  html`<a class="entry-menu" href="${call.href(`${path}/actions`)}" data-script="${tree}" aria-haspopup="menu" aria-label="Actions for ${name}">${call.icon('more')}</a>`

const holds = ({ folders, id }: FolderEntry, wanted: string | undefined): boolean =>
  id === wanted || folders.some((inner) => holds(inner, wanted))

function folderHtml(call: PageCall, folder: FolderEntry, tree: DocumentTree, marks: TreeMarks): Html {
  const { id, name, documentCount, folders } = folder
  const isOpen = tree.open.has(id)
  const path = `/folders/${id}`
  const listed = { place: id, path, more: documentCount - (tree.documents.get(id)?.length ?? 0) }
  return html`<li>${documentCount + folders.length > 0 && foldButton(call, { place: id, label: contentsOf(name), isOpen }, marks)}<a href="${call.href(path)}"${path === marks.current && html` aria-current="page"`}>${call.icon(isOpen ? 'folder-open' : 'folder', html`<span class="name">${name}</span>`)} <span class="n">${call.formats.number(documentCount)}</span></a>${entryMenu(call, path, name, marks)}${
    isOpen && html`<ul>${foldersHtml(call, folders, path, tree, marks)}${documentsHtml(call, tree, listed, marks)}</ul>`
  }</li>
`
}

interface ListedPlace {
  place: string
  /** The page that lists all of them. */
  path: string
  /** How many are not listed here. */
  more: number
}

function documentsHtml(call: PageCall, tree: DocumentTree, { place, path, more }: ListedPlace, marks: TreeMarks): Html {
  const { suggested } = tree
  const documents: readonly TreeDocument[] = tree.documents.get(place) ?? []
  return html`${documents.map((document) => {
    const writer = marks.writing.get(document.id)
    const about = html`${writer !== undefined && html` <span class="dot" role="img" title="${writer} is writing here" aria-label="${writer} is writing here"></span>`}${suggestedHtml(suggested.counts.get(document.id))}`
    return html`${pageHtml(call, tree, document, marks, about)}
`
  })}${moreHtml(call, path, more)}`
}

/** @param path  of the page that lists all of them */
const moreHtml = (call: PageCall, path: string, more: number): Html | false =>
  more > 0 && html`<li><a class="more" href="${call.href(path)}">${call.formats.number(more)} more</a></li>`

/** A document, or a page within one, with the pages within it. @param about  what stands beside its name */
function pageHtml(call: PageCall, tree: DocumentTree, page: TreeDocument, marks: TreeMarks, about?: Html): Html {
  const { id, title } = page
  const { documentId, nestedId = documentId } = marks
  const [path, name] = [`/d/${id}`, shownTitle(title)]
  const { count, isOpen, pages } = tree.nested.get(id) ?? NO_PAGES
  const label = text('Pages in {name}', { name })
  return html`<li>${count > 0 && foldButton(call, { place: id, label, isOpen }, marks)}<a href="${call.links.block(id)}"${id === nestedId && html` aria-current="page"`}>${documentName(call, title)}${about}</a>${entryMenu(call, path, name, marks)}${
    count > 0 &&
    isOpen &&
    html`<ul class="nested">${pages.map((one) => pageHtml(call, tree, one, marks))}${moreHtml(call, path, count - pages.length)}</ul>`
  }</li>`
}

/** Of a page that is not open. */
const NO_PAGES: PagesIn = { count: 0, isOpen: false, pages: [] }

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
