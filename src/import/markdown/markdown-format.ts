/** Imports folders of Markdown files, and Obsidian vaults. */

import { createHash, type Hash } from 'node:crypto'
import { messageOf } from '../../base/errors.ts'
import { chunks, yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { contentMaps, plainContent } from '../../space/import/imported-content.ts'
import type {
  ConvertedDocument,
  ImportFormat,
  ImportPlan,
  LinkTargets,
  PlannedDocument,
  PlanOptions,
} from '../import-format.ts'
import { folderParts, type ImportProblem, type ImportSource, type SourceFile } from '../import-source.ts'
import { BelongsToSpace } from '../spaces/read-checked.ts'
import { convertCollection } from './convert-collection.ts'
import { whyMarkdown, whyVault } from './detect-vault.ts'
import { drawingOfPicture } from './drawings.ts'
import { collectFolders, findCollections } from './note-collections.ts'
import { convertEntry } from './note-conversion.ts'
import { anchorOf, NoteIndex } from './note-index.ts'
import type { NoteLink } from './note-links.ts'
import { BASE_AS_CODE } from './prepare-note.ts'
import { baseFields } from './query-fields.ts'
import {
  idIn,
  isHidden,
  isMarkdown,
  NoText,
  type NoteFacts,
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
): Promise<{ entry: SourceEntry; problem?: ImportProblem }> {
  const { path } = file
  const entry: SourceEntry = { path, aliases: [], isNote: isMarkdown(path), file }
  const kind = vault === undefined ? undefined : specialKind(path)
  if (kind === 'canvas' || kind === 'base') {
    entry.note = await specialFacts(file, kind)
    entry.isNote = true
  }
  if (!isMarkdown(path)) return { entry }
  try {
    const { facts, aliases } = await readFacts(file, vault)
    Object.assign(entry, { note: facts, aliases })
    return { entry }
  } catch (error) {
    entry.isNote = false
    const kind = error instanceof BelongsToSpace ? 'left out' : error instanceof NoText ? 'changed' : 'failed'
    return { entry, problem: { path, kind, message: messageOf(error) } }
  }
}

/** @param vault  the settings of a vault; undefined for a folder that is not a vault */
export async function planNotes(
  source: ImportSource,
  vault: VaultSettings | undefined,
  { collections }: PlanOptions = {},
): Promise<ImportPlan> {
  const problems: ImportProblem[] = []
  const entries: SourceEntry[] = []
  const shown = source.files.filter(({ path }) => !isHidden(path))
  for await (const part of chunks(shown, FILES_READ_AT_ONCE)) {
    for (const { entry, problem } of await Promise.all(part.map((file) => readEntry(file, vault)))) {
      // What belongs to a space is no file either.
      if (problem?.kind !== 'left out') entries.push(entry)
      if (problem !== undefined) problems.push(problem)
    }
  }
  const index = new NoteIndex(entries)
  if (vault !== undefined) await findCollections(entries, index)
  if (collections) entries.push(...(await collectFolders(entries, source.title)))
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
  // Drawings that are shown in a note become part of it. All others become documents.
  for (const entry of entries) {
    if (vault === undefined || specialKind(entry.path) !== 'drawing' || linked.has(entry)) continue
    entry.note = await specialFacts(entry.file, 'drawing')
  }
  const parts = Map.groupBy(entries, ({ owner }) => owner)
  const documents: PlannedDocument[] = entries.flatMap((entry) => {
    const { note, owner } = entry
    if (note === undefined || owner !== undefined) return []
    return [new PlannedNote(entry, note, parts.get(entry) ?? [], index, vault !== undefined)]
  })
  return { documents: [...documents, ...gatherUnlinked(entries, linked)], problems }
}

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
    if (this.#note.kind !== 'note') return this.#convertSpecial(this.#note.kind, targets)
    const { content, relations, problems, links } = await convertEntry(
      ...([this.#entry, this.#index, targets, this.#isVault] as const),
    )
    return { ...this.#about, ...content, relations, problems: [...problems], links }
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
    return { ...this.#about, ...content, problems, links }
  }
}

/** Returns one document for each folder with files that no note links to. */
function gatherUnlinked(entries: readonly SourceEntry[], linked: ReadonlySet<SourceEntry>): PlannedDocument[] {
  const left = entries.filter((entry) => entry.note === undefined && entry.owner === undefined && !linked.has(entry))
  const folders = Map.groupBy(left, ({ path }) => folderParts(path).join('/'))
  return [...folders].map(([folder, files]) => {
    const path = `${folder === '' ? '' : `${folder}/`}*`
    const stamp = files.map(({ file }) => `${file.path} ${file.stamp}`).join('\n')
    return {
      path,
      anchors: [],
      fingerprint: () => createHash('sha256').update(stamp).digest('base64'),
      convert: async (): Promise<ConvertedDocument> => {
        const shown = new Map(files.map(({ file }) => [{ type: 'file', text: '' } as Block, file]))
        return {
          title: 'Files',
          place: { folder: folder === '' ? [] : folder.split('/') },
          ...plainContent([...shown.keys()]),
          ...{ files: shown, problems: [], links: 0 },
        }
      },
    }
  })
}
