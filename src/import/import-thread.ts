/**
 * Reads the source of an import in a worker thread, so that no file, however large or hostile, blocks other calls. A
 * file that takes too long is left out: the thread is started again, and the import continues.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { IMPORT_MEMORY_MEGABYTES, IMPORT_SLOW_FILES, IMPORT_STEP_SECONDS } from '../base/limits.ts'
import { chunks, yieldToEventLoop } from '../base/scheduling.ts'
import { WorkerThread } from '../base/worker.ts'
import { DocumentUnpacker } from './document-parts.ts'
import type {
  ConvertedDocument,
  ImportFormat,
  ImportPlan,
  LinkTargets,
  PastPaths,
  PlannedDocument,
} from './import-format.ts'
import type { DocumentSource, ImportProblem } from './import-source.ts'
import { importTurns, type TurnHolder } from './import-turns.ts'
import { uploadName } from './open-upload.ts'
import type { FoundFile, KnownFile } from './own/export-manifest.ts'
import {
  DOCUMENTS_PER_ANSWER,
  LAST_FILE,
  type PassedTarget,
  type PlannedAnswer,
  type SourceAnswer,
  type SourceAnswers,
  type SourceLocation,
  type SourceRequest,
} from './source-requests.ts'
import { BelongsToSpace } from './spaces/read-checked.ts'

/**
 * Opens a source and finds its format. Its files are known to the thread alone.
 *
 * @throws VALIDATION_ERROR if there is nothing to import, no known format, or the export of a space
 */
export async function openInThread(
  location: SourceLocation,
  { stepSeconds = IMPORT_STEP_SECONDS }: { stepSeconds?: number } = {},
): Promise<{ source: DocumentSource; format: ImportFormat }> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-source-'))
  const thread = new ImportThread(location, folder, stepSeconds)
  const close = async () => {
    thread.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { name, title, format, detected, problems, folder, manifest } = await thread.open()
    return {
      source: {
        ...{ name: givenName(location) ?? name, title, files: [], problems, close, hasNoSpaces: true },
        ...(givenName(location) !== undefined && { nameIsGiven: true }),
        ...(folder !== undefined && { folder }),
        ...(manifest !== undefined && { manifest }),
        compare: (files) => thread.compare(files),
      },
      format: {
        name: format,
        detected,
        detects: () => true,
        plan: (_, { collections = false, past } = {}) => thread.plan(collections, past),
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Files over HTTP and names on the command line share their names. */
const givenName = (location: SourceLocation): string | undefined =>
  location.isUpload || location.name === undefined ? undefined : uploadName(location.name)

/** How many IDs a document gets for blocks that only it links to. */
const SPARE_IDS = 400

class ImportThread implements TurnHolder {
  readonly #location: SourceLocation
  readonly #stepSeconds: number
  readonly #shared = new Int32Array(new SharedArrayBuffer(8))
  readonly #thread: WorkerThread<SourceRequest, SourceAnswer>
  /** Numbers of files that took too long. */
  readonly #without = new Set<number>()
  #collections = false
  #past: PastPaths | undefined
  #documents: readonly PlannedDocument[] = []
  #fingerprints: Promise<ReadonlyMap<string, string>> | undefined
  #preparing: Promise<void> | undefined
  /** IDs for blocks that only their own document links to, and that no document has used yet. */
  readonly #spareIds: number[] = []
  /** One conversion after another, since the thread keeps the parts of the last. */
  #last: Promise<unknown> = Promise.resolve()
  /** How far the thread is after a restart. */
  #state: 'closed' | 'open' | 'planned' | 'ready' = 'closed'

  /** @param folder  for its temporary files, which it may not delete itself when it is terminated */
  constructor(location: SourceLocation, folder: string, stepSeconds: number) {
    this.#location = location
    this.#stepSeconds = stepSeconds
    this.#thread = new WorkerThread(
      new URL(`source-worker${extname(import.meta.filename)}`, import.meta.url),
      { maxOldGenerationSizeMb: IMPORT_MEMORY_MEGABYTES },
      { steps: this.#shared, env: { ...process.env, TMPDIR: folder } },
    )
  }

  close(): void {
    this.#thread.close()
    importTurns.end(this)
  }

  giveUp(): void {
    this.#thread.close()
    this.#state = 'closed'
  }

  open(): Promise<SourceAnswers['open']> {
    return this.#withoutSlowFiles(() => this.#reopen())
  }

  /** May be called again, once more is known about the past of the source. */
  async plan(collections: boolean, past: PastPaths | undefined): Promise<ImportPlan> {
    this.#collections = collections
    this.#past = past
    const { count, problems } = await this.#withoutSlowFiles(() => this.#replan())
    const documents: PlannedDocument[] = []
    while (documents.length < count) {
      const entries = await this.#ask({ ask: 'planned', from: documents.length })
      for (const entry of entries) documents.push(this.#planned(entry))
      await yieldToEventLoop()
    }
    this.#documents = documents
    return { documents, problems: [...problems] }
  }

  /** Compares files of the source with known states. */
  async compare(files: readonly KnownFile[]): Promise<FoundFile[]> {
    const found: FoundFile[] = []
    for await (const part of chunks(files, DOCUMENTS_PER_ANSWER)) {
      found.push(...(await this.#whenPlanned(() => this.#ask({ ask: 'compare', files: part }))))
    }
    return found
  }

  /** Repeats work if the thread was ended meanwhile by other work. */
  async #whenPlanned<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#state === 'closed') await this.#withoutSlowFiles(() => this.#replan())
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StateLost)) throw error
      }
    }
  }

  #planned(entry: PlannedAnswer): PlannedDocument {
    const { path } = entry
    return {
      ...entry,
      fingerprint: async (targets) => (await this.#allFingerprints(targets)).get(path) ?? '',
      convert: (targets) => this.#convert(path, targets),
    }
  }

  /** Repeats work without the file that the thread was reading when it took too long. */
  async #withoutSlowFiles<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof StateLost) continue
        const file = (this.#shared[LAST_FILE] ?? 0) - 1
        if (!(error instanceof ThreadEnded) || file < 0 || this.#without.has(file)) throw error
        if (this.#without.size >= IMPORT_SLOW_FILES) throw tooManySlowFiles(this.#stepSeconds)
        this.#without.add(file)
      }
    }
  }

  async #reopen(): Promise<SourceAnswers['open']> {
    const opened = await this.#ask({
      ...{ ask: 'open', location: this.#location, without: [...this.#without] },
      stepSeconds: this.#stepSeconds,
    })
    this.#state = 'open'
    return opened
  }

  async #replan(): Promise<{ count: number; problems: readonly ImportProblem[] }> {
    if (this.#state === 'closed') await this.#reopen()
    const { documents: count, problems } = await this.#ask({
      ...{ ask: 'plan', collections: this.#collections, past: this.#past },
    })
    this.#state = 'planned'
    return { count, problems }
  }

  #allFingerprints(targets: LinkTargets): Promise<ReadonlyMap<string, string>> {
    this.#fingerprints ??= this.#readFingerprints(targets)
    return this.#fingerprints
  }

  async #readFingerprints(targets: LinkTargets): Promise<ReadonlyMap<string, string>> {
    await this.#prepare(targets)
    const all = new Map<string, string>()
    for (let from = 0; from < this.#documents.length; from += DOCUMENTS_PER_ANSWER) {
      for (const [path, fingerprint] of await this.#ask({ ask: 'fingerprints', from })) all.set(path, fingerprint)
      await yieldToEventLoop()
    }
    return all
  }

  /** Brings the thread, which may have been started again, to where it can convert documents. */
  #prepare(targets: LinkTargets): Promise<void> {
    if (this.#state === 'ready') return Promise.resolve()
    this.#preparing ??= this.#passTargets(targets).finally(() => {
      this.#preparing = undefined
    })
    return this.#preparing
  }

  async #passTargets(targets: LinkTargets): Promise<void> {
    if (this.#state !== 'planned') await this.#withoutSlowFiles(() => this.#replan())
    const gone = [...(this.#past?.gone ?? [])].map(([path, anchors]) => ({ path, anchors }))
    for await (const documents of chunks([...this.#documents, ...gone], DOCUMENTS_PER_ANSWER)) {
      const passed = documents.map(({ path, anchors }): PassedTarget => {
        const ids = anchors.map((anchor) => [anchor, targets.idOf(path, anchor) ?? 0] as const)
        return { path, id: targets.idOf(path) ?? 0, anchors: ids }
      })
      await this.#ask({ ask: 'targets', targets: passed })
    }
    this.#state = 'ready'
  }

  #convert(path: string, targets: LinkTargets): Promise<ConvertedDocument> {
    const document = this.#last.then(() => this.#whenReady(targets, () => this.#convertNext(path, targets)))
    this.#last = document.catch(() => {})
    return document
  }

  /** Repeats work if the thread was ended meanwhile by other work. */
  async #whenReady<T>(targets: LinkTargets, work: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#prepare(targets)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StateLost)) throw error
      }
    }
  }

  async #convertNext(path: string, targets: LinkTargets): Promise<ConvertedDocument> {
    while (this.#spareIds.length < SPARE_IDS) this.#spareIds.push(targets.newId())
    const { head, parts, idsLeft } = await this.#ask({ ask: 'convert', path, ids: this.#spareIds })
    this.#spareIds.length = idsLeft
    const unpacker = new DocumentUnpacker(
      ({ number }) =>
        () =>
          this.#bytes(path, number, targets),
    )
    for (let from = 0; from < parts; ) {
      const some = await this.#ask({ ask: 'parts', from })
      unpacker.add(some)
      from += some.length
      await yieldToEventLoop()
    }
    return unpacker.document(head)
  }

  async *#bytes(path: string, file: number, targets: LinkTargets): AsyncGenerator<Uint8Array> {
    for (let from = 0; ; ) {
      const position = from
      const bytes = await this.#whenReady(targets, () => this.#ask({ ask: 'bytes', path, file, from: position }))
      if (bytes === undefined) return
      from += bytes.byteLength
      yield bytes
    }
  }

  /** @throws the errors of the thread; {@link ThreadEnded} if it took too long or too much memory */
  async #ask<Ask extends SourceRequest['ask']>(request: SourceRequest & { ask: Ask }): Promise<SourceAnswers[Ask]> {
    const asked = importTurns.run(this, () => this.#thread.run(request, this.#stepSeconds * 1000))
    const { result } = await asked.catch((cause: Error) => {
      this.#state = 'closed'
      throw new ThreadEnded(`It needs more memory than an import has, or cannot be read: ${cause.message}.`)
    })
    if (result === 'timeout') {
      this.#state = 'closed'
      throw new ThreadEnded(`It takes longer than ${this.#stepSeconds} seconds to read.`)
    }
    if ('isLost' in result) {
      this.#state = 'closed'
      throw new StateLost('Expected a thread that has read the source, found one that was just started.')
    }
    if ('answer' in result) return result.answer as SourceAnswers[Ask]
    if ('failure' in result) throw new Error(result.failure)
    if ('ofSpace' in result) throw new BelongsToSpace(result.ofSpace)
    const { code, error, details } = result.error
    throw new ScriptoriumError(code, error, details)
  }
}

/** The thread was terminated, and has lost what it knew. */
class ThreadEnded extends Error {}

/** The thread that answered is not the one that was prepared. */
class StateLost extends Error {}

const tooManySlowFiles = (seconds: number) =>
  invalid(
    `Expected at most ${IMPORT_SLOW_FILES} files that take longer than ${seconds} seconds to read, found more; import parts of the source one by one.`,
  )
