/** Imports the documents of our own export: those that were edited, renamed or moved in it, unless they changed here. */
import { documentRecords } from '../../../storage/documents.ts'
import { messageOf } from '../../base/errors.ts'
import { chunks } from '../../base/scheduling.ts'
import type { ImportRecord } from '../../space/import/import-record.ts'
import { CHANGED_HERE, OwnConflict, THROWN_AWAY, updateOwnDocument } from '../../space/import/update-own-document.ts'
import { discardAll } from '../file-writer.ts'
import type { ConvertedDocument, PlannedDocument } from '../import-format.ts'
import type { ImportSource } from '../import-source.ts'
import type { ImportWork } from '../import-work.ts'
import { hasMore } from '../unfinished-documents.ts'
import { compareFiles } from './compare-files.ts'
import { type KnownFile, MANIFEST } from './export-manifest.ts'
import type { OwnDocument, OwnExport } from './own-export.ts'
import { type ManifestChange, updateManifest } from './update-manifest.ts'

/** A document whose files are as it is here. */
interface Imported {
  path: string
  n: number
  revision: number
  /** True if relations or views of it are written at the end, which changes it again. */
  isUnfinished: boolean
}

export class OwnWriter {
  readonly #work: ImportWork
  readonly #own: OwnExport
  readonly #source: ImportSource
  readonly #imported: Imported[] = []
  readonly #deleted: number[] = []

  constructor(work: ImportWork, own: OwnExport, source: ImportSource) {
    this.#work = work
    this.#own = own
    this.#source = source
  }

  has(path: string): boolean {
    return this.#own.documents.has(path)
  }

  /** Enters the documents into the record, with the IDs that they and their blocks have already. */
  async enter(record: ImportRecord, planned: readonly PlannedDocument[]): Promise<void> {
    const { space, link } = this.#work
    for await (const { path, anchors } of planned) {
      const own = this.#own.documents.get(path)
      if (own === undefined) continue
      const found =
        own.isEdited || !anchors.every(isBlockId)
          ? await space.read(link, (view) => this.#own.anchorsOf(view, own, anchors))
          : new Map(anchors.map((anchor) => [anchor, Number(anchor.slice(1))]))
      const missing = anchors.filter((anchor) => !found.has(anchor))
      const ids = missing.length === 0 ? [] : await space.read(link, (view) => view.newIds(missing.length))
      for (const [index, anchor] of missing.entries()) found.set(anchor, ids[index] ?? 0)
      const { document } = own
      record.entries.set(path, {
        id: own.id,
        anchors: found,
        hash: null,
        revision: null,
        ...(document && { document }),
      })
    }
  }

  async import(planned: PlannedDocument): Promise<void> {
    const { counts } = this.#work
    const own = this.#own.documents.get(planned.path)
    if (own === undefined) throw new Error(`Expected a document of the export at ${planned.path}.`)
    const { document, state, isEdited } = own
    const isMoved = state !== undefined && state.path !== own.path
    if (document === undefined || (!isEdited && !isMoved)) {
      counts.unchanged++
      return
    }
    if (document.location === 'trash') return this.#conflict(own, THROWN_AWAY)
    if (own.unread.length > 0) return this.#conflict(own, unreadBase(own.unread[0] ?? ''))
    const content = isEdited ? await this.#work.convert(planned) : undefined
    if (isEdited && content === undefined) return
    const [missing] = own.missing
    if (missing !== undefined && content?.problems.some(({ kind }) => kind === 'not found')) {
      return this.#conflict(own, missingFile(missing))
    }
    await this.#write(own, content)
  }

  #conflict({ path }: OwnDocument, message: string): void {
    this.#work.counts.conflicts++
    this.#work.problems.push({ path, kind: 'conflict', message })
  }

  async #write(own: OwnDocument, content: ConvertedDocument | undefined): Promise<void> {
    const { space, link, options, files: writer, counts, unfinished } = this.#work
    const { id, path, state, document, parts } = own
    if (options.isDryRun) {
      if (state !== undefined && document?.revision !== state.revision) return this.#conflict(own, CHANGED_HERE)
      if (content !== undefined) this.#work.count(content)
      counts.updated++
      return
    }
    const update = {
      ...{ id, content, parts, title: this.#own.titleOf(own, content?.title), place: this.#own.placeOf(own) },
      exported: state && { revision: state.revision, location: state.location, folder: state.folder },
    }
    if (content !== undefined) await options.pace?.(this.#work.blocksOf(content))
    const files = content === undefined ? new Map() : await writer.write(content.files.values())
    try {
      const updated = await space.write(link, (view) => updateOwnDocument(view, update, files), { isBulk: true })
      if (content !== undefined) this.#work.count(content)
      counts[updated.changes > 0 ? 'updated' : 'unchanged']++
      const isUnfinished = content !== undefined && hasMore(content)
      // The record has no entry for it, so that nothing is noted there.
      if (isUnfinished) unfinished.add(content, { source: 0, path, hash: '' })
      const { n, revision } = updated.document
      this.#imported.push({ path, n, revision, isUnfinished })
    } catch (error) {
      if (error instanceof OwnConflict) this.#conflict(own, error.message)
      else this.#work.refuse(path, error)
    } finally {
      await discardAll(files)
    }
  }

  /** A document that is not in the export yet: its file is new. */
  noteNew(path: string, n: number, revision: number): void {
    this.#imported.push({ path, n, revision, isUnfinished: false })
  }

  noteDeleted(id: number): void {
    this.#deleted.push(id)
  }

  /** Updates the manifest, if the export is a folder of this machine. */
  async finish(): Promise<void> {
    const { space, problems } = this.#work
    const { folder } = this.#source
    if (folder === undefined || this.#imported.length + this.#deleted.length === 0) return
    try {
      await updateManifest(folder, space.info.id, await this.#changes())
    } catch (error) {
      const message = `It could not be written, so exports leave the files alone that were changed: ${messageOf(error)}`
      problems.push({ path: MANIFEST, kind: 'failed', message })
    }
  }

  async #changes(): Promise<Map<string, ManifestChange>> {
    const { space, link } = this.#work
    const changes = new Map<string, ManifestChange>()
    for (const id of this.#deleted) changes.set(String(id), { state: undefined, files: new Map() })
    for await (const part of chunks(this.#imported, DOCUMENTS_PER_QUERY)) {
      const rows = await space.read(link, ({ tx }) =>
        documentRecords(
          tx,
          part.map(({ n }) => n),
        ),
      )
      const byNumber = new Map(rows.map((row) => [row.n, row]))
      const added = part.filter(({ path }) => !this.has(path))
      const states = await this.#compare(added.map(({ path }) => ({ path, states: [] })))
      const present = new Map(states.map(({ path, state }) => [path, state]))
      for (const { path, n, revision, isUnfinished } of part) {
        const row = byNumber.get(n)
        const own = this.#own.documents.get(path)
        const state = present.get(path)
        const files = own?.files ?? (state ? new Map([[path, state]]) : undefined)
        if (row === undefined || files === undefined) continue
        const place = { location: row.location, folder: row.folderId }
        const written = { path, revision: isUnfinished ? row.revision : revision, ...place, parts: own?.parts ?? {} }
        changes.set(String(row.id), { state: written, files })
      }
    }
    return changes
  }

  #compare(files: readonly KnownFile[]) {
    return this.#source.compare?.(files) ?? compareFiles(this.#source, files)
  }
}

const DOCUMENTS_PER_QUERY = 1_000

/** An anchor that is the ID of a block, as exports write them. */
const isBlockId = (anchor: string): boolean => /^\^\d{12}$/.test(anchor)

const unreadBase = (path: string): string =>
  `Its collection ${path} is not shown by the note any more, or was rewritten by another program: the document here is left as it is. Export again to get the Base back, or delete the Base to delete the collection.`
const missingFile = (path: string): string =>
  `${path} is missing, and the note may still show it: the document here is left as it is. Put the file back, or remove it from the note.`
