/**
 * Imports a source in two passes. The first pass scans all of it and reserves IDs, so that links can be resolved in any
 * order of writing. The second pass writes each document in its own transaction.
 *
 * The result is recorded with each document. So an interrupted import can be continued by running it again, and
 * importing a source again only applies what changed in it.
 */
import { messageOf, ScriptoriumError } from '../base/errors.ts'
import { FILE_BYTES } from '../base/limits.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import type { ImportedEntry, ImportRecord, PlannedEntry } from '../space/import/import-record.ts'
import { lacksIds, readImportRecord, reserveIds } from '../space/import/import-record.ts'
import type { ImportRelation, ImportViews } from '../space/import/imported-content.ts'
import { arrangeProperties, writeRelation } from '../space/import/write-collections.ts'
import {
  addImportedDocument,
  noteComplete,
  type Origin,
  updateImportedDocument,
} from '../space/import/write-document.ts'
import { writeViews } from '../space/import/write-views.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { discardAll, FileWriter } from './file-writer.ts'
import type { ConvertedDocument, ImportFormat, LinkTargets, PlannedDocument } from './import-format.ts'
import { type ImportCounts, type ImportReport, noCounts } from './import-report.ts'
import type { DocumentSource, ImportProblem, ImportSource } from './import-source.ts'
import { pairRelations } from './pair-relations.ts'

export interface ImportOptions {
  format: ImportFormat
  /** Number of the folder to use in place of the top level; null for none. */
  into: number | null
  isDryRun: boolean
  /** Whether to turn folders of notes with properties into collections, if the format supports it. */
  collections?: boolean
  /** The access link that the import runs with. Defaults to that of the operator. */
  link?: AccessLink
  /** Maximum size of a file in bytes. */
  fileLimit?: number
  /** Waits until the rate limit allows this many blocks to be written. */
  pace?(blocks: number): Promise<void>
  onProgress?(progress: ImportProgress): void
  /** Stops the import after the documents that are being written. */
  signal?: AbortSignal
}

export interface ImportProgress {
  done: number
  total: number
  counts: ImportCounts
  /** Milliseconds since the first document was started. */
  elapsed: number
}

/** How many documents are prepared and written concurrently, so that their writes can share a COMMIT. */
const DOCUMENTS_AT_ONCE = 24
/** How many entries get their IDs in one transaction. */
const ENTRIES_PER_TRANSACTION = 1_000

export async function runImport(
  space: OpenSpace,
  source: DocumentSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const started = performance.now()
  const run = new ImportRun(space, source, options)
  await run.run()
  const { counts, problems, stopped } = run
  problems.sort(byPlace)
  const { format, isDryRun } = options
  return {
    ...{ source: source.title, format: format.name, isDryRun, counts, problems },
    ...(format.detected !== undefined && { detected: format.detected }),
    ...(stopped && { stopped: stopped.body }),
    elapsed: Math.round(performance.now() - started),
  }
}

function byPlace(one: ImportProblem, other: ImportProblem): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return (one.line ?? 0) - (other.line ?? 0)
}

/** Data that is written after all documents. */
interface UnfinishedDocument {
  origin: Origin
  relations: readonly ImportRelation[]
  /** By the ID of the collection. */
  views: ReadonlyMap<number, ImportViews>
}

class ImportRun {
  readonly counts = noCounts()
  readonly problems: ImportProblem[]
  /** The error that ended the import, because no document that follows can be written either. */
  stopped: ScriptoriumError | undefined
  readonly #space: OpenSpace
  readonly #source: ImportSource
  readonly #options: ImportOptions
  readonly #link: AccessLink
  readonly #files: FileWriter
  #record: ImportRecord = { source: 0, entries: new Map() }
  #targets: RecordedLinkTargets = new RecordedLinkTargets(this.#record)
  #done = 0
  readonly #unfinished: UnfinishedDocument[] = []

  constructor(space: OpenSpace, source: ImportSource, options: ImportOptions) {
    this.#space = space
    this.#source = source
    this.#options = options
    this.#link = options.link ?? OPERATOR_LINK
    this.#files = new FileWriter(space.files, options.fileLimit ?? FILE_BYTES)
    this.problems = [...source.problems]
  }

  async run(): Promise<void> {
    const { format, collections = false } = this.#options
    const plan = await format.plan(this.#source, { collections })
    this.problems.push(...plan.problems)
    this.counts.failed += plan.problems.filter(({ kind }) => kind === 'failed').length
    try {
      await this.#reserve(plan.documents)
      await this.#writeAll(plan.documents)
      await this.#finish()
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error
      this.stopped = error
    } finally {
      await plan.close?.()
    }
    this.problems.push(...this.#files.problems)
  }

  get #isEnded(): boolean {
    return this.#options.signal?.aborted === true || this.stopped !== undefined
  }

  /** Reserves IDs for all new entries. Writes nothing if there are none. */
  async #reserve(planned: readonly PlannedEntry[]): Promise<void> {
    const { name } = this.#source
    this.#record = await this.#space.read(this.#link, (view) => readImportRecord(view, name))
    this.#targets = new RecordedLinkTargets(this.#record)
    if (this.#options.isDryRun) return this.#targets.draftIds(planned)
    for (let start = 0; start < planned.length; start += ENTRIES_PER_TRANSACTION) {
      const part = planned.slice(start, start + ENTRIES_PER_TRANSACTION)
      if (!lacksIds(this.#record, part)) continue
      await this.#space.write(this.#link, (view) => reserveIds(view, name, this.#record, part))
    }
    await this.#targets.fill(this.#space, this.#link)
  }

  async #writeAll(documents: readonly PlannedDocument[]): Promise<void> {
    const started = performance.now()
    const waiting = documents.values()
    const work = async () => {
      for (const planned of waiting) {
        if (this.#isEnded) return
        await this.#import(planned)
        this.#done++
        const elapsed = performance.now() - started
        this.#options.onProgress?.({ done: this.#done, total: documents.length, counts: this.counts, elapsed })
        await yieldToEventLoop()
      }
    }
    await Promise.all(Array.from({ length: DOCUMENTS_AT_ONCE }, work))
  }

  /** Writes relations after all documents, since they connect them, then views, which refer to relations. */
  async #finish(): Promise<void> {
    if (this.#isEnded) return
    const relations = this.#unfinished.flatMap((document) => document.relations)
    for (const relation of pairRelations(relations)) {
      await this.#writeToCollection(relation.collection, (view) => writeRelation(view, relation))
    }
    const orders = new Map(relations.flatMap(({ collection, order }) => (order ? [[collection, order]] : [])))
    for (const [collection, order] of orders) {
      await this.#writeToCollection(collection, (view) => arrangeProperties(view, collection, order))
    }
    for (const { views } of this.#unfinished) {
      for (const [collection, given] of views) {
        await this.#writeToCollection(collection, (view) => writeViews(view, collection, given))
      }
    }
    for (const { origin } of this.#unfinished) {
      await this.#space.write(this.#link, (view) => noteComplete(view, origin))
    }
  }

  async #writeToCollection(collection: number, work: (view: Space) => Promise<void>): Promise<void> {
    try {
      await this.#space.write(this.#link, work)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const of = this.#unfinished.find(
        ({ relations, views }) => views.has(collection) || relations.some((one) => one.collection === collection),
      )
      this.#fail(of?.origin.path ?? '', error)
    }
  }

  async #import(planned: PlannedDocument): Promise<void> {
    const { path } = planned
    const entry = this.#record.entries.get(path)
    if (entry === undefined) throw new Error(`Expected an ID for ${path}.`)
    const hash = await planned.fingerprint(this.#targets)
    if (entry.document !== undefined && entry.hash === hash) {
      this.counts.unchanged++
      return
    }
    const isPending = entry.document !== undefined && entry.hash === hash + PENDING
    const conflict = isPending ? undefined : conflictOf(entry)
    if (conflict !== undefined) {
      this.counts.conflicts++
      this.problems.push({ path, kind: 'conflict', message: conflict })
      return
    }
    if (!this.#options.isDryRun) await this.#targets.fill(this.#space, this.#link)
    let document: ConvertedDocument
    try {
      document = await planned.convert(this.#targets)
    } catch (error) {
      // An error in one file does not stop the import of the others.
      return this.#fail(path, error)
    }
    const { relations = [] } = document
    const views = viewsIn(document)
    const isUnfinished = relations.length + views.size > 0
    if (isUnfinished && !this.#options.isDryRun) {
      this.#unfinished.push({ relations, views, origin: { source: this.#record.source, path, hash } })
    }
    if (isPending) return
    try {
      await this.#write(entry, isUnfinished ? hash + PENDING : hash, path, document)
    } catch (error) {
      if (isQuotaExceeded(error)) this.stopped ??= error
      else if (!isRefusal(error)) throw error
      this.#fail(path, error)
    }
  }

  #fail(path: string, error: unknown): void {
    this.counts.failed++
    this.problems.push({ path, kind: 'failed', message: messageOf(error) })
  }

  async #write(entry: ImportedEntry, hash: string, path: string, document: ConvertedDocument): Promise<void> {
    this.problems.push(...document.problems)
    this.counts.links += document.links
    this.counts.files += new Set(document.files.values()).size
    const isNew = entry.document === undefined
    const blocks = countAll(document)
    this.counts.blocks += blocks
    if (this.#options.isDryRun) {
      await this.#files.check(document.files.values())
      this.counts[isNew ? 'added' : 'updated']++
      return
    }
    await this.#options.pace?.(blocks)
    const files = await this.#files.write(document.files.values())
    const origin = { source: this.#record.source, path, hash }
    try {
      if (isNew) {
        const { isDayTaken } = await this.#space.write(
          this.#link,
          (view) => addImportedDocument(view, entry.id, document, files, origin, this.#options.into),
          { isBulk: true },
        )
        if (isDayTaken) this.problems.push({ path, kind: 'changed', message: DAY_TAKEN })
        this.counts.added++
        return
      }
      const changes = await this.#space.write(
        this.#link,
        (view) => updateImportedDocument(view, entry.id, document, files, origin),
        { isBulk: true },
      )
      this.counts[changes > 0 ? 'updated' : 'unchanged']++
    } finally {
      await discardAll(files)
    }
  }
}

/** Suffix of the stored hash while the relations or views of a document are not written yet. */
const PENDING = ' pending'

const DAY_TAKEN = 'It became an ordinary document, since its day has a daily note already.'

/** Returns why a document from an earlier import must not be overwritten, or undefined if it may be. */
function conflictOf({ document, revision, hash }: ImportedEntry): string | undefined {
  if (document === undefined || hash === null) return undefined
  if (document.location === 'trash') {
    return 'It was thrown away here: restore it, or empty the trash, and import it again.'
  }
  if (document.revision === revision) return undefined
  return 'It changed here and in the source since it was imported: the document here is left as it is.'
}

/** True if the space rejected a single document, so that the import can continue with the others. */
const isRefusal = (error: unknown): boolean => error instanceof ScriptoriumError && !STOPPING.has(error.code)

const STOPPING: ReadonlySet<string> = new Set([
  ...['STORAGE_FULL', 'STORAGE_UNAVAILABLE', 'CLOCK_WRONG', 'SPACE_REPLACED', 'FORBIDDEN', 'RATE_LIMITED'],
  'QUOTA_EXCEEDED',
])

const isQuotaExceeded = (error: unknown): error is ScriptoriumError =>
  error instanceof ScriptoriumError && error.code === 'QUOTA_EXCEEDED'

function viewsIn({ collections, ids }: ConvertedDocument): Map<number, ImportViews> {
  const found = new Map<number, ImportViews>()
  for (const [block, { views }] of collections) {
    const id = ids.get(block)
    if (views !== undefined && id !== undefined) found.set(id, views)
  }
  return found
}

function countAll({ blocks }: ConvertedDocument): number {
  let count = 1
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    count++
    for (const inner of block.content ?? []) waiting.push(inner)
  }
  return count
}

/** How many IDs are reserved at a time for blocks that only their own document links to. */
const SPARE_IDS = 1_000

/** Resolves the targets of links from the record of the import. */
class RecordedLinkTargets implements LinkTargets {
  readonly #record: ImportRecord
  #spare: number[] = []

  constructor(record: ImportRecord) {
    this.#record = record
  }

  idOf(path: string, anchor?: string): number | undefined {
    const entry = this.#record.entries.get(path)
    return anchor === undefined ? entry?.id : entry?.anchors.get(anchor)
  }

  newId(): number {
    const id = this.#spare.pop()
    if (id === undefined) throw new Error('Expected an ID for a block that is linked to.')
    return id
  }

  /** Reserves more IDs if only few are left. */
  async fill(space: OpenSpace, link: AccessLink): Promise<void> {
    if (this.#spare.length > SPARE_IDS / 2) return
    this.#spare.push(...(await space.read(link, (view) => view.newIds(SPARE_IDS))))
  }

  /** Uses consecutive numbers in place of IDs, for a dry run. */
  draftIds(planned: readonly PlannedEntry[]): void {
    let id = 0
    for (const { path, anchors } of planned) {
      const known = this.#record.entries.get(path)
      const entry = known ?? { id: ++id, anchors: new Map<string, number>(), hash: null, revision: null }
      this.#record.entries.set(path, entry)
      for (const anchor of anchors) if (!entry.anchors.has(anchor)) entry.anchors.set(anchor, ++id)
    }
    this.newId = () => ++id
  }
}
