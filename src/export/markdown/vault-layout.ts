/** Where everything of an export goes: the paths of documents, items, collections and files. */
import { createHash } from 'node:crypto'
import type { DocumentRecord } from '../../../storage/documents.ts'
import type { BlockRow } from '../../../storage/schema.ts'
import { OUR_DAILY } from '../../import/markdown/vault-settings.ts'
import { plainTitle, titleFromPlain } from '../../markdown/inline-title.ts'
import type { DocumentsToExport } from '../../space/export/list-documents.ts'
import { isPortableName, NameRegistry, safeName } from '../export-target.ts'
import { type CollectionPlace, collectionPlace } from './write-collection.ts'

export const ASSETS = 'assets'
const TEMPLATES = 'Templates'

/** The paths of an export, reused when the same folder is exported again. */
export class VaultState {
  readonly layout: string
  readonly names = new NameRegistry()
  /** Paths of documents by number, and of files and whiteboards that were written by ID. */
  readonly paths = new Map<number, string>()
  readonly files = new Map<number, string>()
  /** The paths that files get, by ID. */
  readonly filePaths = new Map<number, string>()
  /** Documents at the path that their file had in its source. */
  readonly fromSource = new Set<number>()
  readonly drawings = new Map<string, string>()
  /** Documents by the ID of their root block, and items by their ID. */
  readonly roots = new Map<number, number>()
  readonly itemsById = new Map<number, BlockRow>()
  /** Collections and items of exported documents, by number. */
  readonly collections = new Map<number, CollectionPlace>()
  readonly items = new Map<number, string>()
  /** All paths that belong to each document, with the IDs of what these files contain. */
  readonly written = new Map<number, Map<string, number | undefined>>()

  /** @param layout  a hash that stays the same as long as no name or location changes */
  constructor(layout: string) {
    this.layout = layout
  }
}

/** Hashes all names and locations that paths and links depend on. */
export function layoutOf(plan: DocumentsToExport): string {
  const { documents, folders, linked, anchors, aliases, collections, items, itemsAround, files } = plan
  const layout = createHash('sha256')
  for (const record of documents) {
    const { n, title, location, folder, dailyNoteDate } = record
    const isSource = isUnchangedBase(record, plan)
    layout.update(JSON.stringify([n, title, location, folders.get(folder ?? 0), dailyNoteDate, isSource]))
  }
  for (const { n, text, parent, document } of [...collections.values(), ...items.values()]) {
    layout.update(JSON.stringify([n, text, parent, document]))
  }
  for (const map of [linked, anchors, aliases, itemsAround, files]) layout.update(JSON.stringify([...map]))
  return layout.digest('base64')
}

/** @param hasIds  whether notes have IDs, which no Base can have */
export function placeVault(state: VaultState, plan: DocumentsToExport, hasIds: boolean): void {
  const { documents } = plan
  // Files keep the names that they had, before others get theirs.
  for (const record of documents) {
    const path = sourcePath(record, plan)
    if (path !== undefined && isBase(path) && (hasIds || !isUnchangedBase(record, plan))) continue
    if (path === undefined || !state.names.takeExact(path)) continue
    state.paths.set(record.n, path)
    state.fromSource.add(record.n)
  }
  for (const record of documents) {
    if (!state.paths.has(record.n)) state.paths.set(record.n, pathOf(state, plan, record))
    state.roots.set(record.id, record.n)
  }
  placeCollections(state, plan)
  placeFiles(state, plan)
}

function placeFiles({ names, paths, fromSource, filePaths }: VaultState, plan: DocumentsToExport): void {
  const shown = plan.documents.map(({ n }) => ({ n, files: plan.files.get(n) ?? [] }))
  for (const { n, files } of shown) {
    const source = fromSource.has(n) ? plan.sources.get(n) : undefined
    if (source === undefined) continue
    // What stands before the path of the source, where it was imported into a folder.
    const before = (paths.get(n) ?? '').slice(0, -source.path.length)
    for (const { id } of files) {
      const path = source.files.get(id)
      if (filePaths.has(id) || path === undefined || !path.split('/').every(isPortableName)) continue
      if (names.takeExact(before + path)) filePaths.set(id, before + path)
    }
  }
  for (const { id, name } of shown.flatMap(({ files }) => files)) {
    if (!filePaths.has(id)) filePaths.set(id, names.assign(ASSETS, ...splitName(name)))
  }
}

/** Attached files with the ending of a note, which programs would show and import as one. */
const LIKE_NOTE = /\.(?:md|mdx|markdown)$/i

const splitName = (name: string): [stem: string, extension: string] => {
  if (LIKE_NOTE.test(name)) return [name, '.bin']
  const [, stem = name, extension = ''] = /^(.+?)(\.[A-Za-z0-9]{1,10})?$/s.exec(name) ?? []
  return [stem, extension]
}

/** True for the path of a Base, which a document has if it was imported from one that no note shows. */
export const isBase = (path: string): boolean => path.endsWith('.base')

/** True for a Base that became a document and is unchanged. */
function isUnchangedBase({ n, revision }: DocumentRecord, { sources }: DocumentsToExport): boolean {
  const source = sources.get(n)
  return source !== undefined && isBase(source.path) && source.revision === revision
}

/** The path of the file that a document was imported from, if it still has that title and is in that folder. */
function sourcePath({ n, title, location, folder }: DocumentRecord, { sources, folders }: DocumentsToExport) {
  const source = sources.get(n)
  if (source === undefined || (location !== 'folder' && location !== 'unsorted')) return undefined
  if (plainTitle(title) !== plainTitle(titleFromPlain(source.title))) return undefined
  const parts = source.path.split('/')
  const names = folder === null ? [] : (folders.get(folder) ?? [])
  const within = names.length - (parts.length - 1)
  if (within < 0 || !parts.every(isPortableName)) return undefined
  const isThere = parts.slice(0, -1).every((part, at) => safeName(part) === safeName(names[within + at] ?? ''))
  return isThere ? [...names.slice(0, within).map(folderName), ...parts].join('/') : undefined
}

function pathOf(
  { names: taken }: VaultState,
  { folders }: DocumentsToExport,
  { title, location, folder, dailyNoteDate }: DocumentRecord,
): string {
  const plain = plainTitle(title)
  if (location === 'daily_notes') return taken.assign(OUR_DAILY, dailyNoteDate ?? plain, '.md')
  const names = folder === null ? [] : (folders.get(folder) ?? [])
  const place = location === 'templates' ? [TEMPLATES] : names
  return taken.assign(place.map(folderName).join('/'), plain, '.md')
}

/** Assigns a folder to each collection, next to its document. */
function placeCollections(state: VaultState, { collections, items }: DocumentsToExport): void {
  for (const path of state.paths.values()) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) state.names.reserve(folder)
  }
  for (const { n, document, text } of collections.values()) {
    const path = state.paths.get(document)
    if (path === undefined) continue
    const place = collectionPlace(state.names.assign(folderOf(path), plainTitle(text) || 'Collection', ''))
    for (const one of [place.base, place.table]) state.names.reserve(one)
    state.collections.set(n, place)
  }
  for (const item of items.values()) {
    const place = state.collections.get(item.parent ?? 0)
    if (place === undefined) continue
    state.items.set(item.n, state.names.assign(place.folder, plainTitle(item.text), '.md'))
    state.itemsById.set(item.id, item)
  }
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))
const folderName = (name: string): string => new NameRegistry().assign('', name, '')

/** Returns a path relative to a file, encoded as an address. */
export function relativeAddress(from: string, to: string): string {
  const source = from.split('/').slice(0, -1)
  const target = to.split('/')
  while (source.length > 0 && target.length > 1 && source[0] === target[0]) {
    source.shift()
    target.shift()
  }
  return [...source.map(() => '..'), ...target.map(encodePart)].join('/')
}

export const encodePart = (part: string): string =>
  encodeURIComponent(part).replace(/[()!'*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
