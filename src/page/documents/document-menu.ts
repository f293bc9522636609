/** The menu with actions for a whole document, or for a page or a row within one. It is a popover, which also works without scripts. */

import type { JsonBlock } from '../../space/model/json-block.ts'
import { buttonForm, formLink } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { wordHtml } from '../icons.ts'
import type { PageCall } from '../page-call.ts'
import type { DocumentEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { coverLink } from './document-cover.ts'
import { pinButton } from './pinned-documents.ts'

/**
 * @param root  a document, or a page or a row within one
 * @param entry  of the document; undefined for the inbox and the logbook, and if the link cannot list documents
 * @param isEdited  true if a script edits it
 * @param folded  what stands above the document where there is room for it
 */
export function documentMenuHtml(
  call: PageCall,
  root: JsonBlock,
  entry: DocumentEntry | undefined,
  isEdited: boolean,
  folded: readonly Html[],
): Html | false {
  if (entry?.location === 'trash' || entry?.isDeleted) return false
  const [document] = root.pageBlockPath ?? []
  const entries =
    document === undefined
      ? [
          ...(entry === undefined ? [] : [isEdited && selectButton(call), ...documentActions(call, entry)]),
          entry !== undefined && coverLink(call, root),
          ...savingLinks(call, root.id, text('Export…'), text('Print…')),
        ]
      : [
          isEdited && selectButton(call),
          ...innerPageActions(call, root),
          ...savingLinks(call, document.id, text('Export the document…'), text('Print the document…')),
        ]
  const offered = entries.filter((one) => one !== false)
  return menuHtml(DOCUMENT_MENU, call.icon('more', wordHtml(text('More'))), offered, folded)
}

/** Exports and prints have whole documents. */
const savingLinks = (call: PageCall, document: string, exporting: string, printing: string): Html[] => [
  html`<a href="${call.href('/export', { document })}">${call.icon('export', exporting)}</a>`,
  html`<a href="${call.href(`/d/${document}/print`)}" target="_blank">${call.icon('print', printing)}</a>`,
]

const selectButton = (call: PageCall): Html =>
  html`<button class="js" type="button" data-select popovertarget="${DOCUMENT_MENU}" popovertargetaction="hide">${call.icon('select', text('Select blocks'))}</button>`

function documentActions(call: PageCall, entry: DocumentEntry): (Html | false)[] {
  const { id, dailyNoteDate, folderId, location } = entry
  const back = folderId !== undefined ? `/folders/${folderId}` : location === 'unsorted' ? '/unsorted' : '/'
  return [
    dailyNoteDate === undefined &&
      call.has('documents_move') &&
      call.may('change') &&
      formLink(call, `/d/${id}/move`, call.icon('move', text('Move…')), { variant: '' }),
    dailyNoteDate === undefined && iconLink(call, id),
    call.edits && pinButton(call, id),
    location === 'templates' &&
      call.has('documents_add') &&
      call.may('add') &&
      formLink(call, '/documents/new', call.icon('file-plus', text('New document from this…')), {
        variant: '',
        query: { template: id },
      }),
    reminderLink(call, id),
    ...addingActions(call, id, back),
    call.has('documents_lock') &&
      call.may('change') &&
      buttonForm(call, {
        ...{ action: `/d/${id}/lock`, back, fields: { locked: entry.lockedBy === undefined ? 'yes' : 'no' } },
        label:
          entry.lockedBy === undefined
            ? call.icon('lock', text('Lock against agents'))
            : call.icon('unlock', text('Unlock for agents')),
      }),
    call.has('documents_delete') &&
      call.may('delete') &&
      buttonForm(call, { action: `/d/${id}/trash`, label: call.icon('trash', text('Move to the trash')), back }),
  ]
}

/** What concerns a page or a row within a document. */
function innerPageActions(call: PageCall, root: JsonBlock): (Html | false)[] {
  const { id, type, pageBlockPath = [] } = root
  const around = `/d/${pageBlockPath.at(-1)?.id}`
  return [
    ...(type === 'page' ? [movePageLink(call, id), iconLink(call, id)] : []),
    coverLink(call, root),
    reminderLink(call, id),
    ...addingActions(call, id, around),
    type === 'page' && deletePageButton(call, id, around),
    // Rows stay in their collection: no tool moves them out of it.
    type === 'collectionItem' && deleteRowButton(call, pageBlockPath.at(-1)?.id ?? '', id),
  ]
}

const reminderLink = (call: PageCall, id: string): Html | false =>
  call.has('reminders_add') &&
  call.may('add') &&
  formLink(call, '/reminders/new', call.icon('reminder', text('Remind me…')), { variant: '', query: { block: id } })

/** Adds to the end of a document, or of a page within one. */
const addingActions = (call: PageCall, id: string, back: string): (Html | false)[] => [
  mayAdd(call) &&
    buttonForm(call, {
      action: `/d/${id}/whiteboards`,
      label: call.icon('whiteboard', text('New whiteboard')),
      back,
    }),
  mayAdd(call) &&
    formLink(call, `/d/${id}/collections/new`, call.icon('collection', text('New collection…')), { variant: '' }),
]

/** Leads to the form that moves a page to another document. @param back  the page that it returns to */
export const movePageLink = (call: PageCall, id: string, back?: string): Html | false =>
  call.has('blocks_move') &&
  call.has('documents_list') &&
  call.may('change') &&
  formLink(call, `/d/${id}/move-page`, call.icon('move', text('Move…')), {
    variant: '',
    ...(back !== undefined && { back }),
  })

export const deletePageButton = (call: PageCall, id: string, back: string): Html | false =>
  call.has('blocks_delete') &&
  call.may('delete') &&
  buttonForm(call, { action: `/d/${id}/delete`, label: call.icon('trash', text('Delete the page')), back })

const deleteRowButton = (call: PageCall, collectionId: string, id: string): Html | false =>
  call.has('items_delete') &&
  call.may('delete') &&
  buttonForm(call, {
    action: `/collections/${collectionId}/items/${id}/delete`,
    label: call.icon('trash', text('Delete the row')),
    back: `/collections/${collectionId}`,
  })

/** Leads to the form for the icon, for those who may change it. @param back  the page that it returns to */
export const iconLink = (call: PageCall, id: string, back?: string): Html | false =>
  call.has('blocks_update') &&
  call.may('change') &&
  formLink(call, `/d/${id}/icon`, call.icon('emoji', text('Icon…')), {
    variant: '',
    ...(back !== undefined && { back }),
  })

/** The ID of the menu. */
export const DOCUMENT_MENU = 'document-menu'

const mayAdd = (call: PageCall): boolean => call.may('add') && call.has('blocks_add')

/**
 * @param id  of its element
 * @param folded  entries that are only there where the bar above has no room for them
 */
export function menuHtml(
  id: string,
  name: Html | string,
  entries: readonly Html[],
  folded: readonly Html[] = [],
): Html | false {
  if (entries.length === 0) return false
  return html`<button class="plain" popovertarget="${id}">${name}</button><div popover id="${id}" class="menu"><ul>${folded.map((one) => html`<li class="when-narrow">${one}</li>`)}${entries.map((one) => html`<li>${one}</li>`)}</ul></div>`
}
