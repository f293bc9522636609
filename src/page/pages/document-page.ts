/** Shows a document, or a page within one. */

import { ScriptoriumError } from '../../base/errors.ts'
import { hasTitle } from '../../markdown/block-traits.ts'
import { shownTitle, UNTITLED } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { assetPath } from '../assets.ts'
import type { BlockContext } from '../blocks/block-context.ts'
import { BlockWriter, linkedFromHtml, titleHtml, titleOf, titleText } from '../blocks/block-writer.ts'
import { propertiesHtml } from '../blocks/properties-html.ts'
import type { RowSuggestions } from '../collections/collection-entries.ts'
import { collectionHtml } from '../collections/collection-html.ts'
import { blockForms } from '../documents/block-forms.ts'
import { documentBarHtml } from '../documents/document-bar.ts'
import { type DocumentCalls, readDocumentCalls } from '../documents/document-calls.ts'
import { coverHtml } from '../documents/document-cover.ts'
import { restoreForm } from '../documents/restore-form.ts'
import { documentEntry, trashedHtml } from '../documents/trashed-notice.ts'
import { addressOf } from '../form-page.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { type PageCall, undefinedIfNotFound } from '../page-call.ts'
import type { Page, PageAnswer } from '../page-declaration.ts'
import type { DocumentEntry } from '../page-tools.ts'
import type { DocumentSuggestions } from '../suggestions/document-suggestions.ts'
import { showProposedDocument } from '../suggestions/proposed-document.ts'
import { ownTone, readSuggestions } from '../suggestions/read-suggestions.ts'
import { styleHtml } from '../suggestions/suggestion-html.ts'
import { text } from '../texts/text.ts'
import { commentFormHtml } from './comment-forms.ts'
import { tickFormHtml } from './task-pages.ts'

/** Blocks in the first part, which appears before the next part is read, and in each later part. */
const FIRST_PART = 150
const LATER_PART = 2_000
/** Blocks after the first part, above which an open document is only reloaded on request. */
const REREAD_LIMIT = 1_000

export const documentPage: Page = {
  route: 'GET /d/:id',
  handle: (call) => showBlock(call, { id: call.params.id ?? '' }),
}

/** The block to show: by ID, or by the date of a daily note. */
export type Place = { id: string } | { date: string }

/** @param at  the point in time to show: a call or a time */
export async function showBlock(call: PageCall, place: Place, at?: string): Promise<PageAnswer> {
  const read = (cursor?: string) =>
    call.run('blocks_get', {
      ...place,
      maxDepth: 1,
      fetchMetadata: true,
      maxBlocks: cursor === undefined ? FIRST_PART : LATER_PART,
      ...(cursor !== undefined && { cursor }),
      ...(at !== undefined && { at }),
    })
  const root = await read().catch(undefinedIfNotFound)
  if (root === undefined) return absentPage(call, place)
  const elsewhere = pageOf(call, root)
  if (elsewhere !== undefined) return elsewhere
  const documentId = root.pageBlockPath?.[0]?.id ?? root.id
  const entry = await documentEntry(call, documentId)
  const calls = await readDocumentCalls(call, documentId)
  const suggestions =
    at === undefined ? await readSuggestions(call, { documentId, pageId: root.id, back: addressOf(call) }) : undefined
  const day = 'date' in place ? place.date : undefined
  return {
    title: shownTitle(titleText(root)),
    main: documentParts({ call, root, entry, calls, suggestions, documentId, read, at, day }),
    documentId,
    ...(root.id !== documentId && { nestedId: root.id }),
    folderId: entry?.folderId,
    scripts: [isEditable(call, at) ? 'edit' : 'reading'],
  }
}

/** A document that waits to be accepted is shown as it would be. */
async function absentPage(call: PageCall, place: Place): Promise<PageAnswer> {
  const proposed = 'id' in place ? await showProposedDocument(call, place.id) : undefined
  if (proposed !== undefined) return proposed
  throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such page here.')
}

/** Scripts edit no past states. */
export const isEditable = (call: PageCall, at: string | undefined): boolean =>
  at === undefined && (call.edits || call.suggests)

interface ReadDocument {
  call: PageCall
  root: JsonBlock
  entry: DocumentEntry | undefined
  calls: DocumentCalls
  suggestions: DocumentSuggestions | undefined
  documentId: string
  /** Reads the next part. */
  read(cursor: string): Promise<JsonBlock>
  at: string | undefined
  /** The day whose note it is, if it was opened by its day. */
  day: string | undefined
}

/** Streams a long document part by part, so that its beginning is readable before the rest is rendered. */
async function* documentParts(document: ReadDocument): AsyncGenerator<Html> {
  const { call, root, calls, suggestions, read, at } = document
  const writer = new BlockWriter(blockContext(call, root, calls, { at, back: addressOf(call), suggestions }))
  yield await documentStart(document)
  const { content = [] } = root
  if (suggestions !== undefined) yield suggestions.start()
  if (content.length === 0) yield emptyHtml(root)
  yield await writer.write(content)
  for (let next = root.pagination?.cursor; next !== undefined; ) {
    const part = await nextPart(read, next)
    if (part === undefined) {
      const address = `${call.request.base}${addressOf(call)}`
      yield html`${writer.end()}<p class="notice" role="status">This document was changed while it was read. <a href="${address}">Read it again</a></p>`
      break
    }
    yield await writer.write(part.content ?? [])
    next = part.pagination?.cursor
  }
  yield html`${writer.end()}
${suggestions?.rest()}${backlinksHtml(call, root)}
</article>
`
}

/** All above the blocks: the bar, the title, the values of an item, and forms. */
async function documentStart({
  call,
  root,
  entry,
  calls,
  suggestions,
  documentId,
  at,
  day,
}: ReadDocument): Promise<Html> {
  const isNow = at === undefined
  const isLong = (root.pagination?.remaining ?? 0) > REREAD_LIMIT
  const isEdited = isEditable(call, at)
  const collectionId = root.pageBlockPath?.at(-1)?.id
  const address = `${call.request.base}${addressOf(call)}`
  return html`${await documentBarHtml(call, root, entry, calls, { isNow, day, isEdited, suggested: suggestions?.count ?? 0 })}
${isNow && trashedHtml(call, entry)}
<article${isNow && html` data-document="${documentId}"${isEdited && editedHtml(call, root, entry)}${!isLong && !isEdited && html` hx-get="${address}" hx-select="article" hx-trigger="documentchange from:body" hx-swap="outerMorph" hx-status:404="target:#main select:#main swap:outerHTML"`}`}>
${isNow && isLong && !isEdited && html`<p class="notice" id="changed" role="status" hidden><span>This document was changed.</span> <a href="${address}">Read it again</a></p>`}
${await coverHtml(call, root)}<h1 dir="auto">${titleText(root).trim() === '' ? UNTITLED : titleHtml(root, call)}</h1>
${root.type === 'collectionItem' && (await propertiesHtml(call, root, { collectionId: collectionId ?? '', isEditable: isNow && call.has('items_update') && call.may('change'), at }))}
${at !== undefined && pastHtml(call, root, documentId, at, calls)}
${isNow && tickFormHtml(call, call.request.path)}
${isNow && commentFormHtml(call)}${isEdited && call.suggests && suggestingHtml(call)}${suggestions?.above()}
`
}

const suggestingHtml = (
  call: PageCall,
): Html => html`${styleHtml(call)}<p class="suggesting" role="note">You suggest: what you write waits until somebody accepts it.</p>
`

/** Reads the next part; undefined if the block at which it would start was deleted. */
async function nextPart(read: ReadDocument['read'], cursor: string): Promise<JsonBlock | undefined> {
  try {
    return await read(cursor)
  } catch (error) {
    if (error instanceof ScriptoriumError && error.code === 'CURSOR_INVALID') return undefined
    throw error
  }
}

/** The pages for blocks of a type, if it has its own. */
const OWN_PAGES: Readonly<Record<JsonBlock['type'], string | undefined>> = {
  ...{ collection: '/collections', whiteboard: '/whiteboards' },
  ...{ page: undefined, collectionItem: undefined, text: undefined, table: undefined, code: undefined },
  ...{ image: undefined, video: undefined, file: undefined, drawing: undefined, richUrl: undefined, line: undefined },
}

/** A block that is not a page is shown on the page that contains it. */
function pageOf(call: PageCall, { id, type, pageBlockPath = [], content }: JsonBlock): PageAnswer | undefined {
  const own = OWN_PAGES[type]
  if (own !== undefined) return { redirect: `${own}/${id}` }
  const isPage = hasTitle(type) || content !== undefined
  const around = pageBlockPath.at(-1)
  if (isPage || around === undefined) return undefined
  const query = call.query.size > 0 ? `?${call.query}` : ''
  return { redirect: `/d/${around.id}${query}#b${id}` }
}

/** The data that the editing script needs: the ID of the page, and its title if it may be changed. */
function editedHtml(call: PageCall, root: JsonBlock, entry: DocumentEntry | undefined): Html {
  const isNamedByDay = root.pageBlockPath === undefined && entry?.dailyNoteDate !== undefined
  return html` data-page="${root.id}"${call.suggests && html` data-suggest-tone="${ownTone(call)}"`} data-space="${call.request.caller.space.info.id}" data-connection="${call.request.caller.link.connection ?? ''}" data-tools="${assetPath(call.request.root, 'editing-tools.css')}" data-read="${new Date(call.request.now).toISOString()}"${!isNamedByDay && html` data-title="${titleText(root)}" data-title-attributes="${JSON.stringify(titleOf(root).attributes)}"`}`
}

interface ShownBlocks {
  /** The point in time that is shown, if it is not now. */
  at?: string | undefined
  /** The page to which its forms return. */
  back: string
  suggestions?: DocumentSuggestions | undefined
  /** Reads those for the rows of collections, where a script draws the others. */
  rowSuggestions?: () => Promise<RowSuggestions | undefined>
}

export function blockContext(
  call: PageCall,
  root: JsonBlock,
  calls: DocumentCalls,
  { at, back, suggestions, rowSuggestions }: ShownBlocks,
): BlockContext {
  const { links, formulas, formats } = call
  const isNow = at === undefined
  const mayItems = isNow && call.edits && !call.suggests && call.has('items_update')
  const timeOf = ({ metadata }: JsonBlock) => metadata?.lastModifiedAt ?? ''
  // In a new document, no blocks are marked as fresh.
  const marksFresh = isNow && !formats.isFresh(root.metadata?.createdAt ?? '')
  return {
    ...{ links, formulas, formats, pictures: call.pictures },
    mayChange: isNow && call.may('change'),
    ...(isNow && { forms: blockForms(call, back) }),
    suggestions,
    isEditable: isEditable(call, at),
    showsFiles: true,
    isFresh: (block) =>
      marksFresh && formats.isFresh(timeOf(block)) && calls.writerAt(timeOf(block))?.isProgram === true,
    writerOf: (block) => calls.writerAt(timeOf(block))?.name ?? block.metadata?.lastModifiedBy ?? '',
    collection: async (block) =>
      collectionHtml(call, block.id, {
        ...{ isEditable: mayItems, back, documentId: root.pageBlockPath?.[0]?.id ?? root.id },
        suggestions: suggestions ?? (await rowSuggestions?.()),
      }),
  }
}

const emptyHtml = ({ type }: JsonBlock): Html =>
  html`<p class="empty">${type === 'collectionItem' ? text('This item has no text.') : text('Nothing is written here yet. What you or an agent writes into this document shows up here.')}</p>`

/** Documents that link to this one. */
function backlinksHtml(call: PageCall, { metadata, pageBlockPath }: JsonBlock): Html {
  const { linkedFrom = [], hasMoreLinks } = metadata ?? {}
  if (linkedFrom.length === 0) return NOTHING
  const heading = pageBlockPath === undefined ? text('Links to this document') : text('Links to this page')
  return html`<footer class="backlinks"><h2>${heading}</h2>${linkedFromHtml(linkedFrom, hasMoreLinks === true, call.links)}</footer>`
}

/** A banner for past states, with a link to the current one. */
function pastHtml(call: PageCall, root: JsonBlock, documentId: string, at: string, calls: DocumentCalls): Html {
  const time = calls.timeOf(at)
  const moment = time === undefined ? text('at another moment') : html`at ${call.formats.moment(time)}`
  const { last } = calls
  // Calls of the same millisecond have the same time.
  const isLatest = last !== undefined && (time === at ? at >= last.at : at === last.callId)
  const label =
    root.id === documentId ? text('Restore this version') : text('Restore this version of the whole document')
  return html`<div class="notice past" role="note"><p>This is how it was ${moment}.</p>${!isLatest && restoreForm(call, documentId, at, label)}<p><a href="${call.links.block(root.id)}">As it is now</a> · <a href="${call.href(`/d/${documentId}/compare`, { from: at })}">Compare with now</a></p></div>`
}
