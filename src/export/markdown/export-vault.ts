/**
 * Exports documents as a folder of Markdown files that Obsidian opens as a vault: one file per document, folders as
 * folders, files in `assets`, and whiteboards as Excalidraw files, each with an image next to it.
 */
import type { DocumentRecord } from '../../../storage/documents.ts'
import type { BlockRow, FileRow } from '../../../storage/schema.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { RENDER_ELEMENTS, RENDER_JSON_LENGTH, RENDER_PATH_LENGTH, RENDER_PIXELS } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import { unpackSource } from '../../import/markdown/packed-source.ts'
import { OUR_DAILY } from '../../import/markdown/vault-settings.ts'
import type { Block } from '../../markdown/block.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { renderWhiteboardSvg } from '../../render/whiteboard-svg.ts'
import { type DocumentsToExport, type ExportChoice, listDocumentsToExport } from '../../space/export/list-documents.ts'
import { readSourceText } from '../../space/export/list-sources.ts'
import { type ExportedDocument, type ExportedDrawing, readExportedDocument } from '../../space/export/read-document.ts'
import type { AccessLink, Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { LinkStyle } from '../export-formats.ts'
import type { ExportFile, ExportTarget } from '../export-target.ts'
import { ownFields, splitProperties, titleLine } from './note-front.ts'
import { SpellingThread } from './spelling-thread.ts'
import { ASSETS, isBase, layoutOf, placeVault, relativeAddress, stemOf, VaultState } from './vault-layout.ts'
import { VaultLinks } from './vault-links.ts'
import { writeBase, writeProperties, writeTable } from './write-collection.ts'
import { type NoteContext, writeNote } from './write-note.ts'
import { type SourceText, type WrittenNote, writePlain } from './write-spelled.ts'

/** Tells Obsidian where the daily notes are. */
const DAILY_SETTINGS = '.obsidian/daily-notes.json'

export interface VaultOptions {
  /** If given, files of documents that did not change since then are not written again. */
  since?: ExportedBefore | undefined
  /** How links are written. By default, in double brackets where the note was imported with such links. */
  links?: LinkStyle | undefined
  /** Whether front matter has the IDs and times of documents. Default: true. */
  hasIds?: boolean | undefined
  /** Called after each document. */
  onProgress?(progress: { done: number; total: number }): void
}

/** Information about the previous export. */
export interface ExportedBefore {
  state: VaultState | undefined
  /** Numbers of the documents that changed since then. */
  changed: ReadonlySet<number>
}

/**
 * @param choice  what is exported of what the link reaches
 * @returns the number of documents in the export
 */
export function exportVault(
  space: OpenSpace,
  target: ExportTarget,
  choice: ExportChoice,
  link: AccessLink,
  options: VaultOptions = {},
): Promise<number> {
  return space.read(link, async (view) => {
    const vault = new VaultWriter(view, target, await listDocumentsToExport(view, choice), options)
    const documents = await vault.write()
    const { since } = options
    if (since !== undefined) since.state = vault.state
    return documents
  })
}

class VaultWriter {
  readonly #space: Space
  readonly #target: ExportTarget
  readonly #plan: DocumentsToExport
  readonly #options: VaultOptions
  readonly #state: VaultState
  readonly #links: VaultLinks
  readonly #spelling: SpellingThread
  /** True for documents whose files may be kept from the last export. */
  readonly #unchanged: (document: number) => boolean
  /** Files that are already part of this export. */
  readonly #shown = new Set<number>()
  /** Paths that belong to the current document. */
  #writing = new Map<string, number | undefined>()

  constructor(space: Space, target: ExportTarget, plan: DocumentsToExport, options: VaultOptions) {
    this.#space = space
    this.#target = target
    this.#plan = plan
    this.#options = options
    const { since } = options
    const layout = layoutOf(plan)
    const isSame = since?.state?.layout === layout
    this.#state = isSame && since?.state !== undefined ? since.state : new VaultState(layout)
    this.#unchanged = isSame ? (document) => since?.changed.has(document) === false : () => false
    this.#links = new VaultLinks(plan, this.#state)
    this.#spelling = new SpellingThread(() => this.#links.files)
  }

  get state(): VaultState {
    return this.#state
  }

  async write(): Promise<number> {
    const { documents } = this.#plan
    if (this.#state.paths.size === 0) placeVault(this.#state, this.#plan, this.#options.hasIds ?? true)
    if (documents.some(({ location }) => location === 'daily_notes')) {
      const settings = `${JSON.stringify({ folder: OUR_DAILY, format: 'YYYY-MM-DD' }, null, 2)}\n`
      await this.#target.write({ path: DAILY_SETTINGS, isOptional: true }, settings)
    }
    try {
      for (const [index, record] of documents.entries()) {
        if (!(this.#unchanged(record.n) && (await this.#retainDocument(record.n)))) {
          this.#writing = new Map()
          this.#state.written.set(record.n, this.#writing)
          await this.#writeDocument(record)
        }
        await this.#note(record)
        this.#options.onProgress?.({ done: index + 1, total: documents.length })
        await yieldToEventLoop()
      }
    } finally {
      await this.#spelling.close()
    }
    return documents.length
  }

  /** Reports whether all files of a document still exist unchanged, and keeps them. */
  async #retainDocument(document: number): Promise<boolean> {
    const paths = this.#state.written.get(document) ?? new Map()
    for (const path of paths.keys()) if (!(await this.#target.retain(path))) return false
    return paths.size > 0
  }

  /** An export that a connection with a narrower reach makes is no source of changes, so it has no manifest. */
  async #note({ n, id, revision, location, folderId }: DocumentRecord): Promise<void> {
    if (this.#space.kind !== 'full') return
    const path = this.#state.paths.get(n) ?? ''
    const parts = [...(this.#state.written.get(n) ?? [])].filter(([part]) => part !== path)
    const state = { path, revision, location, folder: folderId }
    await this.#target.noteDocument(String(id), {
      ...state,
      parts: Object.fromEntries(parts.map(([part, of]) => [part, of ?? null])),
    })
  }

  #write(file: ExportFile, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    this.#writing.set(file.path, file.id)
    return this.#target.write(file, content)
  }

  async #writeDocument(record: DocumentRecord): Promise<void> {
    const document = await readExportedDocument(this.#space, record)
    const path = this.#state.paths.get(record.n) ?? ''
    const shown = await this.#writeFiles(document)
    for (const n of document.collections.keys()) shown.set(n, this.#state.collections.get(n)?.base ?? '')
    const { id, modifiedAt } = record
    await this.#write({ path, modifiedAt, id }, await this.#textOf(document, path, shown))
    for (const [block, row] of document.rows) {
      if (row.type === 'collection') await this.#writeCollection(document, block, row, shown)
    }
  }

  /** The text of a note, in the spelling of the source that it was imported from as far as that says the same. */
  async #textOf(document: ExportedDocument, path: string, shown: ReadonlyMap<number, string>): Promise<string> {
    const { record, blocks } = document
    const source = await this.#sourceOf(record)
    if (source !== undefined && isBase(path)) return source.text
    const { links = source?.isVault && source.text.includes('[[') ? 'wiki' : 'relative', hasIds = true } = this.#options
    const { properties, content } = splitProperties(blocks)
    const own = ownFields(record, path, { hasIds, isFromSource: this.#state.fromSource.has(record.n) })
    const bodyOf = (written: readonly Block[]) =>
      this.#noteBody(document, path, shown, { n: record.n, blocks: written }, links)
    const note: WrittenNote = { path, properties, own, body: bodyOf(content) }
    const spelled = source === undefined ? undefined : await this.#spelling.write(note, source)
    if (spelled !== undefined) return spelled
    const isFront = properties.isMapping
    return writePlain({ yaml: isFront ? properties.text : '', own, body: isFront ? note.body : bodyOf(blocks) })
  }

  async #sourceOf(record: DocumentRecord): Promise<SourceText | undefined> {
    const row = await readSourceText(this.#space, record)
    return row === undefined ? undefined : { text: unpackSource(row.text), isVault: row.isVault === 1 }
  }

  #noteBody(
    document: ExportedDocument,
    path: string,
    shown: ReadonlyMap<number, string>,
    page: { n: number; blocks: readonly Block[] },
    links: LinkStyle,
  ): string {
    const report = (message: string) => void this.#target.problems.push({ path, message })
    const context: NoteContext = {
      anchors: this.#plan.anchors,
      addressOf: (url) => {
        const address = this.#links.addressOf(url, path)
        if (address === undefined && this.#links.isLink(url)) {
          report('A link to what is not in the export is kept as it is')
        }
        return address
      },
      ...(links === 'wiki' && { wikiLinkOf: (url, wikiText) => this.#links.wikiLinkOf(url, wikiText, path) }),
      fileOf: (block) => {
        const file = shown.get(block)
        return file === undefined ? undefined : relativeAddress(path, file)
      },
      report,
    }
    return writeNote(document, context, page)
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
    const linkTo = (id: string) => this.#links.linkTo(Number(id))
    const { links = 'relative', hasIds = true } = this.#options
    const baseOf = (target: number) => this.#state.collections.get(target)?.base
    const base = writeBase(collection, place, baseOf, linkTo)
    await this.#write({ path: place.base, modifiedAt, id }, base)
    const items = content.flatMap((block) => document.rows.get(block) ?? [])
    await this.#write({ path: place.table, modifiedAt }, writeTable(collection, items))
    for (const [index, block] of content.entries()) {
      const row = items[index]
      const path = this.#state.items.get(row?.n ?? 0)
      if (row === undefined || path === undefined) continue
      const title = plainTitle(row.text)
      const own = [
        ...(hasIds ? [`id: ${row.id}`] : []),
        `item: ${index + 1}`,
        ...(stemOf(path) === title ? [] : [titleLine(title)]),
      ]
      const text = writePlain({
        yaml: writeProperties(collection, row.n, linkTo),
        own: { all: own, withoutTitle: own },
        body: this.#noteBody(document, path, shown, { n: row.n, blocks: block.content ?? [] }, links),
      })
      await this.#write({ path, modifiedAt, id: row.id }, text)
      await yieldToEventLoop()
    }
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
    if (known !== undefined && (this.#shown.has(file.id) || (await this.#target.retain(known)))) {
      this.#writing.set(known, file.id)
      this.#shown.add(file.id)
      return known
    }
    const path = known ?? this.#state.filePaths.get(file.id) ?? ''
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
    const path = this.#state.drawings.get(id) ?? this.#state.names.assign(ASSETS, `Whiteboard ${id}`, '.excalidraw')
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
}
