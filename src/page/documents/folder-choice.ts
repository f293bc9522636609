/** Folders as choices of a form, as an indented tree. */

import type { Choice } from '../form-page.ts'
import { LOCATIONS } from '../frame/navigation.ts'
import type { PageCall } from '../page-call.ts'
import type { FolderEntry } from '../page-tools.ts'

export async function readFolders(call: PageCall): Promise<FolderEntry[]> {
  if (!call.has('folders_list')) return []
  const { items } = await call.run('folders_list')
  return items.filter(({ id }) => !Object.hasOwn(LOCATIONS, id))
}

/** @param without  a folder to leave out, together with its subfolders */
export function folderChoices(folders: readonly FolderEntry[], without?: string, level = 0): Choice[] {
  return folders
    .filter(({ id }) => id !== without)
    .flatMap(({ id, name, folders: inner }) => [
      { value: id, label: `${'\u2003'.repeat(level)}${name}` },
      ...folderChoices(inner, without, level + 1),
    ])
}

/** Converts a choice to the destination of a document: a location, or a folder ID. */
export const destinationOf = (place: string): object =>
  place === '' || place === 'unsorted' || place === 'templates'
    ? { destination: place === '' ? 'unsorted' : place }
    : { folderId: place }
