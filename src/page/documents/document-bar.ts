/** The bar above a document: its place, its last author, and actions. */

import { shownTitle } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { lastEditHtml } from '../frame/activity.ts'
import { barHtml, type Crumb } from '../frame/bar.ts'
import { LOCATIONS } from '../frame/navigation.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import { wordHtml } from '../icons.ts'
import type { PageCall } from '../page-call.ts'
import type { DocumentEntry, FolderEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import type { DocumentCalls } from './document-calls.ts'
import { documentMenuHtml } from './document-menu.ts'

interface Shown {
  /** True if the current state is shown. */
  isNow: boolean
  /** True if a script edits the document. */
  isEdited: boolean
  /** The number of suggestions that wait. */
  suggested: number
}

export async function documentBarHtml(
  call: PageCall,
  root: JsonBlock,
  entry: DocumentEntry | undefined,
  calls: DocumentCalls,
  { isNow, isEdited, suggested }: Shown,
): Promise<Html> {
  const path = root.pageBlockPath ?? []
  const documentId = path[0]?.id ?? root.id
  const { last } = calls
  return barHtml(
    [...(await placeCrumbs(call, entry)), ...pageCrumbs(call, path)],
    html`${entry?.lockedBy !== undefined && html`<span class="tag" title="Agents can read it, and change nothing in it">Locked by ${entry.lockedBy}</span>`}${isNow && last !== undefined && lastEditHtml(call, last)}
${suggested > 0 && html`<a class="tag" href="#suggestions">${suggested === 1 ? text('1 suggestion') : text('{suggested} suggestions', { suggested: call.formats.number(suggested) })}</a>`}${isEdited && call.edits && modesHtml(call)}
<button class="plain js" data-toggle="show-who" aria-pressed="false" title="${text('Who wrote what')}">${call.icon('who', wordHtml(text('Who wrote what')))}</button>
${isNow && entry !== undefined && call.management !== undefined && html`<a class="button" href="${call.href('/links/new', { document: documentId })}" title="${text('Share')}">${call.icon('share', wordHtml(text('Share')))}</a>`}
${isNow && call.has('comments_list') && html`<a class="button" href="${call.href(`/d/${documentId}/comments`)}" title="${text('Comments')}">${call.icon('comment', wordHtml(text('Comments')))}</a>`}
<a class="button" href="${call.href(`/d/${documentId}/history`)}" data-key="h" title="${text('History')}">${call.icon('history', wordHtml(text('History')))}</a>
${isNow && documentMenuHtml(call, root, entry, isEdited)}`,
  )
}

/** What one writes takes effect at once, or waits until somebody accepts it. */
function modesHtml(call: PageCall): Html {
  const { path } = call.request
  const mode = (icon: IconName, name: string, suggests: boolean) =>
    html`<a class="button plain" href="${call.href(path, suggests ? { suggest: 'yes' } : {})}"${call.suggests === suggests && html` aria-current="page"`} title="${name}">${call.icon(icon, wordHtml(name))}</a>`
  return html`<nav class="js" aria-label="What you write">${mode('pen', text('Edit'), false)}${mode('suggest', text('Suggest'), true)}</nav>`
}

/** The pages that contain a block. */
export const pageCrumbs = (call: PageCall, path: readonly { id: string; content: string }[]): Crumb[] =>
  path.map(({ id, content }) => ({ href: call.links.block(id), name: shownTitle(content) }))

/** The folders that contain a document, or its location. */
async function placeCrumbs(call: PageCall, entry: DocumentEntry | undefined): Promise<Crumb[]> {
  if (entry === undefined) return []
  if (entry.dailyNoteDate !== undefined) return [{ href: call.href('/days'), name: text('Daily notes') }]
  const location = entry.location as keyof typeof LOCATIONS | undefined
  if (entry.folderId === undefined) {
    const name = location && LOCATIONS[location]
    return name === undefined ? [] : [{ href: call.href(`/${location}`), name }]
  }
  const { items } = await call.run('folders_list')
  return folderCrumbs(call, folderPath(items, entry.folderId))
}

export const folderCrumbs = (call: PageCall, folders: readonly FolderEntry[]): Crumb[] =>
  folders.map(({ id, name }) => ({ href: call.href(`/folders/${id}`), name }))

/** The folders from the outermost to the given one; empty if it does not exist. */
export function folderPath(folders: readonly FolderEntry[], id: string): FolderEntry[] {
  for (const folder of folders) {
    if (folder.id === id) return [folder]
    const inner = folderPath(folder.folders, id)
    if (inner.length > 0) return [folder, ...inner]
  }
  return []
}
