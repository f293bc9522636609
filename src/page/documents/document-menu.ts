/** The menu with actions for a whole document. It is a popover, which also works without scripts. */

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
 * @param entry  of the document; undefined for the inbox and the logbook, and if the link cannot list documents
 * @param isEdited  true if a script edits it
 */
export function documentMenuHtml(
  call: PageCall,
  root: JsonBlock,
  entry: DocumentEntry | undefined,
  isEdited: boolean,
): Html | false {
  const isDocument = root.pageBlockPath === undefined || root.pageBlockPath.length === 0
  if (!isDocument || entry?.location === 'trash' || entry?.isDeleted) return false
  const exporting = html`<a href="${call.href('/export', { document: root.id })}">${call.icon('export', text('Export…'))}</a>`
  const printing = html`<a href="${call.href(`/d/${root.id}/print`)}" target="_blank">${call.icon('print', text('Print…'))}</a>`
  const actions = entry === undefined ? [] : documentActions(call, entry, isEdited)
  const covering = entry === undefined ? false : coverLink(call, root)
  const entries = [...actions, covering, exporting, printing].filter((one) => one !== false)
  return menuHtml(MENU, call.icon('more', wordHtml(text('More'))), entries)
}

function documentActions(call: PageCall, entry: DocumentEntry, isEdited: boolean): Html[] {
  const { id, dailyNoteDate, folderId, location } = entry
  const back = folderId !== undefined ? `/folders/${folderId}` : location === 'unsorted' ? '/unsorted' : '/'
  return [
    isEdited &&
      html`<button class="js" type="button" data-select popovertarget="${MENU}" popovertargetaction="hide">${call.icon('select', text('Select blocks'))}</button>`,
    dailyNoteDate === undefined &&
      call.has('documents_move') &&
      call.may('change') &&
      formLink(call, `/d/${id}/move`, call.icon('move', text('Move…')), { variant: '' }),
    dailyNoteDate === undefined && iconLink(call, id),
    call.edits && location !== 'trash' && pinButton(call, id),
    location === 'templates' &&
      call.has('documents_add') &&
      call.may('add') &&
      formLink(call, '/documents/new', call.icon('file-plus', text('New document from this…')), {
        variant: '',
        query: { template: id },
      }),
    call.has('reminders_add') &&
      call.may('add') &&
      formLink(call, '/reminders/new', call.icon('reminder', text('Remind me…')), {
        variant: '',
        query: { block: id },
      }),
    mayAdd(call) &&
      buttonForm(call, {
        action: `/d/${id}/whiteboards`,
        label: call.icon('whiteboard', text('New whiteboard')),
        back,
      }),
    mayAdd(call) &&
      formLink(call, `/d/${id}/collections/new`, call.icon('collection', text('New collection…')), { variant: '' }),
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
  ].filter((one) => one !== false)
}

/** Leads to the form for the icon, for those who may change it. @param back  the page that it returns to */
export const iconLink = (call: PageCall, id: string, back?: string): Html | false =>
  call.has('blocks_update') &&
  call.may('change') &&
  formLink(call, `/d/${id}/icon`, call.icon('emoji', text('Icon…')), {
    variant: '',
    ...(back !== undefined && { back }),
  })

/** The ID of the menu. */
const MENU = 'document-menu'

const mayAdd = (call: PageCall): boolean => call.may('add') && call.has('blocks_add')

/** @param id  of its element */
export function menuHtml(id: string, name: Html | string, entries: readonly Html[]): Html | false {
  if (entries.length === 0) return false
  return html`<button class="plain" popovertarget="${id}">${name}</button><div popover id="${id}" class="menu"><ul>${entries.map((one) => html`<li>${one}</li>`)}</ul></div>`
}
