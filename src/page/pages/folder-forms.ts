/** Forms for folders: creating, renaming, moving and deleting. */

import { ScriptoriumError } from '../../base/errors.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import { folderPath } from '../documents/document-bar.ts'
import { folderChoices, type Place, placeField, placeOf, readFolders } from '../documents/folder-choice.ts'
import {
  backOf,
  changedTo,
  deleteButton,
  fieldOf,
  formPage,
  goTo,
  isProposed,
  submitForm,
  textField,
} from '../form-page.ts'
import { html } from '../html.ts'
import { openedField, openedValues, reopenedText, textToWrite } from '../opened-values.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { FolderEntry } from '../page-tools.ts'
import { text, textKey } from '../texts/text.ts'

const TOP = { value: '', label: textKey('No other folder') }

/** @param without  a folder that cannot be in itself */
const parentPlaces = async (call: PageCall, without?: string): Promise<Place[]> => [
  TOP,
  ...folderChoices(await readFolders(call), without),
]

export const newFolderPage: Page = {
  route: 'GET /folders/new',
  needs: ['folders_add'],
  effect: 'add',
  handle: (call) => newFolder(call, '', call.query.get('folder') ?? ''),
}

async function newFolder(call: PageCall, name: string, parent: string, fault?: string): Promise<ShownPage> {
  return formPage(call, {
    title: text('New folder'),
    action: '/folders/new',
    fields: html`${textField(text('Name'), 'name', name, html` required autofocus maxlength="${TITLE_LENGTH}"`)}
${placeField(text('Inside'), 'parent', parent, await parentPlaces(call))}`,
    submit: text('Make it'),
    back: backOf(call, '/'),
    fault,
  })
}

export const makeFolder: Page = {
  route: 'POST /folders/new',
  needs: ['folders_add'],
  async handle(call) {
    const [name, parent] = [fieldOf(call, 'name'), fieldOf(call, 'parent')]
    return submitForm(
      async () => {
        const place = placeOf(parent, await parentPlaces(call))
        const answer = await call.run('folders_add', {
          folders: [{ name, ...(place !== '' && { parentFolderId: place }) }],
        })
        return isProposed(answer)
          ? goTo(backOf(call, '/'), 'proposed')
          : goTo(`/folders/${answer.items[0]?.id}`, 'folder-made')
      },
      (fault) => newFolder(call, name, parent, fault),
    )
  },
}

interface FolderState {
  folder: FolderEntry
  /** The ID of the parent folder; empty at the top level. */
  parent: string
}

/** @throws NOT_FOUND_ERROR */
async function readFolder(call: PageCall): Promise<FolderState> {
  const path = folderPath(await readFolders(call), call.params.id ?? '')
  const folder = path.at(-1)
  if (folder === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such folder.')
  return { folder, parent: path.at(-2)?.id ?? '' }
}

export const editFolderPage: Page = {
  route: 'GET /folders/:id/edit',
  needs: ['folders_update', 'folders_move'],
  effect: 'change',
  async handle(call) {
    const { folder, parent } = await readFolder(call)
    const now = { name: folder.name, parent }
    return editFolder(call, folder, now, now)
  },
}

async function editFolder(
  call: PageCall,
  { id, name: oldName }: FolderEntry,
  { name, parent }: { name: string; parent: string },
  opened: { name: string; parent: string },
  fault?: string,
): Promise<ShownPage> {
  const deletion = deleteButton(call, 'folders_delete', {
    action: `/folders/${id}/delete`,
    label: text('Delete the folder'),
    back: '/',
  })
  return formPage(call, {
    title: text('Folder “{oldName}”', { oldName }),
    action: `/folders/${id}/edit`,
    fields: html`${openedField(opened)}${textField(text('Name'), 'name', name, html` required autofocus maxlength="${TITLE_LENGTH}"`)}
${placeField(text('Inside'), 'parent', parent, await parentPlaces(call, id))}`,
    submit: text('Save'),
    back: backOf(call, `/folders/${id}`),
    fault,
    below:
      deletion !== false &&
      html`<p class="about">Without the folder, what it holds stays: it moves to the folder around it, or to Unsorted.</p>${deletion}`,
  })
}

export const changeFolder: Page = {
  route: 'POST /folders/:id/edit',
  needs: ['folders_update', 'folders_move'],
  async handle(call) {
    const { folder, parent } = await readFolder(call)
    const wanted = { name: fieldOf(call, 'name'), parent: fieldOf(call, 'parent') }
    const now = { name: folder.name, parent }
    const opened = { ...now, ...openedValues(call, now) }
    const names = { opened: opened.name, typed: wanted.name, now: folder.name }
    return submitForm(
      async () => {
        const { id } = folder
        const place = placeOf(wanted.parent, await parentPlaces(call, id))
        const destination = place === '' ? { destination: 'root' } : { parentFolderId: place }
        const name = textToWrite(names)
        const isMoved = place !== opened.parent && place !== parent
        const steps = [
          ...(name === undefined
            ? []
            : [{ tool: 'folders_update', arguments: { folders: [{ id, name, expected: { name: folder.name } }] } }]),
          ...(isMoved ? [{ tool: 'folders_move', arguments: { folderIds: [id], destination } }] : []),
        ]
        const back = backOf(call, `/folders/${id}`)
        if (steps.length === 0) return goTo(back)
        const answer = await call.run('batch', { steps })
        return changedTo(call, back, 'saved', answer)
      },
      (fault) => editFolder(call, folder, wanted, { ...opened, name: reopenedText(names) }, fault),
    )
  },
}

export const deleteFolder: Page = {
  route: 'POST /folders/:id/delete',
  needs: ['folders_delete'],
  async handle(call) {
    const { folder, parent } = await readFolder(call)
    const answer = await call.run('folders_delete', { folderIds: [folder.id] })
    const path = isProposed(answer) ? `/folders/${folder.id}` : parent === '' ? '/' : `/folders/${parent}`
    return changedTo(call, path, 'folder-deleted', answer)
  },
}
