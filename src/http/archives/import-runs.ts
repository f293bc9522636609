/** Runs imports of received files, after the request that sent them was answered. */
import { BackgroundWork, inBackground, type Log, tryAndLog } from '../../base/background.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { Caller } from '../../call/caller.ts'
import type { SpaceLease } from '../../call/space-registry.ts'
import { BLOCKS_PER_DOCUMENT, secondsLeft } from '../../import/import-options.ts'
import { type AccessLink, PAGE_CLIENT } from '../../space/model/space.ts'
import type { ImportQuery } from './archive-query.ts'
import { ImportJob, type ImportStatus } from './import-jobs.ts'
import { BlockPacer } from './pace-blocks.ts'

/** Who imports, and into which space. */
export interface ImportContext {
  caller: Caller
  /** Acquires another lease of the same space, which lasts until it is released. */
  acquireLease(): Promise<SpaceLease | undefined>
  log: Log
}

/** A file that was received for an import. */
export interface Upload {
  path: string
  /** Called once the import needs the file no more. */
  release(): Promise<void>
}

export class ImportRuns {
  readonly #running = new BackgroundWork()
  readonly #ending = new AbortController()
  /** What stops each import of this process, by ID. */
  readonly #stops = new Map<string, AbortController>()

  /**
   * Receives a file, and imports it after this resolves.
   *
   * @throws CONFLICT while another import of the space runs; errors of `receive`; VALIDATION_ERROR for a file that
   *   cannot be imported
   */
  async start(context: ImportContext, query: ImportQuery, receive: () => Promise<Upload>): Promise<ImportStatus> {
    const { caller, acquireLease, log } = context
    if (!query.dryRun) (await caller.space.roomFor(caller.link))?.assertHas(1)
    const job = await ImportJob.begin(caller.space, query.name)
    let upload: Upload | undefined
    try {
      const received = await receive()
      upload = received
      const lease = await acquireLease()
      const { importTurns } = await import('../../import/import-turns.ts')
      const isItsTurn = importTurns.isFree
      const preparing = prepareImport(received.path, query, caller)
      // An import that waits for its turn is refused later, in its status, if there is nothing to import.
      if (isItsTurn) {
        await preparing.catch((error: unknown) => {
          lease?.release()
          throw error
        })
      }
      this.#running.start(
        'import a file',
        async () => {
          await this.#run(job, preparing, context, query)
          lease?.release()
          await received.release()
        },
        log,
      )
      return job.status
    } catch (error) {
      await job.drop()
      await upload?.release()
      throw error
    }
  }

  /** Stops an import after the documents that it is writing. @returns false if this process does not run it */
  stop(id: string): boolean {
    const stopping = this.#stops.get(id)
    stopping?.abort()
    return stopping !== undefined
  }

  async #run(
    job: ImportJob,
    preparing: Promise<PreparedImport>,
    { caller, log }: ImportContext,
    { dryRun: isDryRun }: ImportQuery,
  ): Promise<void> {
    const stopping = new AbortController()
    this.#stops.set(job.id, stopping)
    const signal = AbortSignal.any([this.#ending.signal, stopping.signal, job.lost])
    const pacer = new BlockPacer(caller, { signal })
    try {
      const work = await preparing
      try {
        const report = await work.run({
          signal,
          pace: (blocks) => pacer.pace(blocks),
          onProgress: (progress) => {
            if (progress.done === 0) {
              const least = isDryRun ? Promise.resolve(0) : pacer.secondsFor(progress.total * BLOCKS_PER_DOCUMENT)
              const expect = async () => job.expect(Math.max(secondsLeft(progress), await least))
              inBackground('tell how long an import will take', expect, log)
            }
            job.note(progress, pacer.hasWaited)
          },
        })
        await job.end(report, signal.aborted)
      } finally {
        await tryAndLog('close the files of an import', () => work.close(), log)
      }
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) log(`import ${job.id} failed: ${error}`)
      await job.fail(error).catch((reason) => log(`import ${job.id} could not be recorded as failed: ${reason}`))
    } finally {
      this.#stops.delete(job.id)
    }
  }

  /** Stops imports after the document that they are writing. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#running.settled()
  }
}

type RunOptions = Pick<import('../../import/run-import.ts').ImportOptions, 'signal' | 'pace' | 'onProgress'>

interface PreparedImport {
  run(options: RunOptions): Promise<import('../../import/import-report.ts').ImportReport>
  close(): Promise<void>
}

/** Opens the file and detects its format, so that errors are reported immediately. @throws VALIDATION_ERROR */
async function prepareImport(
  path: string,
  query: ImportQuery,
  { space, link, fileLimit }: Caller,
): Promise<PreparedImport> {
  const { openInThread } = await import('../../import/import-thread.ts')
  const { runImport } = await import('../../import/run-import.ts')
  const { findImportFolder } = await import('../../space/import/find-import-folder.ts')
  const { source, format } = await openInThread({ isUpload: true, path, name: query.name, as: query.as })
  try {
    const { into, dryRun, collections, delete: deletes } = query
    const find = (name: string) =>
      dryRun
        ? space.writeAndRollBack(link, (view) => findImportFolder(view, name))
        : space.write(link, (view) => findImportFolder(view, name))
    const folder = into === undefined ? null : await find(into)
    const chosen = { format, into: folder, isDryRun: dryRun, collections, deletes, link: importLink(link) }
    const limits = fileLimit === undefined ? {} : { fileLimit }
    return {
      run: (options) => runImport(space, source, { ...chosen, ...limits, ...options }),
      close: () => source.close(),
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** Imports over REST are named after what they do, and those on the pages are of a person. */
const importLink = (link: AccessLink): AccessLink => ({
  ...link,
  client: link.client === PAGE_CLIENT ? PAGE_CLIENT : 'import',
})
