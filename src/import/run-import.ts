/**
 * Imports a source in two passes. The first pass scans all of it and reserves IDs, so that links can be resolved in any
 * order of writing. The second pass writes each document in its own transaction.
 *
 * The result is recorded with each document. So an interrupted import can be continued by running it again, and
 * importing a source again only applies what changed in it.
 */

import { lastCall } from '../../storage/history.ts'
import { formatNumber } from '../base/format-number.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import { type ImportEnd, recordImportEnd } from '../space/import/import-end.ts'
import { type ImportedEntry, type ImportRecord, lacksIds, reserveIds } from '../space/import/import-record.ts'
import { type KnownSource, noteSourceName, storeRenames } from '../space/import/known-source.ts'
import { trashImported } from '../space/import/trash-imported.ts'
import { addImportedDocument, type Origin, updateImportedDocument } from '../space/import/write-document.ts'
import { logOccurrence } from '../space/model/audit-log.ts'
import { type AccessLink, isSystemDocument } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { discardAll } from './file-writer.ts'
import { conflictOf, isQuotaExceeded, PENDING } from './import-conflicts.ts'
import type { ConvertedDocument, PlannedDocument } from './import-format.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportReport } from './import-report.ts'
import type { DocumentSource, ImportProblem, ImportSource } from './import-source.ts'
import { ImportWork } from './import-work.ts'
import { OwnWriter } from './own/own-writer.ts'
import { type PreparedImport, prepareImport } from './plan-import.ts'
import { RecordedLinkTargets } from './recorded-targets.ts'
import { hasMore } from './unfinished-documents.ts'

export type { ImportOptions, ImportProgress } from './import-options.ts'

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
  const { isDryRun } = options
  let hasFailed = true
  try {
    await run.run()
    hasFailed = false
  } finally {
    if (!isDryRun) await run.recordEnd(options.format.name, hasFailed)
  }
  const { known, interrupted } = run
  const { counts, problems, stopped } = run.work
  problems.sort(byPlace)
  const { format } = options
  return {
    ...{ source: source.title, format: format.name, isDryRun, counts, problems },
    ...(format.detected !== undefined && { detected: format.detected }),
    ...(known !== undefined && { known }),
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
  /** How the source was recognized, if it was imported under another name before. */
  known: string | undefined
  readonly work: ImportWork
  readonly #space: OpenSpace
  readonly #source: ImportSource
  readonly #options: ImportOptions
  readonly #link: AccessLink
  #record: ImportRecord = { source: 0, entries: new Map() }
  /** Earlier paths of renamed files, by present ones. */
  #formerPaths: ReadonlyMap<string, string> = new Map()
  #own: OwnWriter | undefined
  /** The last call before the import. */
  #after = 0
  #done = 0
  #total = 0

  constructor(space: OpenSpace, source: ImportSource, options: ImportOptions) {
    this.#space = space
    this.#source = source
    this.#options = options
    this.work = new ImportWork(space, options, source.problems)
    this.#link = this.work.link
  }

  async run(): Promise<void> {
    const { counts, problems, unfinished, files } = this.work
    if (!this.#options.isDryRun) this.#after = await this.#space.read(this.#link, ({ tx }) => lastCall(tx))
    const plan = await prepareImport(this.#space, this.#link, this.#source, this.#options)
    this.#total = plan.documents.length
    problems.push(...plan.problems)
    counts.failed += plan.problems.filter(({ kind }) => kind === 'failed').length
    counts.conflicts += plan.problems.filter(({ kind }) => kind === 'conflict').length
    // Before the first document, so that the report says how long all of them will take.
    this.#options.onProgress?.({ done: 0, total: this.#total, counts, elapsed: 0 })
    try {
      await this.#reserve(plan)
      await this.#writeAll(plan.documents)
      if (!this.#isEnded) {
        await unfinished.write()
        await this.#handleGone(plan.gone)
      }
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error
      this.work.stopped = error
    } finally {
      await this.#own?.finish()
      await plan.close()
    }
    problems.push(...files.problems)
  }

  /** Tells those who follow the space that the import is over. */
  async recordEnd(format: string, hasFailed: boolean): Promise<void> {
    const { counts, problems, stopped } = this.work
    const { added, updated, unchanged, deleted, conflicts, failed } = counts
    const ending = stopped === undefined ? (this.interrupted ? 'interrupted' : 'done') : 'stopped'
    const byKind = Map.groupBy(problems, ({ kind }) => kind)
    const detail: ImportEnd = {
      ...{ after: this.#after, outcome: hasFailed ? 'failed' : ending, source: this.#source.title, format },
      counts: { added, updated, unchanged, deleted, conflicts, failed },
      losses: Object.fromEntries([...byKind].map(([kind, { length }]) => [kind, length])),
    }
    await this.#space.write(this.#link, async (view) => {
      await recordImportEnd(view, this.#record.source, detail)
      const { outcome, source, counts } = detail
      await logOccurrence(view, 'import', { about: { source, format, outcome, counts } })
    })
  }

  /** How far it came, if it was interrupted. */
  get interrupted(): { done: number; total: number } | undefined {
    return this.#options.signal?.aborted === true ? { done: this.#done, total: this.#total } : undefined
  }

  get #isEnded(): boolean {
    return this.interrupted !== undefined || this.work.stopped !== undefined
  }

  /** Reserves IDs for all new entries. Writes nothing if there are none. */
  async #reserve({ documents: planned, record, known, own, renames, formerPaths }: PreparedImport): Promise<void> {
    const { name } = this.#source
    const { isDryRun } = this.#options
    this.#record = record
    this.#formerPaths = formerPaths
    this.known = known && knownText(known)
    this.work.targets = new RecordedLinkTargets(record)
    if (own !== undefined) {
      this.#own = new OwnWriter(this.work, own, this.#source)
      await this.#own.enter(record, planned)
    }
    if (isDryRun) return this.work.targets.draftIds(planned)
    if (known !== undefined) {
      await this.#space.write(this.#link, (view) => noteSourceName(view, record.source, name))
    }
    if (renames.paths.length > 0) await this.#space.write(this.#link, (view) => storeRenames(view, renames))
    for (let start = 0; start < planned.length; start += ENTRIES_PER_TRANSACTION) {
      const part = planned.slice(start, start + ENTRIES_PER_TRANSACTION)
      if (!lacksIds(record, part)) continue
      await this.#space.write(this.#link, (view) => reserveIds(view, name, record, part), { isBulk: true })
    }
    await this.work.targets.fill(this.#space, this.#link)
  }

  async #writeAll(documents: readonly PlannedDocument[]): Promise<void> {
    const started = performance.now()
    const waiting = documents.values()
    const work = async () => {
      for (const planned of waiting) {
        if (this.#isEnded) return
        await (this.#own?.has(planned.path) ? this.#own.import(planned) : this.#import(planned))
        this.#done++
        const elapsed = performance.now() - started
        this.#options.onProgress?.({ done: this.#done, total: documents.length, counts: this.work.counts, elapsed })
        await yieldToEventLoop()
      }
    }
    await Promise.all(Array.from({ length: DOCUMENTS_AT_ONCE }, work))
  }

  async #import(planned: PlannedDocument): Promise<void> {
    const { counts, problems, targets, unfinished } = this.work
    const { path } = planned
    const entry = this.#record.entries.get(path)
    if (entry === undefined) throw new Error(`Expected an ID for ${path}.`)
    const hash = await planned.fingerprint(targets)
    if (entry.document !== undefined && entry.hash === hash) {
      this.#own?.noteNew(path, entry.document.n, entry.revision ?? 0)
      counts.unchanged++
      return
    }
    const isPending = entry.document !== undefined && entry.hash === hash + PENDING
    const conflict = isPending ? undefined : conflictOf(entry)
    if (conflict !== undefined) {
      counts.conflicts++
      problems.push({ path, kind: 'conflict', message: conflict })
      return
    }
    const document = await this.work.convert(planned)
    if (document === undefined) return
    const isUnfinished = hasMore(document)
    const origin = { source: this.#record.source, path, hash, content: planned.content }
    if (isUnfinished && !this.#options.isDryRun) unfinished.add(document, origin)
    if (isPending) return
    try {
      await this.#write(entry, { ...origin, hash: isUnfinished ? hash + PENDING : hash }, document)
    } catch (error) {
      this.work.refuse(path, error)
    }
  }

  async #write(entry: ImportedEntry, origin: Origin, document: ConvertedDocument): Promise<void> {
    const { counts, problems, files: writer } = this.work
    const { path } = origin
    this.work.count(document)
    const isNew = entry.document === undefined
    if (this.#options.isDryRun) {
      await writer.check(document.files.values())
      counts[isNew ? 'added' : 'updated']++
      return
    }
    await this.#options.pace?.(this.work.blocksOf(document))
    const files = await writer.write(document.files.values())
    try {
      if (isNew) {
        const added = await this.#space.write(
          this.#link,
          (view) => addImportedDocument(view, entry.id, document, files, origin, this.#options.into),
          { isBulk: true },
        )
        if (added.isDayTaken) problems.push({ path, kind: 'changed', message: DAY_TAKEN })
        this.#own?.noteNew(path, added.document, added.revision)
        counts.added++
        return
      }
      const former = this.#formerPaths.get(path)
      const changes = await this.#space.write(
        this.#link,
        (view) => updateImportedDocument(view, entry.id, document, files, origin, former),
        { isBulk: true },
      )
      counts[changes > 0 ? 'updated' : 'unchanged']++
    } finally {
      await discardAll(files)
    }
  }

  /** Documents whose files are gone are kept, unless they are to be deleted and did not change here. */
  async #handleGone(gone: PreparedImport['gone']): Promise<void> {
    const { counts, problems } = this.work
    for (const [path, entry] of gone) {
      const { document } = entry
      if (document === undefined || isSystemDocument(document)) continue
      const isChanged = document.revision !== entry.revision
      const message = !this.#options.deletes ? GONE : isChanged ? GONE_AND_CHANGED : DELETED
      if (message === DELETED && !this.#options.isDryRun && !(await this.#delete(path, entry))) continue
      problems.push({ path, kind: message === GONE_AND_CHANGED ? 'conflict' : 'gone', message })
      if (message === GONE_AND_CHANGED) counts.conflicts++
      if (message === DELETED) counts.deleted++
    }
  }

  /** Returns false if the space refused to delete the document, which is in the report then. */
  async #delete(path: string, entry: ImportedEntry): Promise<boolean> {
    try {
      const isDone = await this.#space.write(this.#link, (view) => trashImported(view, entry), { isBulk: true })
      if (isDone) this.#own?.noteDeleted(entry.id)
      return true
    } catch (error) {
      this.work.refuse(path, error)
      return false
    }
  }
}

const DAY_TAKEN = 'It became an ordinary document, since its day has a daily note already.'
const GONE = 'It is not in the source any more: its document is kept.'
const DELETED = 'It is not in the source any more: its document is in the trash.'
const GONE_AND_CHANGED = 'It is not in the source any more, but its document changed here since: it is kept.'

const knownText = ({ name, known, total }: KnownSource): string =>
  `This is the source that was imported as ${name.replace(/^upload:/, '')} before: ${formatNumber(known)} of ${formatNumber(total)} files are the same. --name gives it another name, so that it is imported as another source.`
