/**
 * Finds the collections in a folder of notes: those from our own exports, and folders that are to become collections.
 */
import { messageOf } from '../../base/errors.ts'
import { extensionOf, folderParts, readSourceFile } from '../import-source.ts'
import { decodeBytes } from '../text-decoding.ts'
import { readBase } from './base-collection.ts'
import type { NoteIndex } from './note-index.ts'
import { type SourceEntry, specialFacts } from './source-entries.ts'

/** Maximum size of a Base in bytes. */
const BASE_BYTES = 4 * 1024 * 1024

/** Finds Bases from our exports, and records for each entry which collection and document it is part of. */
export async function findCollections(entries: readonly SourceEntry[], index: NoteIndex<SourceEntry>): Promise<void> {
  const bases = await readBases(entries)
  if (bases.length === 0) return
  findHosts(entries, index)
  setOwners(bases, entries)
}

/** Reads the Bases that have a schema of ours, as collections. */
async function readBases(entries: readonly SourceEntry[]): Promise<SourceEntry[]> {
  const bases: SourceEntry[] = []
  for (const entry of entries) {
    if (extensionOf(entry.path) !== 'base') continue
    const text = await readSourceFile(entry.file, BASE_BYTES).then((bytes) => decodeBytes(bytes).text, messageOf)
    const schema = readBase(text)
    if (schema === undefined) continue
    entry.collection = { schema, items: itemsBeside(entry, entries) }
    bases.push(entry)
  }
  return bases
}

/** The host of a collection is the first note that embeds it. */
function findHosts(entries: readonly SourceEntry[], index: NoteIndex<SourceEntry>): void {
  for (const entry of entries) {
    if (entry.note?.kind !== 'note') continue
    for (const link of entry.note.links) {
      const embedded = link.isEmbed ? index.find(link, entry.path)?.collection : undefined
      if (embedded !== undefined) embedded.host ??= entry
    }
  }
}

/** Sets the entries that others are part of: items and tables of their Base, and a Base of the note that embeds it. */
function setOwners(bases: readonly SourceEntry[], entries: readonly SourceEntry[]): void {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  for (const base of bases) {
    const table = byPath.get(base.path.replace(/\.base$/i, '.csv'))
    if (table !== undefined) table.owner = base
    const { host, items = [] } = base.collection ?? {}
    for (const item of items) item.owner = base
    if (host === undefined || outermost(host) === base) continue
    base.owner = host
    const { note } = host
    if (note !== undefined) note.collections = [...(note.collections ?? []), base]
  }
  // An entry that is part of a part belongs to the outermost document.
  for (const entry of entries) if (entry.owner !== undefined) entry.owner = outermost(entry)
}

function itemsBeside(base: SourceEntry, entries: readonly SourceEntry[]): SourceEntry[] {
  const folder = folderParts(base.path).join('/')
  return entries
    .filter(({ path, note }) => note?.item !== undefined && folderParts(path).join('/') === folder)
    .sort((one, other) => (one.note?.item ?? 0) - (other.note?.item ?? 0))
}

function outermost(entry: SourceEntry): SourceEntry {
  let whole = entry
  while (whole.owner !== undefined) whole = whole.owner
  return whole
}

/** Turns each folder of notes with properties into a collection. @param title  name for the top-level folder */
export async function collectFolders(entries: readonly SourceEntry[], title: string): Promise<SourceEntry[]> {
  const notes = entries.filter(({ note, owner }) => isItem(note) && owner === undefined)
  const folders: SourceEntry[] = []
  for (const [folder, items] of Map.groupBy(notes, ({ path }) => folderParts(path).join('/'))) {
    const path = folder === '' ? '' : `${folder}/`
    const name = folder === '' ? title : folder.slice(folder.lastIndexOf('/') + 1)
    const stamp = items.map((item) => item.note?.hash ?? '').join(' ')
    const file = { path: `${path}*collection`, name, size: 0, stamp, async *open() {} }
    const note = { ...(await specialFacts(file, 'base')), title: name, place: { folder: folderParts(folder) } }
    const entry: SourceEntry = { path: file.path, aliases: [], isNote: false, file, note, collection: { items } }
    for (const item of items) item.owner = entry
    folders.push(entry)
  }
  return folders
}

/** Only ordinary notes become items. Daily notes and templates stay where they are. */
const isItem = (note: SourceEntry['note']): boolean =>
  note !== undefined && note.kind === 'note' && note.hasProperties && 'folder' in note.place
