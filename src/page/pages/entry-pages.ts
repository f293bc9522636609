/** What the menu of an entry of the tree offers, and its forms: names, icons, and places of folders and pages. */

import { ScriptoriumError } from '../../base/errors.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { titleOf } from '../blocks/block-writer.ts'
import { folderPath } from '../documents/document-bar.ts'
import { coverLink } from '../documents/document-cover.ts'
import { deletePageButton, iconLink, movePageLink } from '../documents/document-menu.ts'
import { retitled } from '../documents/document-name.ts'
import { readFolders } from '../documents/folder-choice.ts'
import { pinButton } from '../documents/pinned-documents.ts'
import { documentEntry } from '../documents/trashed-notice.ts'
import { backOf, buttonForm, changedTo, fieldOf, formLink, formPage, submitForm, textField } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { openedField, openedValues, reopenedText, textToWrite } from '../opened-values.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

/** Without scripts it is a page; with them, tree.ts shows its list as a menu. */
const actionsPage = (title: string, entries: readonly (Html | false)[]): ShownPage => ({
  title,
  main: html`<div class="page"><h1>${title}</h1><div class="menu"><ul class="entry-actions">${entries.filter((one) => one !== false).map((one) => html`<li>${one}</li>`)}</ul></div></div>`,
})

export const documentActionsPage: Page = {
  route: 'GET /d/:id/actions',
  needs: ['documents_move', 'blocks_update'],
  effect: 'change',
  async handle(call) {
    const id = call.params.id ?? ''
    const root = await call.run('blocks_get', { id, maxDepth: 0, fetchMetadata: true })
    const entry = await documentEntry(call, id)
    const back = backOf(call, `/d/${id}`)
    const form = { variant: '', back }
    const isDay = entry?.dailyNoteDate !== undefined
    const isInner = root.type === 'page' && (root.pageBlockPath ?? []).length > 0
    return actionsPage(shownTitle(titleOf(root).value), [
      html`<a href="${call.links.block(id)}">${call.icon('open', text('Open'))}</a>`,
      !isDay && formLink(call, `/d/${id}/rename`, call.icon('rename', text('Rename…')), form),
      !isDay && iconLink(call, id, back),
      coverLink(call, root, back),
      entry !== undefined && !isDay && formLink(call, `/d/${id}/move`, call.icon('move', text('Move…')), form),
      isInner && movePageLink(call, id, back),
      entry !== undefined && pinButton(call, id, back),
      call.has('blocks_add') &&
        call.may('add') &&
        formLink(call, `/d/${id}/pages/new`, call.icon('page', text('New page inside…')), form),
      entry !== undefined &&
        call.has('documents_delete') &&
        call.may('delete') &&
        buttonForm(call, {
          ...{ action: `/d/${id}/trash`, label: call.icon('trash', text('Move to the trash')) },
          // Its own page would show what is in the trash.
          back: back.startsWith(`/d/${id}`) ? '/documents' : back,
        }),
      isInner && deletePageButton(call, id, back),
    ])
  },
}

export const folderActionsPage: Page = {
  route: 'GET /folders/:id/actions',
  needs: ['folders_update', 'folders_move'],
  effect: 'change',
  async handle(call) {
    const id = call.params.id ?? ''
    const folder = folderPath(await readFolders(call), id).at(-1)
    if (folder === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such folder.')
    const back = backOf(call, `/folders/${id}`)
    const form = { variant: '', back }
    const query = { folder: id }
    const mayAdd = call.may('add')
    return actionsPage(folder.name, [
      html`<a href="${call.href(`/folders/${id}`)}">${call.icon('open', text('Open'))}</a>`,
      formLink(call, `/folders/${id}/edit`, call.icon('rename', text('Rename or move…')), form),
      mayAdd &&
        call.has('documents_add') &&
        formLink(call, '/documents/new', call.icon('file-plus', text('New document…')), { ...form, query }),
      mayAdd &&
        call.has('folders_add') &&
        formLink(call, '/folders/new', call.icon('folder-plus', text('New folder…')), { ...form, query }),
      call.has('folders_delete') &&
        call.may('delete') &&
        buttonForm(call, {
          action: `/folders/${id}/delete`,
          label: call.icon('trash', text('Delete the folder')),
          back,
        }),
    ])
  },
}

/** @throws NOT_FOUND_ERROR */
export async function readTitle(call: PageCall, id: string) {
  const root = await call.run('blocks_get', { id, maxDepth: 0 })
  const { value, attributes } = titleOf(root)
  return { title: value, attributes }
}

const renameForm = (call: PageCall, opened: string, typed: string, fault?: string): ShownPage => {
  const id = call.params.id ?? ''
  return formPage(call, {
    title: text('Rename “{shownTitle}”', { shownTitle: shownTitle(opened) }),
    action: `/d/${id}/rename`,
    fields: html`${openedField({ title: opened })}${textField(text('Title'), 'title', typed, html` required autofocus maxlength="${TITLE_LENGTH}"`)}`,
    submit: text('Save'),
    back: backOf(call, `/d/${id}`),
    fault,
  })
}

export const renamePage: Page = {
  route: 'GET /d/:id/rename',
  needs: ['blocks_update'],
  effect: 'change',
  async handle(call) {
    const { title } = await readTitle(call, call.params.id ?? '')
    return renameForm(call, title, title)
  },
}

/** Renames a document, or a page within one. */
export const renameDocument: Page = {
  route: 'POST /d/:id/rename',
  needs: ['blocks_update'],
  async handle(call) {
    const id = call.params.id ?? ''
    const { title: now, attributes } = await readTitle(call, id)
    const opened = openedValues(call, { title: now }).title ?? now
    const names = { opened, typed: fieldOf(call, 'title'), now }
    return submitForm(
      async () => {
        const typed = textToWrite(names)
        const back = backOf(call, `/d/${id}`)
        if (typed === undefined) return { redirect: back }
        const title = retitled({ value: now, attributes }, typed)
        return changedTo(call, back, 'saved', await call.run('blocks_update', { blocks: [{ id, title }] }))
      },
      async (fault) => renameForm(call, opened, reopenedText(names), fault),
    )
  },
}

const newPageForm = (call: PageCall, title: string, fault?: string): ShownPage => {
  const id = call.params.id ?? ''
  return formPage(call, {
    title: text('New page'),
    action: `/d/${id}/pages/new`,
    fields: textField(text('Title'), 'title', title, html` required autofocus maxlength="${TITLE_LENGTH}"`),
    submit: text('Make it'),
    back: backOf(call, `/d/${id}`),
    fault,
  })
}

export const newInnerPage: Page = {
  route: 'GET /d/:id/pages/new',
  needs: ['blocks_add'],
  effect: 'add',
  handle: async (call) => newPageForm(call, ''),
}

/** Adds a page at the end of a document or page. */
export const makeInnerPage: Page = {
  route: 'POST /d/:id/pages/new',
  needs: ['blocks_add'],
  async handle(call) {
    const id = call.params.id ?? ''
    const title = fieldOf(call, 'title')
    return submitForm(
      async () => {
        const answer = await call.run('blocks_add', {
          blocks: [{ type: 'page', title }],
          position: { position: 'end', pageId: id },
        })
        if ('proposal' in answer && answer.proposal !== undefined) return changedTo(call, `/d/${id}`, 'saved', answer)
        return { redirect: `/d/${answer.items[0]?.id ?? id}` }
      },
      async (fault) => newPageForm(call, title, fault),
    )
  },
}

/** Moves a folder into another one, or to the top level: what dragging it does. */
export const moveFolder: Page = {
  route: 'POST /folders/:id/move',
  needs: ['folders_move'],
  async handle(call) {
    const id = call.params.id ?? ''
    const place = fieldOf(call, 'place')
    const destination = place === 'root' ? { destination: 'root' } : { parentFolderId: place }
    const answer = await call.run('folders_move', { folderIds: [id], destination })
    return changedTo(call, backOf(call, `/folders/${id}`), 'document-moved', answer)
  },
}

/** Renames a folder where its name stands. Its form also moves it: see folder-forms.ts. */
export const nameFolder: Page = {
  route: 'POST /folders/:id/name',
  needs: ['folders_update'],
  async handle(call) {
    const id = call.params.id ?? ''
    const answer = await call.run('folders_update', { folders: [{ id, name: fieldOf(call, 'name') }] })
    return changedTo(call, backOf(call, `/folders/${id}`), 'saved', answer)
  },
}

/** Moves a page within documents: into another page, or beside one. */
export const placePage: Page = {
  route: 'POST /d/:id/place',
  needs: ['blocks_move'],
  async handle(call) {
    const id = call.params.id ?? ''
    const [where, target] = [fieldOf(call, 'where'), fieldOf(call, 'target')]
    const position =
      where === 'before' || where === 'after'
        ? { position: where as 'before' | 'after', siblingId: target }
        : { position: 'end' as const, pageId: target }
    const answer = await call.run('blocks_move', { blockIds: [id], position })
    return changedTo(call, backOf(call, `/d/${id}`), 'document-moved', answer)
  },
}
