/**
 * Imports and exports archives over HTTP, for links that reach the whole space and may change it:
 *
 *     POST {base}/import?name=…     accepts a zip, and imports it after responding
 *     GET  {base}/import/{id}       its progress and report
 *     GET  {base}/export            a zip of all documents, or of the given ones
 */

import { ScriptoriumError } from '../../base/errors.ts'
import type { Caller } from '../../call/caller.ts'
import { rateLimitHeaders } from '../../call/rate-limit-headers.ts'
import { countRequest } from '../../call/run.ts'
import { MethodNotAllowed } from '../../rest/rest-routes.ts'
import { isFullLink } from '../../space/model/access.ts'
import { readExportQuery, readImportQuery } from './archive-query.ts'
import type { Archives } from './archives.ts'
import { type ExportContext, sendMarkdown } from './export-files.ts'
import { importStatus } from './import-jobs.ts'
import type { ImportContext } from './import-runs.ts'
import { assertUploadSize, receiveUpload } from './received-file.ts'

export interface ArchiveRequest extends ImportContext, ExportContext {
  request: Request
  /** The path after {base}. */
  path: string
  /** Reads the body of the request. */
  readBytes(): AsyncIterable<Uint8Array>
}

export class ArchiveRoutes {
  readonly #archives: Archives

  constructor(archives: Archives) {
    this.#archives = archives
  }

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
    const { request, path, readBytes, log } = call
    assertMethod(request, path, 'POST')
    const query = readImportQuery(new URL(request.url).searchParams)
    const status = await this.#archives.imports.start(call, query, () => {
      assertUploadSize(request)
      return receiveUpload(log, (store) => store(readBytes()))
    })
    return respond(status, 202, { ...headers, Location: `import/${status.id}` })
  }

  async #export(call: ArchiveRequest, headers: Record<string, string>): Promise<Response> {
    const { request, path } = call
    assertMethod(request, path, 'GET')
    const query = readExportQuery(new URL(request.url).searchParams)
    const file = { name: 'export.zip', type: 'application/zip' }
    return this.#archives.exports.run(call, () => sendMarkdown(call, file, query, headers))
  }
}

function assertFull({ link }: Caller, path: string): void {
  if (isFullLink(link)) return
  const { kind, access } = link
  if (kind !== 'full') {
    throw new ScriptoriumError(
      'NOT_AVAILABLE',
      `Expected a path of this connection, found ${path.slice(0, 100)}, which only full connections have; ask the person who made this link for another one.`,
    )
  }
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
