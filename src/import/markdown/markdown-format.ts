/** Imports folders of Markdown files, and Obsidian vaults. */

import { createHash, type Hash } from 'node:crypto'
import { messageOf } from '../../base/errors.ts'
import { IMPORT_TEXT_BYTES } from '../../base/limits.ts'
import { chunks, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { contentMaps, plainContent } from '../../space/import/imported-content.ts'
import type {
  ConvertedDocument,
  ImportFormat,
  ImportPlan,
  LinkTargets,
  OwnIds,
  PastPaths,
  PlannedDocument,
  PlanOptions,
} from '../import-format.ts'
import {
  folderParts,
  type ImportProblem,
  type ImportSource,
  readSourceFile,
  type SourceFile,
} from '../import-source.ts'
import { ProblemList } from '../problem-list.ts'
import { BelongsToSpace } from '../spaces/read-checked.ts'
import { unreadFormat } from '../unread-formats.ts'
import { convertCollection } from './convert-collection.ts'
import { whyMarkdown, whyVault } from './detect-vault.ts'
import { drawingOfPicture } from './drawings.ts'
import { collectFolders, findCollections } from './note-collections.ts'
import { convertEntry } from './note-conversion.ts'
import { anchorOf, NoteIndex } from './note-index.ts'
import { type NoteLink, parseAddressLink } from './note-links.ts'
import { packSource } from './packed-source.ts'
import { isPageKind, type PageKind, pageKind } from './page-kinds.ts'
import { convertFile, pageFacts } from './page-notes.ts'
import { BASE_AS_CODE } from './prepare-note.ts'
import { baseFields } from './query-fields.ts'
import {
  goneEntry,
  idIn,
  isHidden,
  isInBundle,
  isMarkdown,
  NoText,
  type NoteFacts,
  type NoteHead,
  partAnchor,
  readFacts,
  type SourceEntry,
  specialFacts,
} from './source-entries.ts'
import { convertSpecial, type NoteKind, specialKind } from './special-notes.ts'
import { readVaultSettings, type VaultSettings } from './vault-settings.ts'

export const markdownFormat: ImportFormat = {
  name: 'markdown',
  detects: whyMarkdown,
  plan: (source, options) => planNotes(source, undefined, options),
}

export const obsidianFormat: ImportFormat = {
  name: 'obsidian',
  detects: whyVault,
  plan: async (source, options) =>
    planNotes(source, (await readVaultSettings(source)) ?? { dayOf: () => undefined }, options),
}

/** How many files are read at the same time. */
const FILES_READ_AT_ONCE = 16

async function readEntry(
  file: SourceFile,
  vault: VaultSettings | undefined,
  heads: NoteHeads | undefined,
): Promise<{ entry: SourceEntry; problem?: ImportProblem }> {
  const { path } = file
  const entry: SourceEntry = { path, aliases: [], isNote: isMarkdown(path), file }
  const kind = vault === undefined ? undefined : specialKind(path)
  if (kind === 'canvas' || kind === 'base') {
    entry.note = await specialFacts(file, kind)
    entry.isNote = true
  }
  const page = pageKind(path)
  try {
    if (page !== undefined) entry.note = await pageFacts(file, page, vault !== undefined, heads?.get(path))
    else if (isMarkdown(path)) {
      const { facts, aliases } = await readFacts(file, vault, heads?.get(path))
      Object.assign(entry, { note: facts, aliases })
    }
    return { entry }
  } catch (error) {
    entry.isNote = false
    if (error instanceof BelongsToSpace) {
      return { entry, problem: { path, kind: 'left out', message: messageOf(error) } }
    }
    entry.isReported = true
    if (error instanceof NoText) return { entry, problem: { path, kind: 'changed', message: messageOf(error) } }
    // A page that cannot be read stays what it was.
    const kept = `It is kept as a file, since it could not be read: ${messageOf(error)}`
    const isPage = page !== undefined
    const problem: ImportProblem = {
      path,
      kind: isPage ? 'changed' : 'failed',
      message: isPage ? kept : messageOf(error),
    }
    return { entry, problem }
  }
}

/** What is known of notes by path, if another format was translated to them. */
export type NoteHeads = ReadonlyMap<string, NoteHead>

/**
 * @param vault  the settings of a vault; undefined for a folder that is not a vault
 * @param heads  the notes that another format was translated to; only these are notes, whatever their names
 */
export async function planNotes(
  source: ImportSource,
  vault: VaultSettings | undefined,
  { collections, past = NO_PAST }: PlanOptions = {},
  heads?: NoteHeads,
): Promise<ImportPlan> {
  const { entries, problems } = await readEntries(source, vault, heads)
  const gone = [...past.gone].map(([path, anchors]) => goneEntry(path, anchors))
  const index = new NoteIndex([...entries, ...gone], past.renamed)
  if (vault !== undefined) await findCollections(entries, index)
  if (collections) entries.push(...(await collectFolders(entries, source.title)))
  const linked = await followLinks(entries, index)
  // Drawings that are shown in a note become part of it. All others become documents.
  for (const entry of entries) {
    if (vault === undefined || specialKind(entry.path) !== 'drawing' || linked.has(entry)) continue
    if (past.known.has(entry.path)) continue
    entry.note = await specialFacts(entry.file, 'drawing')
  }
  // What a person opens in another program stays a file where a note refers to it.
  for (const entry of entries) if (linked.has(entry) && isAttachment(entry)) delete entry.note
  const parts = Map.groupBy(entries, ({ owner }) => owner)
  const documents: PlannedDocument[] = entries.flatMap((entry) => {
    const { note, owner } = entry
    if (note === undefined || owner !== undefined) return []
    return [new PlannedNote(entry, note, parts.get(entry) ?? [], index, vault !== undefined)]
  })
  const others = entries.filter(({ path }) => !past.known.has(path))
  return { documents: [...documents, ...gatherUnlinked(others, linked)], problems }
}

async function readEntries(
  source: ImportSource,
  vault: VaultSettings | undefined,
  heads: NoteHeads | undefined,
): Promise<{ entries: SourceEntry[]; problems: ImportProblem[] }> {
  const problems: ImportProblem[] = []
  const entries: SourceEntry[] = []
  const shown = source.files.filter(({ path }) => heads?.has(path) === true || !isHidden(path))
  for await (const part of chunks(shown, FILES_READ_AT_ONCE)) {
    for (const { entry, problem } of await Promise.all(part.map((file) => readEntry(file, vault, heads)))) {
      // What belongs to a space is no file either.
      if (problem?.kind !== 'left out') entries.push(entry)
      if (problem !== undefined) problems.push(problem)
    }
  }
  return { entries, problems }
}

/** Returns what notes link to, and marks the anchors in it that links want. */
async function followLinks(entries: readonly SourceEntry[], index: NoteIndex<SourceEntry>): Promise<Set<SourceEntry>> {
  const linked = new Set<SourceEntry>()
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  for (const { path, note } of entries) {
    for (const link of note?.links ?? []) {
      const found = index.find(link, path)
      if (found === undefined) continue
      linked.add(found)
      // A note that shows the exported image of a drawing links to the drawing too.
      const drawing = drawingOfPicture(found.path)
      const drawn = drawing === undefined ? undefined : byPath.get(drawing)
      if (drawn !== undefined) linked.add(drawn)
      const anchor = anchorOf(link)
      if (found.note?.offered.has(anchor) === true) found.note.wanted.add(anchor)
    }
    await yieldToEventLoop()
  }
  return linked
}

const NO_PAST: PastPaths = { renamed: new Map(), gone: new Map(), known: new Set() }

/** Must be changed whenever the code reads notes differently than before, so that they are imported again. */
const READER_VERSION = '2'

class PlannedNote implements PlannedDocument {
  readonly path: string
  readonly #entry: SourceEntry
  readonly #note: NoteFacts
  /** Notes that are items in this document, with their Bases and tables. */
  readonly #parts: readonly SourceEntry[]
  readonly #index: NoteIndex<SourceEntry>
  readonly #isVault: boolean

  constructor(
    entry: SourceEntry,
    note: NoteFacts,
    parts: readonly SourceEntry[],
    index: NoteIndex<SourceEntry>,
    isVault: boolean,
  ) {
    this.path = entry.path
    this.#entry = entry
    this.#note = note
    this.#parts = parts
    this.#index = index
    this.#isVault = isVault
  }

  get own(): OwnIds {
    const idOf = ({ ownId }: NoteFacts) => (ownId === undefined ? {} : { id: ownId })
    const parts = this.#parts.map(({ path, note }) => ({ path, ...(note !== undefined && idOf(note)) }))
    return { ...idOf(this.#note), parts }
  }

  get anchors(): readonly string[] {
    const own = this.#entry.collection === undefined ? [] : [partAnchor(this.path)]
    const inParts = this.#parts.flatMap(({ path, note }) =>
      ['', ...(note?.wanted ?? [])].map((anchor) => partAnchor(path, anchor)),
    )
    return [...this.#note.wanted, ...own, ...inParts]
  }

  fingerprint(targets: LinkTargets): string {
    const made = createHash('sha256').update(READER_VERSION)
    for (const entry of [this.#entry, ...this.#parts]) this.#addTo(made, entry, targets)
    return made.digest('base64')
  }

  #addTo(made: Hash, { path, file, note }: SourceEntry, targets: LinkTargets): void {
    if (note === undefined) made.update(`${path} ${file.stamp}`)
    if (note === undefined) return
    const { hash, links, title, place, wanted } = note
    made.update(JSON.stringify([hash, title, place, [...wanted].sort()]))
    for (const link of links) {
      const found = this.#index.find(link, path)
      made.update(found === undefined ? '-' : found.note === undefined ? found.file.stamp : `${idIn(targets, found)}`)
    }
  }

  async convert(targets: LinkTargets): Promise<ConvertedDocument> {
    if (this.#entry.collection !== undefined) return this.#convertCollection(targets)
    const { kind } = this.#note
    if (isPageKind(kind)) return this.#convertPage(kind, targets)
    if (kind !== 'note') return this.#convertSpecial(kind, targets)
    const { content, relations, problems, links, packed } = await convertEntry(
      ...([this.#entry, this.#index, targets, this.#isVault] as const),
    )
    const isKept = packed !== undefined && /\.(?:md|markdown)$/i.test(this.path) && !isInBundle(this.path)
    const source = isKept ? { source: { path: this.path, isVault: this.#isVault, packed } } : {}
    return { ...this.#about, ...content, ...source, relations, problems: [...problems], links }
  }

  get #about() {
    const { title, place, createdAt, modifiedAt } = this.#note
    return {
      ...{ title, place },
      ...(createdAt !== undefined && { createdAt }),
      ...(modifiedAt !== undefined && { modifiedAt }),
    }
  }

  /** A collection that is not embedded in any note becomes a document. */
  async #convertCollection(targets: LinkTargets): Promise<ConvertedDocument> {
    const block: Block = { type: 'collection', text: '' }
    const maps = contentMaps()
    const converted = await convertCollection(block, this.#entry, maps, {
      ...{ index: this.#index, targets: targets },
      convertItem: (item) => convertEntry(item, this.#index, targets, this.#isVault),
    })
    return { ...this.#about, blocks: [block], ...maps, ...converted }
  }

  async #convertPage(kind: PageKind, targets: LinkTargets): Promise<ConvertedDocument> {
    const problems = new ProblemList(this.path)
    let links = 0
    const content = await convertFile(this.#entry.file, kind, {
      title: this.#note.title,
      idOf: (anchor) => idIn(targets, this.#entry, anchor),
      newId: () => targets.newId(),
      report: (message, detail) => problems.add('changed', message, detail),
      targetOf: (address, isShown) => {
        const link = parseAddressLink(address, isShown)
        if (link === undefined || link.target === '') return undefined
        const found = this.#index.find(link, this.path)
        if (found === undefined) {
          problems.add('not found', 'A link to a file that is not there is kept as it is.', address)
          return undefined
        }
        links++
        return found.note === undefined ? { file: found.file } : { address: `block://${idIn(targets, found) ?? 0}` }
      },
    })
    return { ...this.#about, ...content, problems: problems.all, links }
  }

  async #convertSpecial(kind: Exclude<NoteKind, 'note'>, targets: LinkTargets): Promise<ConvertedDocument> {
    let links = 0
    const addressOf = (link: NoteLink) => {
      const found = this.#index.find(link, this.path)
      const id = found?.note === undefined ? undefined : idIn(targets, found)
      if (id !== undefined) links++
      return id === undefined ? undefined : `block://${id}`
    }
    const content = await convertSpecial(kind, this.#entry.file, addressOf)
    const problems: ImportProblem[] = []
    if (kind === 'base') {
      const detail = baseFields(content.blocks[0]?.text ?? '')
      problems.push({ path: this.path, kind: 'changed', message: BASE_AS_CODE, ...(detail !== '' && { detail }) })
    }
    const packed = kind === 'base' ? packSource(await readSourceFile(this.#entry.file, IMPORT_TEXT_BYTES)) : undefined
    const source = packed === undefined ? {} : { source: { path: this.path, isVault: this.#isVault, packed } }
    return { ...this.#about, ...content, ...source, problems, links }
  }
}

const isAttachment = ({ note }: SourceEntry): boolean => note?.kind === 'docx' || note?.kind === 'table'

/** Returns a document with the files that no note links to, below the names of their folders; none if there are none. */
function gatherUnlinked(entries: readonly SourceEntry[], linked: ReadonlySet<SourceEntry>): PlannedDocument[] {
  const left = entries.filter((entry) => entry.note === undefined && entry.owner === undefined && !linked.has(entry))
  if (left.length === 0) return []
  const stamp = left.map(({ file }) => `${file.path} ${file.stamp}`).join('\n')
  return [
    {
      ...{ path: '*', anchors: [] },
      fingerprint: () => createHash('sha256').update(stamp).digest('base64'),
      convert: async () => unlinkedFiles(left),
    },
  ]
}

const NOT_SHOWN = 'No note shows it, and it is not a text that can be imported: it is in the document "Files".'

function unlinkedFiles(entries: readonly SourceEntry[]): ConvertedDocument {
  const files = new Map<Block, SourceFile>()
  const blocks: Block[] = []
  for (const [folder, found] of Map.groupBy(entries, ({ path }) => folderParts(path).join('/'))) {
    if (folder !== '') blocks.push({ type: 'text', text: titleFromPlain(folder), textStyle: 'h3' })
    for (const { file } of found) {
      const block: Block = { type: 'file', text: '' }
      files.set(block, file)
      blocks.push(block)
    }
  }
  const problems = entries.flatMap(({ path, isReported }): ImportProblem[] =>
    isReported ? [] : [{ path, kind: 'changed', message: unreadFormat(path) ?? NOT_SHOWN }],
  )
  return { title: 'Files', place: { folder: [] }, ...plainContent(blocks), files, problems, links: 0 }
}
