/**
 * Exports documents as a folder of Markdown files that Obsidian opens as a vault: one file per document, folders as
 * folders, files in `assets`, and whiteboards as Excalidraw files, each with an image next to it.
 */
import { createHash } from 'node:crypto'
import type { DocumentRecord } from '../../../storage/documents.ts'
import type { BlockRow, FileRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { RENDER_ELEMENTS, RENDER_JSON_LENGTH, RENDER_PATH_LENGTH, RENDER_PIXELS } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { OUR_DAILY } from '../../import/markdown/vault-settings.ts'
import { parseAddress } from '../../markdown/addresses.ts'
import type { Block } from '../../markdown/block.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { renderWhiteboardSvg } from '../../render/whiteboard-svg.ts'
import { type DocumentsToExport, listDocumentsToExport } from '../../space/export/list-documents.ts'
import { type ExportedDocument, type ExportedDrawing, readExportedDocument } from '../../space/export/read-document.ts'
import type { AccessLink, Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { type ExportFile, type ExportTarget, NameRegistry } from '../export-target.ts'
import { type CollectionPlace, collectionPlace, writeBase, writeProperties, writeTable } from './write-collection.ts'
import { type NoteContext, writeNote } from './write-note.ts'

const ASSETS = 'assets'
const TEMPLATES = 'Templates'
/** Tells Obsidian where the daily notes are. */
const DAILY_SETTINGS = '.obsidian/daily-notes.json'

/** The paths of an export, reused when the same folder is exported again. */
export class VaultState {
  readonly layout: string
  readonly names = new NameRegistry()
  /** Paths of documents by number, and of files and whiteboards by ID. */
  readonly paths = new Map<number, string>()
  readonly files = new Map<number, string>()
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

/** Information about the previous export. */
export interface ExportedBefore {
  state: VaultState | undefined
  /** Numbers of the documents that changed since then. */
  changed: ReadonlySet<number>
}

export interface VaultOptions {
  /** If given, files of documents that did not change since then are not written again. */
  since?: ExportedBefore
  /** Called after each document. */
  onProgress?(progress: { done: number; total: number }): void
}

/**
 * @param chosen  IDs of documents; if empty, all are exported
 * @returns the number of documents in the export
 */
export function exportVault(
  space: OpenSpace,
  target: ExportTarget,
  chosen: readonly string[],
  link: AccessLink,
  { since, onProgress }: VaultOptions = {},
): Promise<number> {
  return space.read(link, async (view) => {
    const vault = new VaultWriter(view, target, await listDocumentsToExport(view, chosen), since)
    const documents = await vault.write(onProgress)
    if (since !== undefined) since.state = vault.state
    return documents
  })
}

/** Hashes all names and locations that paths and links depend on. */
function layoutOf({ documents, folders, linked, collections, items, itemsAround }: DocumentsToExport): string {
  const layout = createHash('sha256')
  for (const { n, title, location, folder, dailyNoteDate } of documents) {
    layout.update(JSON.stringify([n, title, location, folders.get(folder ?? 0), dailyNoteDate]))
  }
  for (const { n, text, parent, document } of [...collections.values(), ...items.values()]) {
    layout.update(JSON.stringify([n, text, parent, document]))
  }
  for (const map of [linked, itemsAround]) layout.update(JSON.stringify([...map]))
  return layout.digest('base64')
}

class VaultWriter {
  readonly #space: Space
  readonly #target: ExportTarget
  readonly #plan: DocumentsToExport
  readonly #state: VaultState
  /** True for documents whose files may be kept from the last export. */
  readonly #unchanged: (document: number) => boolean
  /** Files that are already part of this export. */
  readonly #shown = new Set<number>()
  /** Paths that belong to the current document. */
  #writing = new Map<string, number | undefined>()

  constructor(space: Space, target: ExportTarget, plan: DocumentsToExport, since?: ExportedBefore) {
    this.#space = space
    this.#target = target
    this.#plan = plan
    const layout = layoutOf(plan)
    const isSame = since?.state?.layout === layout
    this.#state = isSame && since?.state !== undefined ? since.state : new VaultState(layout)
    this.#unchanged = isSame ? (document) => since?.changed.has(document) === false : () => false
  }

  get state(): VaultState {
    return this.#state
  }

  async write(onProgress: VaultOptions['onProgress']): Promise<number> {
    const { documents } = this.#plan
    if (this.#state.paths.size === 0) this.#place(documents)
    if (documents.some(({ location }) => location === 'daily_notes')) {
      const settings = `${JSON.stringify({ folder: OUR_DAILY, format: 'YYYY-MM-DD' }, null, 2)}\n`
      await this.#target.write({ path: DAILY_SETTINGS, isOptional: true }, settings)
    }
    for (const [index, record] of documents.entries()) {
      if (!(this.#unchanged(record.n) && (await this.#keep(record.n)))) {
        this.#writing = new Map()
        this.#state.written.set(record.n, this.#writing)
        await this.#writeDocument(record)
      }
      await this.#note(record)
      onProgress?.({ done: index + 1, total: documents.length })
      await yieldToEventLoop()
    }
    return documents.length
  }

  #place(documents: readonly DocumentRecord[]): void {
    for (const record of documents) {
      this.#state.paths.set(record.n, this.#pathOf(record))
      this.#state.roots.set(record.id, record.n)
    }
    this.#placeCollections()
  }

  /** Reports whether all files of a document still exist unchanged, and keeps them. */
  async #keep(document: number): Promise<boolean> {
    const paths = this.#state.written.get(document) ?? new Map()
    for (const path of paths.keys()) if (!(await this.#target.keep(path))) return false
    return paths.size > 0
  }

  #note({ n, id, revision, location, folderId }: DocumentRecord): Promise<void> {
    const path = this.#state.paths.get(n) ?? ''
    const parts = [...(this.#state.written.get(n) ?? [])].filter(([part]) => part !== path)
    const state = { path, revision, location, folder: folderId }
    return this.#target.noteDocument(String(id), {
      ...state,
      parts: Object.fromEntries(parts.map(([part, of]) => [part, of ?? null])),
    })
  }

  #write(file: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    this.#writing.set(file.path, file.id)
    return this.#target.write(file, content)
  }

  #pathOf({ title, location, folder, dailyNoteDate }: DocumentRecord): string {
    const plain = plainTitle(title)
    if (location === 'daily_notes') return this.#state.names.take(OUR_DAILY, dailyNoteDate ?? plain, '.md')
    const names = folder === null ? [] : (this.#plan.folders.get(folder) ?? [])
    const place = location === 'templates' ? [TEMPLATES] : names
    return this.#state.names.take(place.map(folderName).join('/'), plain, '.md')
  }

  /** Assigns a folder to each collection, next to its document. */
  #placeCollections(): void {
    const { collections, items } = this.#plan
    for (const path of this.#state.paths.values()) {
      for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) this.#state.names.reserve(folder)
    }
    for (const { n, document, text } of collections.values()) {
      const path = this.#state.paths.get(document)
      if (path === undefined) continue
      const place = collectionPlace(this.#state.names.take(folderOf(path), plainTitle(text) || 'Collection', ''))
      for (const one of [place.base, place.table]) this.#state.names.reserve(one)
      this.#state.collections.set(n, place)
    }
    for (const item of items.values()) {
      const place = this.#state.collections.get(item.parent ?? 0)
      if (place === undefined) continue
      this.#state.items.set(item.n, this.#state.names.take(place.folder, plainTitle(item.text), '.md'))
      this.#state.itemsById.set(item.id, item)
    }
  }

  async #writeDocument(record: DocumentRecord): Promise<void> {
    const document = await readExportedDocument(this.#space, record)
    const path = this.#state.paths.get(record.n) ?? ''
    const shown = await this.#writeFiles(document)
    for (const n of document.collections.keys()) shown.set(n, this.#state.collections.get(n)?.base ?? '')
    const { front, content } = splitFrontMatter(document.blocks)
    const body = this.#noteBody(document, path, shown, { n: record.n, blocks: content })
    await this.#writeNote(path, record, frontMatter(record, path, front), body)
    for (const [block, row] of document.rows) {
      if (row.type === 'collection') await this.#writeCollection(document, block, row, shown)
    }
  }

  #noteBody(
    document: ExportedDocument,
    path: string,
    shown: ReadonlyMap<number, string>,
    page: { n: number; blocks: readonly Block[] },
  ): string {
    const report = (message: string) => void this.#target.problems.push({ path, message })
    const context: NoteContext = {
      linked: this.#plan.linked,
      addressOf: (url) => this.#addressOf(url, path, report),
      fileOf: (block) => {
        const file = shown.get(block)
        return file === undefined ? undefined : relativeAddress(path, file)
      },
      report,
    }
    return writeNote(document, context, page)
  }

  #writeNote(
    path: string,
    { modifiedAt, id }: Pick<DocumentRecord, 'modifiedAt' | 'id'>,
    front: string,
    body: string,
  ): Promise<void> {
    return this.#write({ path, modifiedAt, id }, `${front}\n${body}${body === '' ? '' : '\n'}`)
  }

  async #writeCollection(
    document: ExportedDocument,
    { content = [] }: Block,
    { n, id }: BlockRow,
    shown: ReadonlyMap<number, string>,
  ): Promise<void> {
    const [collection, place] = [document.collections.get(n), this.#state.collections.get(n)]
    if (collection === undefined || place === undefined) return
    const { modifiedAt } = document.record
    const linkTo = (id: string) => this.#linkTo(Number(id))
    const baseOf = (target: number) => this.#state.collections.get(target)?.base
    const base = writeBase(collection, place, baseOf, linkTo)
    await this.#write({ path: place.base, modifiedAt, id }, base)
    const items = content.flatMap((block) => document.rows.get(block) ?? [])
    await this.#write({ path: place.table, modifiedAt }, writeTable(collection, items))
    for (const [index, block] of content.entries()) {
      const row = items[index]
      const path = this.#state.items.get(row?.n ?? 0)
      if (row === undefined || path === undefined) continue
      const front = writeProperties(collection, row.n, linkTo)
      const title = plainTitle(row.text)
      const lines = [`id: ${row.id}`, `item: ${index + 1}`, ...(stemOf(path) === title ? [] : [titleLine(title)])]
      const body = this.#noteBody(document, path, shown, { n: row.n, blocks: block.content ?? [] })
      await this.#writeNote(path, { modifiedAt, id: row.id }, withOwn(front, lines), body)
      await yieldToEventLoop()
    }
  }

  /** Returns a wiki link, as property values contain them, or the block address if the target is not in the export. */
  #linkTo(id: number): string {
    const place = this.#placeOf(id)
    if (place === undefined) return `block://${id}`
    return `[[${place.path.replace(/\.md$/, '')}${place.anchor}]]`
  }

  /** Writes the files and drawings that blocks show. Returns their paths by block number. */
  async #writeFiles({ files, drawings, rows }: ExportedDocument): Promise<Map<number, string>> {
    const shown = new Map<number, string>()
    for (const [block, file] of files) {
      const path = await this.#writeFile(file)
      if (path !== undefined) shown.set(block, path)
    }
    for (const row of rows.values()) {
      const drawing = drawings.get(row.n)
      if (drawing !== undefined) shown.set(row.n, await this.#writeDrawing(String(row.id), drawing))
    }
    return shown
  }

  async #writeFile(file: FileRow): Promise<string | undefined> {
    const known = this.#state.files.get(file.id)
    if (known !== undefined && (this.#shown.has(file.id) || (await this.#target.keep(known)))) {
      this.#writing.set(known, file.id)
      this.#shown.add(file.id)
      return known
    }
    const [, stem = file.name, extension = ''] = /^(.+?)(\.[A-Za-z0-9]{1,10})?$/s.exec(file.name) ?? []
    const path = known ?? this.#state.names.take(ASSETS, stem, extension)
    const { hash, size, id } = file
    try {
      await this.#write(
        { path, hash, size, modifiedAt: file.createdAt, id },
        await this.#space.files.read({ hash, size }),
      )
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.code !== 'FILE_DAMAGED') throw error
      this.#target.problems.push({ path, message: 'The bytes of a file are missing or damaged' })
      return undefined
    }
    this.#state.files.set(file.id, path)
    this.#shown.add(file.id)
    return path
  }

  /** @returns the path of its image */
  async #writeDrawing(id: string, { elements, files, appState }: ExportedDrawing): Promise<string> {
    const path = this.#state.drawings.get(id) ?? this.#state.names.take(ASSETS, `Whiteboard ${id}`, '.excalidraw')
    this.#state.drawings.set(id, path)
    const drawing = { type: 'excalidraw', version: 2, source: 'scriptorium', elements, appState, files }
    await this.#write({ path, id: Number(id) }, `${JSON.stringify(drawing, null, 2)}\n`)
    const picture = `${path}.svg`
    await this.#write({ path: picture }, this.#drawPicture(picture, { elements, files, appState }))
    return picture
  }

  #drawPicture(path: string, { elements, files, appState }: ExportedDrawing): string {
    const size = { maxWidth: 2_000, maxHeight: 2_000 }
    const limits = { maxPathLength: RENDER_PATH_LENGTH, maxImagePixels: RENDER_PIXELS }
    const isDrawn = elements.length <= RENDER_ELEMENTS && JSON.stringify(files).length <= RENDER_JSON_LENGTH
    if (isDrawn && elements.length > 0) {
      try {
        return renderWhiteboardSvg(elements, files, { ...size, ...limits, background: appState.viewBackgroundColor })
      } catch {
        // Write an empty image in its place.
      }
    }
    if (elements.length > 0) this.#target.problems.push({ path, message: 'A whiteboard has no picture' })
    return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>'
  }

  /** Returns the target of a link, relative to a note. */
  #addressOf(url: string, from: string, report: (message: string) => void): string | undefined {
    const [text] = parseAddress(url)?.ids ?? []
    if (text === undefined || !/^\d{12}$/.test(text)) return undefined
    const place = this.#placeOf(Number(text))
    if (place === undefined) {
      report('A link to what is not in the export is kept as it is')
      return undefined
    }
    const { path, anchor } = place
    return path === from && anchor !== '' ? anchor : `${relativeAddress(from, path)}${anchor}`
  }

  /** Returns the note that contains a document, item or linked block. */
  #placeOf(id: number): { path: string; anchor: string } | undefined {
    const item = this.#state.itemsById.get(id)
    const root = this.#state.roots.get(id)
    const around = this.#plan.itemsAround.get(id)
    const path =
      item !== undefined
        ? this.#state.items.get(item.n)
        : around !== undefined
          ? this.#state.items.get(around)
          : this.#state.paths.get(root ?? this.#plan.linked.get(id) ?? 0)
    if (path === undefined) return undefined
    return { path, anchor: item === undefined && root === undefined ? `#^${id}` : '' }
  }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length)
const folderName = (name: string): string => new NameRegistry().take('', name, '')

/** Returns a path relative to a file, encoded as an address. */
function relativeAddress(from: string, to: string): string {
  const source = from.split('/').slice(0, -1)
  const target = to.split('/')
  while (source.length > 0 && target.length > 1 && source[0] === target[0]) {
    source.shift()
    target.shift()
  }
  return [...source.map(() => '..'), ...target.map(encodePart)].join('/')
}

const encodePart = (part: string): string =>
  encodeURIComponent(part).replace(/[()!'*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** A YAML block at the beginning becomes the front matter of the note if it is valid as such. */
function splitFrontMatter(blocks: readonly Block[]): { front: string; content: Block[] } {
  const [first, ...others] = blocks
  const isYaml = first?.type === 'code' && first.language === 'yaml' && first.content === undefined
  if (!isYaml || first === undefined || !isMapping(first.text)) return { front: '', content: [...blocks] }
  return { front: `${first.text}\n`, content: others }
}

/** True if the text has YAML keys, none of them our own, and no line that would end the front matter. */
const isMapping = (text: string): boolean =>
  /^(?:[ \t]*#[^\n]*\n|[ \t]*\n)*[^\s:#][^\n:]*:(?:\s|$)/.test(text) && !/^(?:---|\.\.\.|scriptorium:)/m.test(text)

function frontMatter(
  { id, title, createdAt, modifiedAt, location, dailyNoteDate }: DocumentRecord,
  path: string,
  front: string,
) {
  const plain = plainTitle(title)
  const lines = [
    `id: ${id}`,
    ...(stemOf(path) === plain ? [] : [titleLine(plain)]),
    `created: ${new Date(createdAt).toISOString()}`,
    `modified: ${new Date(modifiedAt).toISOString()}`,
    ...(location === 'folder' || location === 'unsorted' ? [] : [`location: ${location}`]),
    ...(dailyNoteDate === null ? [] : [`date: ${dailyNoteDate}`]),
  ]
  return withOwn(front, lines)
}

const titleLine = (title: string): string => `title: ${JSON.stringify(title)}`

/** Writes front matter with our own fields at the end. */
const withOwn = (front: string, lines: readonly string[]): string =>
  `---\n${front}scriptorium:\n${lines.map((line) => `  ${line}\n`).join('')}---\n`
