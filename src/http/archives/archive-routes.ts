/**
 * Imports and exports archives over HTTP, for links that reach the whole space and may change it:
 *
 *     POST {base}/import?name=…     accepts a zip, and imports it after responding
 *     GET  {base}/import/{id}       its progress and report
 *     GET  {base}/export            a zip of all documents, or of the given ones
 */

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BackgroundWork, inBackground, type Log, tryAndLog } from '../../base/background.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_ZIP_BYTES } from '../../base/limits.ts'
import type { Caller } from '../../call/caller.ts'
import { rateLimitHeaders } from '../../call/rate-limit-headers.ts'
import { countRequest } from '../../call/run.ts'
import type { SpaceLease } from '../../call/space-registry.ts'
import { MethodNotAllowed } from '../../rest/rest-routes.ts'
import { type ExportQuery, type ImportQuery, readExportQuery, readImportQuery } from './archive-query.ts'
import { ImportJob, importStatus } from './import-jobs.ts'
import { BlockPacer } from './pace-blocks.ts'

export interface ArchiveRequest {
  request: Request
  /** The path after {base}. */
  path: string
  caller: Caller
  /** Acquires another lease of the same space, which lasts until it is released. */
  acquireLease(): Promise<SpaceLease | undefined>
  /** Reads the body of the request. */
  readBytes(): AsyncIterable<Uint8Array>
  log: Log
  /** Calls the listener once when the response has been sent, or the client has disconnected. */
  onFinish(listener: () => void): void
}

export class ArchiveRoutes {
  /** IDs of spaces that are being exported. */
  readonly #exporting = new Set<string>()
  readonly #running = new BackgroundWork()
  readonly #ending = new AbortController()

  /** @throws errors of the request, which the caller turns into a response */
  async handle(call: ArchiveRequest): Promise<Response> {
    const { request, path, caller } = call
    const headers = rateLimitHeaders(await countRequest(caller))
    assertFull(caller, path)
    const [, resource = '', id] = path.replace(/\/$/, '').split('/')
    if (resource === 'export') return this.#export(call, headers)
    if (id === undefined) return this.#import(call, headers)
    assertMethod(request, path, 'GET')
    return respond(await importStatus(caller.space, id), 200, headers)
  }

  async #import(call: ArchiveRequest, headers: Record<string, string>): Promise<Response> {
    const { request, path, caller, acquireLease, log } = call
    assertMethod(request, path, 'POST')
    const query = readImportQuery(new URL(request.url).searchParams)
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-import-'))
    const clean = () => removeFolder(folder, log)
    let job: ImportJob | undefined
    try {
      if (!query.dryRun) (await caller.space.roomFor(caller.link))?.assertHas(1)
      job = await ImportJob.begin(caller.space, query.name)
      const zip = join(folder, 'import.zip')
      await receiveZip(call, zip)
      const lease = await acquireLease()
      const { importTurns } = await import('../../import/import-turns.ts')
      const isItsTurn = importTurns.isFree
      const preparing = prepareImport(zip, query, caller)
      // An import that waits for its turn is refused later, in its status, if there is nothing to import.
      if (isItsTurn) {
        await preparing.catch((error: unknown) => {
          lease?.release()
          throw error
        })
      }
      const running = job
      this.#running.start(
        'import a zip',
        async () => {
          await this.#run(running, preparing, call)
          lease?.release()
          await clean()
        },
        log,
      )
      return respond(job.status, 202, { ...headers, Location: `import/${job.id}` })
    } catch (error) {
      await job?.drop()
      await clean()
      throw error
    }
  }

  async #run(job: ImportJob, preparing: Promise<PreparedImport>, { caller, log }: ArchiveRequest): Promise<void> {
    const signal = AbortSignal.any([this.#ending.signal, job.lost])
    const pacer = new BlockPacer(caller, { signal })
    try {
      const work = await preparing
      try {
        const report = await work.run({
          signal,
          pace: (blocks) => pacer.pace(blocks),
          onProgress: (progress) => job.note(progress, pacer.hasWaited),
        })
        await job.end(report, signal.aborted)
      } finally {
        await tryAndLog('close the files of an import', () => work.close(), log)
      }
    } catch (error) {
      if (!(error instanceof ScriptoriumError)) log(`import ${job.id} failed: ${error}`)
      await job.fail(error).catch((reason) => log(`import ${job.id} could not be recorded as failed: ${reason}`))
    }
  }

  async #export(call: ArchiveRequest, headers: Record<string, string>): Promise<Response> {
    const { request, path, caller } = call
    assertMethod(request, path, 'GET')
    const query = readExportQuery(new URL(request.url).searchParams)
    const { id: space } = caller.space.info
    if (this.#exporting.has(space)) {
      throw new ScriptoriumError('CONFLICT', 'Expected no other export of this space to run, found one; send it again.')
    }
    this.#exporting.add(space)
    try {
      return await exportZip(call, query, headers)
    } finally {
      this.#exporting.delete(space)
    }
  }

  /** Stops imports after the document that they are writing. */
  async close(): Promise<void> {
    this.#ending.abort()
    await this.#running.settled()
  }
}

/** Exports to a folder of its own, which is removed once the response was sent. */
async function exportZip(
  { caller, onFinish, log }: ArchiveRequest,
  query: ExportQuery,
  headers: Record<string, string>,
): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-export-'))
  const clean = () => removeFolder(folder, log)
  try {
    const zip = join(folder, 'export.zip')
    const { runExport } = await import('../../export/run-export.ts')
    const report = await runExport(caller.space, zip, {
      ...{ ...query, format: 'obsidian', now: Date.now(), link: caller.link },
    })
    onFinish(() => inBackground('remove the folder of an export', clean, log))
    const { size } = await stat(zip)
    return new Response(Readable.toWeb(createReadStream(zip)) as ReadableStream, {
      headers: {
        ...headers,
        'Content-Type': 'application/zip',
        'Content-Length': String(size),
        'Content-Disposition': 'attachment; filename="export.zip"',
        'Cache-Control': 'no-store',
        'X-Scriptorium-Documents': String(report.documents),
        'X-Scriptorium-Problems': String(report.problems.length),
      },
    })
  } catch (error) {
    await clean()
    throw error
  }
}

/** What is left of a folder that cannot be removed is logged, since the request itself has succeeded or failed. */
const removeFolder = (folder: string, log: Log): Promise<void> =>
  tryAndLog(`remove the folder ${folder}`, () => rm(folder, { recursive: true, force: true }), log)

/** True if a link may import and export. */
export const isFullLink = ({ link: { kind, access } }: Caller): boolean => kind === 'full' && access === 'full'

function assertFull({ link: { kind, access } }: Caller, path: string): void {
  if (kind !== 'full') {
    throw new ScriptoriumError(
      'NOT_AVAILABLE',
      `Expected a path of this connection, found ${path.slice(0, 100)}, which is of full connections alone; this one has not got it.`,
    )
  }
  if (access === 'full') return
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link with access full, found access ${access}; ask the person who made the link for another.`,
  )
}

function assertMethod({ method }: Request, path: string, allowed: string): void {
  if (method === allowed) return
  throw new MethodNotAllowed(`Expected ${allowed} on ${path}, found ${method}.`, allowed)
}

const respond = (body: object, status: number, headers: Record<string, string>): Response =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } })

const tooLarge = () =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a file of at most ${formatNumber(IMPORT_ZIP_BYTES)} bytes, found more; import parts of it, or run \`scriptorium import\` where the space is.`,
  )

/** @throws PAYLOAD_TOO_LARGE */
async function receiveZip({ request, readBytes }: ArchiveRequest, path: string): Promise<void> {
  if (Number(request.headers.get('content-length') ?? 0) > IMPORT_ZIP_BYTES) throw tooLarge()
  let size = 0
  async function* bounded() {
    for await (const chunk of readBytes()) {
      size += chunk.byteLength
      if (size > IMPORT_ZIP_BYTES) throw tooLarge()
      yield chunk
    }
  }
  await pipeline(bounded, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}

type RunOptions = Pick<import('../../import/run-import.ts').ImportOptions, 'signal' | 'pace' | 'onProgress'>

interface PreparedImport {
  run(options: RunOptions): Promise<import('../../import/import-report.ts').ImportReport>
  close(): Promise<void>
}

/** Opens the zip and detects its format, so that errors are reported immediately. @throws VALIDATION_ERROR */
async function prepareImport(
  zip: string,
  query: ImportQuery,
  { space, link, fileLimit }: Caller,
): Promise<PreparedImport> {
  const { openInThread } = await import('../../import/import-thread.ts')
  const { runImport } = await import('../../import/run-import.ts')
  const { findImportFolder } = await import('../../space/import/find-import-folder.ts')
  const { source, format } = await openInThread({ isUpload: true, path: zip, name: query.name, as: query.as })
  try {
    const { into, dryRun, collections, delete: deletes } = query
    const find = (name: string) =>
      dryRun
        ? space.writeAndRollBack(link, (view) => findImportFolder(view, name))
        : space.write(link, (view) => findImportFolder(view, name))
    const folder = into === undefined ? null : await find(into)
    const chosen = { format, into: folder, isDryRun: dryRun, collections, deletes, link: { ...link, client: 'import' } }
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
