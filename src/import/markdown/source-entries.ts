/** The files of a folder of notes, and the facts that the first pass finds in each note. */
import { createHash } from 'node:crypto'
import { IMPORT_TEXT_BYTES } from '../../base/limits.ts'
import { type FrontMatter, readFrontMatter, textsOf, timeOf } from '../../markdown/front-matter.ts'
import type { ImportPlace } from '../../space/import/imported-content.ts'
import type { LinkTargets } from '../import-format.ts'
import { extensionOf, folderParts, readSourceFile, type SourceFile, stem } from '../import-source.ts'
import { type DecodedText, readText } from '../text-decoding.ts'
import type { WrittenCollection } from './base-collection.ts'
import { readNoteLines } from './note-lines.ts'
import { anchorKey, BLOCK_ID, findLinks, HEADING, type NoteLink } from './note-links.ts'
import type { PageKind } from './page-kinds.ts'
import { canvasLinks, isDrawingNote, type NoteKind } from './special-notes.ts'
import type { VaultSettings } from './vault-settings.ts'

export const isMarkdown = (path: string): boolean =>
  ['md', 'markdown', 'mdx'].includes(extensionOf(path)) || /\.textbundle\/text\.[^/.]+$/i.test(path)

/** True for files and folders in which programs keep their own data. They contain no notes. */
export const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'))

/** Returns the path of the bundle that a text belongs to. A TextBundle is a folder that stands for one note. */
const bundleOf = (path: string): string | undefined => /^(.*\.textbundle)\/text\.[^/]+$/i.exec(path)?.[1]

export const isInBundle = (path: string): boolean => bundleOf(path) !== undefined

/** A file of the source, as a target of links. */
export interface SourceEntry {
  path: string
  aliases: readonly string[]
  isNote: boolean
  file: SourceFile
  /** True if a problem says already that it is kept as a file. */
  isReported?: boolean
  /** For notes: the facts from the first pass. */
  note?: NoteFacts
  /** For a Base or folder that is a collection. */
  collection?: CollectionFacts
  /** The document that this entry is part of. Undefined if it is a document itself. */
  owner?: SourceEntry
}

/** A collection whose items are notes. */
export interface CollectionFacts {
  /** The schema, if the collection is from our own export. Otherwise, the properties are inferred from the notes. */
  schema?: WrittenCollection
  /** In the order of the collection. */
  items: SourceEntry[]
  /** The note that embeds the collection. */
  host?: SourceEntry
}

/**
 * Returns the ID of a document, item or block. The parts of a document are anchors of it, which contain their own
 * paths.
 *
 * @param anchor  anchor of a block in the entry; empty for the whole entry
 */
export function idIn(targets: LinkTargets, { path, owner }: SourceEntry, anchor = ''): number | undefined {
  return owner === undefined
    ? targets.idOf(path, anchor === '' ? undefined : anchor)
    : targets.idOf(owner.path, partAnchor(path, anchor))
}

/** Returns the ID of the collection that an entry stands for or contains. */
export const collectionId = (targets: LinkTargets, { path, owner }: SourceEntry): number | undefined =>
  targets.idOf(owner?.path ?? path, partAnchor(path))

export const partAnchor = (path: string, anchor = ''): string => `/${path}${anchor}`

export interface NoteFacts {
  kind: NoteKind | PageKind
  title: string
  hash: string
  links: NoteLink[]
  /** Anchors of the blocks in it that links can refer to. */
  offered: Set<string>
  /** Those anchors that links actually refer to. */
  wanted: Set<string>
  place: ImportPlace
  /** For notes from our own export: the ID. */
  ownId?: number
  /** For items from our own export: the position in the collection. */
  item?: number
  /** Collections that the note embeds. */
  collections?: SourceEntry[]
  /** True if its front matter has any values. */
  hasProperties: boolean
  createdAt?: number
  modifiedAt?: number
}

/** What is known of a note that another format was translated to, whose path says nothing about it. */
export interface NoteHead {
  title: string
  place: ImportPlace
}

/** The bytes of a file that is named like a note are no text. The message is a sentence for the report. */
export class NoText extends Error {
  constructor() {
    super('It is not text, so it is kept as a file.')
  }
}

/** Reads the text of a note, with line feeds as line ends. @throws NoText; Error if it is too long or cannot be read */
export async function readNoteText(file: SourceFile): Promise<DecodedText & { bytes: Uint8Array }> {
  const bytes = await readSourceFile(file, IMPORT_TEXT_BYTES)
  const decoded = readText(bytes)
  if (decoded === undefined) throw new NoText()
  return { ...decoded, text: decoded.text.replace(/\r\n?/g, '\n'), bytes }
}

/**
 * @param head  title and place, for a note that another format was translated to
 * @throws NoText; Error if the note is too long or cannot be read
 */
export async function readFacts(file: SourceFile, vault: VaultSettings | undefined, head?: NoteHead) {
  const { text, bytes } = await readNoteText(file)
  const front = readFrontMatter(text)
  const links: NoteLink[] = []
  const offered = new Set<string>()
  for (const { text, kind } of readNoteLines(front.body, front.lines, vault !== undefined)) {
    if (kind !== 'text') continue
    links.push(...findLinks(text))
    const [, , heading] = HEADING.exec(text) ?? []
    if (heading !== undefined) offered.add(anchorKey(heading))
    const [, id] = vault === undefined ? [] : (BLOCK_ID.exec(text) ?? [])
    if (id !== undefined) offered.add(`^${id.toLowerCase()}`)
  }
  // Headings without text cannot be link targets, and the empty anchor stands for the whole note.
  for (const wordless of ['', '#']) offered.delete(wordless)
  const { id, item } = front.own ?? {}
  if (typeof item === 'number') links.push(...findLinks(front.text ?? ''))
  const facts: NoteFacts = {
    kind: vault !== undefined && isDrawingNote(front) ? 'drawingNote' : 'note',
    title: head?.title ?? titleOf(file, front, vault !== undefined),
    hash: createHash('sha256').update(bytes).digest('base64'),
    ...{ links, offered, wanted: new Set<string>() },
    place: head?.place ?? placeOf(file, front, vault),
    ...(typeof id === 'number' && Number.isSafeInteger(id) && { ownId: id }),
    ...(typeof item === 'number' && { item }),
    hasProperties: Object.keys(front.values).length > 0,
    ...timesOf(file, front),
  }
  return { facts, aliases: textsOf(front.values, 'aliases', 'alias') }
}

/** A note that was imported before and is not in the source any more. Links still lead to its document. */
export function goneEntry(path: string, anchors: readonly string[]): SourceEntry {
  const file = { path, name: path, size: 0, stamp: '', async *open() {} }
  const about = { kind: 'note', title: '', hash: '', hasProperties: false } as const
  const note = {
    ...about,
    ...{ links: [], offered: new Set(anchors), wanted: new Set<string>(), place: { folder: [] } },
  }
  return { path, aliases: [], isNote: true, file, note }
}

/** Like {@link readFacts}, for a file that becomes a document but is not a note. */
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

/**
 * In a vault, the file name is the title of a note, unless it only says that the note stands for its folder. Our exports
 * store the title if the file name had to differ from it.
 */
function titleOf(file: SourceFile, { values, own }: FrontMatter, isVault: boolean): string {
  if (typeof own?.title === 'string' && own.title !== '') return own.title
  const { title } = values
  const name = stem(bundleOf(file.path) ?? file.path)
  if ((!isVault || FOLDER_PAGES.has(name)) && typeof title === 'string' && title.trim() !== '') return title.trim()
  return name.replace(/(?<=.)\.excalidraw$/, '')
}

/** Names of notes that stand for their folder, as Hugo and other site generators have them. */
const FOLDER_PAGES: ReadonlySet<string> = new Set(['_index', 'index'])

function placeOf(file: SourceFile, { own }: FrontMatter, vault: VaultSettings | undefined): ImportPlace {
  if (own?.location === 'templates') return { location: 'templates' }
  // In our own exports, a note whose name is a date may be an ordinary document.
  const day = own === undefined ? vault?.dayOf(file.path) : own.date
  return typeof day !== 'string' ? { folder: folderParts(bundleOf(file.path) ?? file.path) } : { day }
}

function timesOf(file: SourceFile, { values, own }: FrontMatter): { createdAt?: number; modifiedAt?: number } {
  const createdAt = timeOf(own ?? {}, 'created') ?? timeOf(values, 'created', 'date created', 'date') ?? file.createdAt
  const modifiedAt =
    timeOf(own ?? {}, 'modified') ?? timeOf(values, 'modified', 'updated', 'date modified') ?? file.modifiedAt
  return { ...(createdAt !== undefined && { createdAt }), ...(modifiedAt !== undefined && { modifiedAt }) }
}
