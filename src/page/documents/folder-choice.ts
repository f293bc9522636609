/** Folders as choices of a form: an indented tree, or among many a field that searches their paths. */

import { type Choice, selectField } from '../form-page.ts'
import { LOCATIONS } from '../frame/document-tree.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { refused } from '../page-refusal.ts'
import type { FolderEntry } from '../page-tools.ts'
import { text, textKey } from '../texts/text.ts'

export async function readFolders(call: PageCall): Promise<FolderEntry[]> {
  if (!call.has('folders_list')) return []
  const { items } = await call.run('folders_list')
  return items.filter(({ id }) => !Object.hasOwn(LOCATIONS, id))
}

/** True if the folder is one of these, or in one of them. */
export const hasFolder = (folders: readonly FolderEntry[], id: string): boolean =>
  folders.some((one) => one.id === id || hasFolder(one.folders, id))

/** A folder or a location. */
export interface Place extends Choice {
  /** The name behind those of the folders around it; absent where the label says all. */
  path?: string
}

/** @param without  a folder to leave out, together with its subfolders */
export const folderChoices = (folders: readonly FolderEntry[], without?: string): Place[] =>
  choicesIn(folders, without, [])

const choicesIn = (folders: readonly FolderEntry[], without: string | undefined, around: readonly string[]): Place[] =>
  folders
    .filter(({ id }) => id !== without)
    .flatMap(({ id, name, folders: inner }) => {
      const path = [...around, name]
      return [
        { value: id, label: `${'\u2003'.repeat(around.length)}${name}`, path: path.join(' / ') },
        ...choicesIn(inner, without, path),
      ]
    })

/** Places up to which they are chosen from a list. Among more, one is found by typing, also without scripts. */
const LISTED = 20

/** @param chosen  a place, or what was typed instead */
export function placeField(label: string, name: string, chosen: string, places: readonly Place[]): Html {
  if (places.length <= LISTED) return selectField(label, name, chosen, places)
  const paths = pathsOf(places)
  const shown = [...paths].find(([, { value }]) => value === chosen)?.[0] ?? chosen
  return html`<label>${label} <input type="text" dir="auto" name="${name}" list="${name}-places" value="${shown}" placeholder="Type a part of its name" autocomplete="off"></label><datalist id="${name}-places">${[...paths.keys()].map((path) => html`<option value="${path}"></option>`)}</datalist>
`
}

const NO_PLACE = {
  folder: textKey('Expected the name of a folder, found {found}; choose one of the list.'),
  document: textKey('Expected the name of a document, found {found}; choose one of the list.'),
} as const
const SEVERAL_PLACES = {
  folder: textKey('Expected one folder, found several called {found}; choose one of the list.'),
  document: textKey('Expected one document, found several called {found}; choose one of the list.'),
} as const

/** The value of the place that was chosen or typed. @throws VALIDATION_ERROR for what no place is called */
export function placeOf(given: string, places: readonly Place[], kind: 'folder' | 'document' = 'folder'): string {
  if (places.some(({ value }) => value === given)) return given
  const paths = pathsOf(places)
  const wanted = given.toLowerCase()
  const names = [...paths].filter(([path, { label }]) =>
    [path, String(label).trim()].some((name) => name.toLowerCase() === wanted),
  )
  const [place, other] = new Set(names.map(([, { value }]) => value))
  if (place !== undefined && other === undefined) return place
  const found = given === '' ? text('nothing') : text('“{name}”', { name: given })
  throw refused(text(other === undefined ? NO_PLACE[kind] : SEVERAL_PLACES[kind], { found }))
}

/** Places by their paths. Each of those that have the same one gets a number, so that every one can be chosen. */
function pathsOf(places: readonly Place[]): Map<string, Place> {
  const times = new Map<string, number>()
  for (const place of places) times.set(pathOf(place), (times.get(pathOf(place)) ?? 0) + 1)
  const numbers = new Map<string, number>()
  const paths = new Map<string, Place>()
  for (const place of places) {
    const path = pathOf(place)
    let name = path
    if (times.get(path) !== 1) {
      let number = numbers.get(path) ?? 0
      do name = `${path} (${++number})`
      while (times.has(name))
      numbers.set(path, number)
    }
    paths.set(name, place)
  }
  return paths
}

const pathOf = ({ path, label }: Place): string => path ?? String(label)

/** Converts a choice to the destination of a document: a location, or a folder ID. */
export const destinationOf = (place: string): object =>
  place === '' || place === 'unsorted' || place === 'templates'
    ? { destination: place === '' ? 'unsorted' : place }
    : { folderId: place }
