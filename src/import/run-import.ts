/**
 * Imports a source in two passes. The first pass scans all of it and reserves IDs, so that links can be resolved in any
 * order of writing. The second pass writes each document in its own transaction.
 *
 * The result is recorded with each document. So an interrupted import can be continued by running it again, and
 * importing a source again only applies what changed in it.
 */
import { messageOf, type ScriptoriumError } from '../base/errors.ts'
import { FILE_BYTES } from '../base/limits.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import type { ImportedEntry, ImportRecord, PlannedEntry } from '../space/import/import-record.ts'
import { lacksIds, readImportRecord, reserveIds } from '../space/import/import-record.ts'
import { addImportedDocument, updateImportedDocument } from '../space/import/write-document.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { discardAll, FileWriter } from './file-writer.ts'
import { conflictOf, isQuotaExceeded, isRefusal, PENDING } from './import-conflicts.ts'
import type { ConvertedDocument, ImportFormat, PlannedDocument } from './import-format.ts'
import { type ImportCounts, type ImportReport, noCounts } from './import-report.ts'
import type { DocumentSource, ImportProblem, ImportSource } from './import-source.ts'
import { RecordedLinkTargets } from './recorded-targets.ts'
import { hasMore, UnfinishedDocuments } from './unfinished-documents.ts'

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
  const { counts, problems, stopped, interrupted } = run
  problems.sort(byPlace)
  const { format, isDryRun } = options
  return {
    ...{ source: source.title, format: format.name, isDryRun, counts, problems },
    ...(format.detected !== undefined && { detected: format.detected }),
    ...(stopped && { stopped: stopped.body }),
    ...(interrupted && { interrupted }),
    elapsed: Math.round(performance.now() - started),
  }
}

function byPlace(one: ImportProblem, other: ImportProblem): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return (one.line ?? 0) - (other.line ?? 0)
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
  #total = 0
  readonly #unfinished: UnfinishedDocuments

  constructor(space: OpenSpace, source: ImportSource, options: ImportOptions) {
    this.#space = space
    this.#source = source
    this.#options = options
    this.#link = options.link ?? OPERATOR_LINK
    this.#files = new FileWriter(space.files, options.fileLimit ?? FILE_BYTES)
    this.problems = [...source.problems]
    this.#unfinished = new UnfinishedDocuments(
      space,
      this.#link,
      (path, error) => this.#fail(path, error),
      (path, message) => this.problems.push({ path, kind: 'changed', message }),
    )
  }

  async run(): Promise<void> {
    const { format, collections = false } = this.#options
    const plan = await format.plan(this.#source, { collections })
    this.#total = plan.documents.length
    this.problems.push(...plan.problems)
    this.counts.failed += plan.problems.filter(({ kind }) => kind === 'failed').length
    try {
      await this.#reserve(plan.documents)
      await this.#writeAll(plan.documents)
      if (!this.#isEnded) await this.#unfinished.write()
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error
      this.stopped = error
    } finally {
      await plan.close?.()
    }
    this.problems.push(...this.#files.problems)
  }

  /** How far it came, if it was interrupted. */
  get interrupted(): { done: number; total: number } | undefined {
    return this.#options.signal?.aborted === true ? { done: this.#done, total: this.#total } : undefined
  }

  get #isEnded(): boolean {
    return this.interrupted !== undefined || this.stopped !== undefined
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
    const isUnfinished = hasMore(document)
    if (isUnfinished && !this.#options.isDryRun) {
      this.#unfinished.add(document, { source: this.#record.source, path, hash })
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

const DAY_TAKEN = 'It became an ordinary document, since its day has a daily note already.'

function countAll({ blocks }: ConvertedDocument): number {
  let count = 1
  const waiting = [...blocks]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    count++
    for (const inner of block.content ?? []) waiting.push(inner)
  }
  return count
}
