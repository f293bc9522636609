/** Lists of documents: the latest, a folder, Unsorted, the templates, the trash. */

import { placeBeforeTrash } from '../../space/documents/place-before-trash.ts'
import { isFullLink } from '../../space/model/access.ts'
import { folderCrumbs, folderPath } from '../documents/document-bar.ts'
import { menuHtml } from '../documents/document-menu.ts'
import { documentName } from '../documents/document-name.ts'
import { isShown } from '../documents/pinned-documents.ts'
import { documentEntry } from '../documents/trashed-notice.ts'
import { addressOf, formLink, goTo, isProposed } from '../form-page.ts'
import { barHtml, type Crumb } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { DocumentEntry, FolderEntry, ToolAnswer, ToolInput } from '../page-tools.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { IMPORT_PATH } from '../transfers/page-transfers.ts'

/** Documents per page of a list. */
const LISTED = 100

/** The documents of a list, from the cursor of the page on. */
export const listDocuments = (call: PageCall, query: ToolInput<'documents_list'>) => {
  const cursor = call.query.get('cursor')
  return call.run('documents_list', {
    fetchMetadata: true,
    limit: LISTED,
    ...query,
    ...(cursor !== null && { cursor }),
  })
}

export const documentsPage: Page = {
  route: 'GET /documents',
  needs: ['documents_list'],
  async handle(call) {
    const listed = await listDocuments(call, { orderBy: 'modified' })
    const listing = { ...listed, items: listed.items.filter(isShown) }
    const main = html`${newBarHtml(call)}<div class="page"><h1>Documents</h1>
${documentListHtml(call, listing, {
  path: '/documents',
  empty: text('Documents show up here, the last changed first. Agents add them with documents_add.'),
})}</div>`
    return { title: text('Documents'), main, current: '/documents', scripts: ['unsent'] }
  },
}

export const folderPage: Page = {
  route: 'GET /folders/:id',
  needs: ['folders_list'],
  async handle(call) {
    const id = call.params.id ?? ''
    const { items } = await call.run('folders_list')
    const path = folderPath(items, id)
    const folder = path.at(-1)
    // An unknown folder produces an error here.
    const listing = await listDocuments(call, { folderId: id, orderBy: 'modified' })
    const name = folder?.name ?? text('Folder')
    const outer = path.slice(0, -1)
    const main = html`${newBarHtml(call, folderCrumbs(call, outer), id)}
<div class="page"><h1>${name}</h1>
${
  folder !== undefined &&
  folder.folders.length > 0 &&
  html`<ul class="folders">${folder.folders.map(
    (inner) =>
      html`<li><a href="${call.href(`/folders/${inner.id}`)}">${call.icon('folder', inner.name)}</a> <span class="n">${call.formats.number(inner.documentCount)}</span></li>`,
  )}</ul>`
}
${documentListHtml(call, listing, { path: `/folders/${id}`, empty: text('Documents of this folder show up here. Make one here, or move others here with “Move…” in their menu.'), subfolders: pathsOf(folder?.folders ?? []) })}</div>`
    return { title: name, main, current: `/folders/${id}`, folderId: id }
  },
}

/** The names of folders within a folder, with those between them, by ID. */
function pathsOf(folders: readonly FolderEntry[], outer: readonly string[] = []): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>()
  for (const { id, name, folders: inner } of folders) {
    const path = [...outer, name]
    paths.set(id, path)
    for (const [id, names] of pathsOf(inner, path)) paths.set(id, names)
  }
  return paths
}

/** Buttons to create something here. @param folderId  the folder that is shown */
function newBarHtml(call: PageCall, crumbs: readonly Crumb[] = [], folderId?: string): Html {
  const canAdd = call.may('add')
  const query = { folder: folderId }
  const acts = html`${
    folderId !== undefined &&
    call.has('folders_update') &&
    call.may('change') &&
    formLink(call, `/folders/${folderId}/edit`, call.icon('rename', text('Edit folder…')), { variant: 'button plain' })
  }
${canAdd && call.has('folders_add') && formLink(call, '/folders/new', call.icon('folder-plus', text('New folder…')), { variant: 'button plain', query })}
${canAdd && call.has('documents_add') && formLink(call, '/documents/new', call.icon('file-plus', text('New document…')), { query, key: 'c' })}
${menuHtml('place-menu', call.icon('more', text('More')), transferLinks(call, query))}`
  return barHtml(crumbs, acts)
}

/** Not in dialogs, since their forms send and save files. @param query  the folder */
const transferLinks = (call: PageCall, query: { folder: string | undefined }): Html[] => [
  ...(isFullLink(call.request.caller.link)
    ? [html`<a href="${call.href(IMPORT_PATH, query)}">${call.icon('upload', text('Import…'))}</a>`]
    : []),
  html`<a href="${call.href('/export', query)}">${call.icon('export', text('Export…'))}</a>`,
]

const locationPage = (location: 'unsorted' | 'templates', title: TextKey, empty: TextKey): Page => ({
  route: `GET /${location}`,
  needs: ['folders_list'],
  async handle(call): Promise<ShownPage> {
    const listing = await listDocuments(call, { location, orderBy: 'modified' })
    const folderId = location === 'templates' ? location : undefined
    const main = html`${barHtml([], call.may('add') && call.has('documents_add') && formLink(call, '/documents/new', call.icon('file-plus', text('New document…')), { query: { folder: folderId }, key: 'c' }))}<div class="page"><h1>${title}</h1>${documentListHtml(call, listing, { path: `/${location}`, empty: `${empty}` })}</div>`
    return { title: `${title}`, main, current: `/${location}` }
  },
})

export const unsortedPage = locationPage(
  'unsorted',
  textKey('Unsorted'),
  textKey('New documents that go into no folder show up here.'),
)

export const templatesPage = locationPage(
  'templates',
  textKey('Templates'),
  textKey('Documents that others are made from show up here.'),
)

export const trashPage: Page = {
  route: 'GET /trash',
  needs: ['folders_list'],
  async handle(call) {
    const listing = await listDocuments(call, { location: 'trash', orderBy: 'modified' })
    const main = html`<div class="page"><h1>Trash</h1>
<p class="about">Documents here keep everything in them until somebody empties the trash.</p>
${call.managesSpace && listing.items.length > 0 && html`<div class="acts"><a class="button" href="${call.href('/trash/empty')}">${call.icon('trash', text('Empty the trash…'))}</a></div>`}
${documentListHtml(call, listing, { path: '/trash', empty: text('Deleted documents show up here, and can be restored.'), restores: true })}</div>`
    return { title: text('Trash'), main, current: '/trash' }
  },
}

/** Restores a document from the trash to where it was, or to Unsorted; a daily note returns to its day. */
export const restoreDocument: Page = {
  route: 'POST /trash/restore',
  needs: ['documents_move'],
  async handle(call) {
    const id = call.form.get('document') ?? ''
    const path = `/d/${encodeURIComponent(id)}`
    const entry = await documentEntry(call, id)
    // Restored meanwhile, and perhaps moved since.
    if (entry !== undefined && entry.location !== 'trash') return goTo(path)
    const { space, link } = call.request.caller
    const place = await space.read(link, async (view) => placeBeforeTrash(view, await view.readId(id)))
    const destination = place ?? { destination: 'unsorted' }
    const answer = await call.run('documents_move', { documentIds: [id], destination })
    if (isProposed(answer)) return goTo(path, 'proposed')
    return goTo(path, place === undefined ? 'moved-to-unsorted' : 'moved')
  },
}

interface ListOptions {
  path: string
  query?: Readonly<Record<string, string>>
  empty: string
  /** True to show the place of each document. */
  showsPlace?: true
  /** True to offer restoring each document. */
  restores?: true
  /** The folders within the one that is listed, by ID: each document says in which of them it is. */
  subfolders?: ReadonlyMap<string, readonly string[]>
}

export function documentListHtml(
  call: PageCall,
  { items, pagination }: ToolAnswer<'documents_list'>,
  options: ListOptions,
): Html {
  const content =
    items.length === 0
      ? html`<p class="empty">${options.empty}</p>`
      : html`<ul class="documents">${items.map((entry) => entryHtml(call, entry, options))}</ul>`
  return html`<div id="list" hx-get="${call.request.base}${addressOf(call)}" hx-select="#list" hx-trigger="spacechange from:body" hx-swap="outerMorph">${content}</div>
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href(options.path, { ...options.query, cursor: pagination.cursor })}">${call.formats.number(pagination.remaining)} more</a></p>`}`
}

function entryHtml(call: PageCall, entry: DocumentEntry, { showsPlace, restores, subfolders }: ListOptions): Html {
  const { id, title, isDeleted, lastModifiedAt, dailyNoteDate, location, folderId = '' } = entry
  const subfolder = subfolders?.get(folderId)
  const place =
    isDeleted || location === 'trash' ? text('Trash') : dailyNoteDate !== undefined ? text('Daily note') : ''
  const canRestore = restores && call.may('change') && call.has('documents_move')
  return html`<li><a href="${call.links.block(id)}">${documentName(call, title, dailyNoteDate === undefined ? 'file' : 'calendar-days')}</a>${showsPlace && place !== '' && html` <span class="tag">${place}</span>`}${
    subfolder !== undefined &&
    html` <a class="n" href="${call.href(`/folders/${folderId}`)}">${call.icon('folder', subfolder.join(' / '))}</a>`
  }
<span class="right">${lastModifiedAt !== undefined && html`<span class="n">${call.formats.time(lastModifiedAt)}</span>`}${
    canRestore &&
    html`<form method="post" action="${call.href('/trash/restore')}">${call.tokenField()}<input type="hidden" name="document" value="${id}"><button aria-label="Restore ${title}">${call.icon('restore', text('Restore'))}</button></form>`
  }</span></li>
`
}
