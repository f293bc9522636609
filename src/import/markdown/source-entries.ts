/** The files of a folder of notes, and what was found in each note when it was first read. */
import { createHash } from 'node:crypto'
import { IMPORT_TEXT_BYTES } from '../../base/limits.ts'
import type { ImportPlace } from '../../space/import/imported-content.ts'
import type { LinkEnds } from '../import-format.ts'
import { decodeText, extensionOf, folderParts, readSourceFile, type SourceFile, stem } from '../import-source.ts'
import type { WrittenCollection } from './base-collection.ts'
import { type FrontMatter, readFrontMatter, textsOf, timeOf } from './front-matter.ts'
import { readNoteLines } from './note-lines.ts'
import { anchorKey, BLOCK_ID, findLinks, HEADING, type NoteLink } from './note-links.ts'
import { canvasLinks, isDrawingNote, type NoteKind } from './special-notes.ts'
import type { VaultSettings } from './vault-settings.ts'

export const isMarkdown = (path: string): boolean =>
  ['md', 'markdown'].includes(extensionOf(path)) || /\.textbundle\/text\.[^/.]+$/i.test(path)

/** A bundle is a folder with a text in it, and stands for one note. */
const bundleOf = (path: string): string | undefined => /^(.*\.textbundle)\/text\.[^/]+$/i.exec(path)?.[1]

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A file of the source as links find it. */
export interface SourceEntry {
  path: string
  aliases: readonly string[]
  isNote: boolean
  file: SourceFile
  /** Of a note: what was found in it when it was first read. */
  note?: NoteFacts
  /** Of a Base or folder that is a collection. */
  collection?: CollectionFacts
  /** The document that it is a part of; absent where it is one of its own. */
  owner?: SourceEntry
}

/** A collection whose items are notes. */
export interface CollectionFacts {
  /** What an export of ours says of it; absent where its properties are found in the notes. */
  schema?: WrittenCollection
  /** In order. */
  items: SourceEntry[]
  /** The note that shows it. */
  host?: SourceEntry
}

/**
 * The ID of a document, an item or a block. Parts of a document are among its anchors, by their own paths.
 *
 * @param anchor  of a block in it; empty for the whole
 */
export function idIn(ends: LinkEnds, { path, owner }: SourceEntry, anchor = ''): number | undefined {
  return owner === undefined
    ? ends.idOf(path, anchor === '' ? undefined : anchor)
    : ends.idOf(owner.path, partAnchor(path, anchor))
}

/** The ID of the collection that an entry is or has. */
export const collectionId = (ends: LinkEnds, { path, owner }: SourceEntry): number | undefined =>
  ends.idOf(owner?.path ?? path, partAnchor(path))

export const partAnchor = (path: string, anchor = ''): string => `/${path}${anchor}`

export interface NoteFacts {
  kind: NoteKind
  title: string
  hash: string
  links: NoteLink[]
  /** How blocks in it can be linked to. */
  offered: Set<string>
  /** Those of them that others do link to. */
  wanted: Set<string>
  place: ImportPlace
  /** Of an item that an export of ours wrote: its place in the collection. */
  item?: number
  /** Collections that it shows. */
  collections?: SourceEntry[]
  /** Whether it has properties. */
  hasProperties: boolean
  createdAt?: number
  modifiedAt?: number
}

/** @throws Error for a note that is too long, or cannot be read */
export async function readFacts(file: SourceFile, vault: VaultSettings | undefined) {
  const bytes = await readSourceFile(file, IMPORT_TEXT_BYTES)
  const front = readFrontMatter(normalizeLines(decodeText(bytes)))
  const links: NoteLink[] = []
  const offered = new Set<string>()
  for (const { text, kind } of readNoteLines(front.body, front.lines, vault !== undefined)) {
    if (kind !== 'words') continue
    links.push(...findLinks(text))
    const [, , heading] = HEADING.exec(text) ?? []
    if (heading !== undefined) offered.add(anchorKey(heading))
    const [, id] = vault === undefined ? [] : (BLOCK_ID.exec(text) ?? [])
    if (id !== undefined) offered.add(`^${id.toLowerCase()}`)
  }
  // Links cannot lead to headings without words; the empty anchor is the whole note's.
  for (const wordless of ['', '#']) offered.delete(wordless)
  const { item } = front.own ?? {}
  if (typeof item === 'number') links.push(...findLinks(front.text ?? ''))
  const facts: NoteFacts = {
    kind: vault !== undefined && isDrawingNote(front) ? 'drawingNote' : 'note',
    title: titleOf(file, front, vault !== undefined),
    hash: createHash('sha256').update(bytes).digest('base64'),
    ...{ links, offered, wanted: new Set<string>() },
    place: placeOf(file, front, vault),
    ...(typeof item === 'number' && { item }),
    hasProperties: Object.keys(front.values).length > 0,
    ...timesOf(file, front),
  }
  return { facts, aliases: textsOf(front.values, 'aliases', 'alias') }
}

/** The same of a file that is a document and no note. */
export async function specialFacts(file: SourceFile, kind: NoteKind): Promise<NoteFacts> {
  return {
    ...{
      kind,
      title: stem(file.path),
      hash: file.stamp,
      hasProperties: false,
      place: { folder: folderParts(file.path) },
    },
    ...{
      links: kind === 'canvas' ? await canvasLinks(file) : [],
      offered: new Set<string>(),
      wanted: new Set<string>(),
    },
    ...(file.createdAt !== undefined && { createdAt: file.createdAt }),
    ...(file.modifiedAt !== undefined && { modifiedAt: file.modifiedAt }),
  }
}

export const normalizeLines = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')

/** A vault names notes by their files, and so does an export of ours that had to change a name. */
function titleOf(file: SourceFile, { values, own }: FrontMatter, isVault: boolean): string {
  if (typeof own?.title === 'string' && own.title !== '') return own.title
  const { title } = values
  if (!isVault && typeof title === 'string' && title.trim() !== '') return title.trim()
  return stem(bundleOf(file.path) ?? file.path).replace(/(?<=.)\.excalidraw$/, '')
}

function placeOf(file: SourceFile, { own }: FrontMatter, vault: VaultSettings | undefined): ImportPlace {
  if (own?.location === 'templates') return { location: 'templates' }
  const day = typeof own?.date === 'string' ? own.date : vault?.dayOf(file.path)
  return day === undefined ? { folder: folderParts(bundleOf(file.path) ?? file.path) } : { day }
}

function timesOf(file: SourceFile, { values, own }: FrontMatter): { createdAt?: number; modifiedAt?: number } {
  const createdAt = timeOf(own ?? {}, 'created') ?? timeOf(values, 'created', 'date created', 'date') ?? file.createdAt
  const modifiedAt =
    timeOf(own ?? {}, 'modified') ?? timeOf(values, 'modified', 'updated', 'date modified') ?? file.modifiedAt
  return { ...(createdAt !== undefined && { createdAt }), ...(modifiedAt !== undefined && { modifiedAt }) }
}
