/** Authenticates requests over links, and answers them over REST and MCP. */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import {
  authenticateAccessLink,
  fileNotFound,
  getActiveLink,
  invalidLink,
  missingMetadata,
  spaceKeyOf,
} from '../auth/access-links/access-links.ts'
import type { IssuerRequest } from '../auth/issuer/embedded-issuer.ts'
import { issuerSpaceKey } from '../auth/issuer/issuer-path.ts'
import { ResourceServer } from '../auth/resource-server/resource-server.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { BODY_SECONDS } from '../base/limits.ts'
import { type Tool, toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { withClientName } from '../call/client-name.ts'
import { noteCutOff } from '../call/error-body.ts'
import { type Caller, type CallResult, countRequest, runCall } from '../call/run.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import { StreamLimit } from '../call/stream-limit.ts'
import { type HttpMcpRequest, StreamableHttp } from '../mcp/streamable-http.ts'
import { clientNameIn } from '../rest/client-headers.ts'
import { CLOSE_CONNECTION, errorResponse, handleRest } from '../rest/rest.ts'
import type { FollowContext } from '../rest/rest-follow.ts'
import { isFullLink, mustPropose } from '../space/model/access.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import { ARCHIVE_OPENAPI_PATHS } from './archives/archive-openapi.ts'
import { ArchiveRoutes } from './archives/archive-routes.ts'
import type { Archives } from './archives/archives.ts'
import { bodyTooSlow, readBodyChunks, withBodyTimeout } from './body-timeout.ts'
import { calendarResponse } from './calendar-response.ts'
import type { CutOff } from './file-response.ts'
import { type FileTransfer, receiveFile, sendFile } from './file-transfers.ts'
import { followContext } from './follow-context.ts'
import type { HttpOptions } from './http-options.ts'
import { measureCall } from './metrics.ts'
import type { Env } from './request-lifecycle.ts'
import { RequestSource } from './request-source.ts'

/** A request over an active link. */
interface LinkRequest extends HttpMcpRequest {
  /** The path after the address of the link. */
  path: string
  /** Writes to the log, with the ID of the request. */
  log: (line: string) => void
  /** Reads the body of the request. */
  readBytes(): AsyncIterable<Uint8Array>
  /** Calls the listener once when the response has been sent, or the client has disconnected. */
  onFinish(listener: () => void): void
}

/** The link of a request, and the properties in which its caller differs from the default. */
interface AuthenticatedRequest extends Partial<Caller> {
  lease: SpaceLease
  link: AccessLink
  lifetime?: number
}

/** The base path of REST, or the address of MCP. */
const BASE_PATH = /^\/(?:links|spaces)\/[^/]*\/(?:mcp|api\/v1)/

export class LinkRoutes {
  readonly #options: HttpOptions
  readonly #mcp: StreamableHttp
  readonly #resourceServer: ResourceServer | undefined
  readonly #source: RequestSource
  readonly #streams = new StreamLimit()
  readonly #archives: ArchiveRoutes
  /** Aborted when the server shuts down. */
  readonly #ending = new AbortController()

  constructor(options: HttpOptions, archives: Archives) {
    this.#options = options
    this.#archives = new ArchiveRoutes(archives)
    this.#resourceServer = options.signIn && new ResourceServer(options.signIn)
    const { spaces, metrics, pages } = options
    this.#mcp = new StreamableHttp({
      ...options,
      streams: this.#streams,
      acquireSpace: (linkId) => spaces.acquire(spaceKeyOf(linkId)),
      observe: (tool, work) => measureCall(metrics, 'mcp', tool, work),
      ...(pages && { views: async () => (await pages.load()).views }),
    })
    this.#source = new RequestSource(options)
  }

  /** Authenticates a request and runs work. Errors are reported in the format of the REST interface. */
  async handle(context: Context<Env>, work: (call: LinkRequest) => Promise<Response>): Promise<Response> {
    const { timeouts } = this.#options
    const { req, env } = context
    const requestContext = context.get('requestContext')
    const { log } = requestContext
    const remoteAddress = this.#source.clientAddress(context)
    try {
      const { lease, link, lifetime, ...callerParts } = await this.#authenticate(context, remoteAddress)
      requestContext.onFinish(() => lease.release())
      requestContext.link = link.id
      const files = this.#filesOver(req.url, link.id ?? '')
      const caller = { ...this.#createCaller(lease, { ...link, files }, remoteAddress), ...callerParts }
      const path = req.path.replace(BASE_PATH, '')
      const readBytes = () => readBodyChunks(env.incoming)
      const call: LinkRequest = {
        request: req.raw,
        path,
        caller,
        lease,
        log,
        readBytes,
        onFinish: (listener) => requestContext.onFinish(listener),
        markLongLived: () => requestContext.finish(),
        lifetime,
      }
      const response = await withBodyTimeout(env.incoming, timeouts?.body ?? BODY_SECONDS, () => work(call))
      return response ?? (await this.#timedOut(caller))
    } catch (error) {
      return errorResponse(error, log)
    }
  }

  /** How many streams and waiting requests are open. */
  get openStreams(): number {
    return this.#streams.count
  }

  /** Serves the file of a file address. */
  serveFile(context: Context<Env>): Promise<Response> {
    return this.#handleTransfer(context, sendFile)
  }

  /** Receives the file for an upload address. */
  receiveUpload(context: Context<Env>): Promise<Response> {
    return this.#handleTransfer(context, (transfer, remoteAddress) => {
      const callerOf = (link: AccessLink): Caller => {
        context.get('requestContext').link = link.id
        const files = this.#filesOver(context.req.url, transfer.token)
        return this.#createCaller(transfer.lease, named({ ...link, files }, context.req.raw), remoteAddress)
      }
      return receiveFile(transfer, this.#options.endpoints, callerOf, (tool, args, caller, envelope) =>
        this.#measure(tool, () => runCall(tool, args, caller, { ...envelope, idSpelling: 'long' })),
      )
    })
  }

  /** Handles a request with an address whose secret is not that of a link. */
  async #handleTransfer(
    context: Context<Env>,
    work: (transfer: FileTransfer, from: string) => Promise<Response>,
  ): Promise<Response> {
    const { timeouts, addressLimiter, spaces } = this.#options
    const { req, env } = context
    const requestContext = context.get('requestContext')
    const { log } = requestContext
    const remoteAddress = this.#source.clientAddress(context)
    const token = req.param('token') ?? ''
    try {
      const lease = await spaces.acquire(spaceKeyOf(token))
      if (lease === undefined) throw fileNotFound()
      requestContext.onFinish(() => lease.release())
      const cutOff: CutOff = (error, what) => {
        noteCutOff(error, what, log)
        env.outgoing.destroy()
      }
      const response = await withBodyTimeout(env.incoming, timeouts?.body ?? BODY_SECONDS, () =>
        work({ request: req.raw, lease, token, readBytes: () => readBodyChunks(env.incoming), cutOff }, remoteAddress),
      )
      return response ?? bodyTooSlow()
    } catch (error) {
      try {
        // Guessing secrets is rate limited.
        await addressLimiter.acquire(remoteAddress)
      } catch (limited) {
        return errorResponse(limited, log, CLOSE_CONNECTION)
      }
      return errorResponse(error, log, CLOSE_CONNECTION)
    }
  }

  /** Returns the link of an address or, for the address of a space, the link of the signed-in participant. */
  async #authenticate(context: Context<Env>, remoteAddress: string): Promise<AuthenticatedRequest> {
    const { req, env } = context
    const bearer = parseBearer(req.header('authorization'))
    const address = req.param('address')
    if (address === undefined) {
      const acquireSpace = (key: string) => this.#options.spaces.acquire(key)
      return this.#source.countFailures(remoteAddress, async () => {
        if (this.#resourceServer === undefined) throw invalidLink()
        return this.#resourceServer.authenticate(req.url, bearer, this.#source.serverAddress(env), acquireSpace)
      })
    }
    const lease = await this.#acquireSpace(address, remoteAddress)
    context.get('requestContext').onFinish(() => lease.release())
    const open = () => lease.space.read(OPERATOR_LINK, (space) => authenticateAccessLink(space, address, bearer))
    const failed = () => lease.space.failedSignIns.note(remoteAddress, 'link')
    return { lease, link: await this.#source.countFailures(remoteAddress, open, failed) }
  }

  /** Returns the metadata of a protected resource. */
  metadata({ req, env }: Context<Env>): Response {
    const metadata = this.#resourceServer?.metadata(req.url, this.#source.serverAddress(env))
    return metadata ?? errorResponse(missingMetadata(), this.#options.logger.error)
  }

  /** Passes requests to the issuer of a space. */
  async handleIssuer(context: Context<Env>): Promise<Response> {
    const { signIn, spaces, addressLimiter, timeouts } = this.#options
    const { req, env } = context
    const requestContext = context.get('requestContext')
    const { log } = requestContext
    const remoteAddress = this.#source.clientAddress(context)
    try {
      // Guessing passwords and codes is rate limited.
      await addressLimiter.acquire(remoteAddress)
      const lease = await spaces.acquire(issuerSpaceKey(req.path))
      if (lease !== undefined) requestContext.onFinish(() => lease.release())
      if (lease === undefined || signIn?.embedded === undefined) throw invalidLink()
      const { incoming, outgoing } = env as HttpBindings
      const call: IssuerRequest = {
        request: req.raw,
        incoming,
        outgoing,
        lease,
        address: this.#source.serverAddress(env),
        from: remoteAddress,
      }
      const handling = signIn.embedded.handle.bind(signIn.embedded, call)
      return (await withBodyTimeout(incoming, timeouts?.body ?? BODY_SECONDS, handling)) ?? bodyTooSlow()
    } catch (error) {
      const isMissing = error instanceof ScriptoriumError && error.code === 'INVALID_AUTH_HEADER'
      return errorResponse(isMissing && req.path.startsWith('/.well-known/') ? missingMetadata() : error, log)
    }
  }

  /** Gives the calendar of a link that opens one. */
  async serveCalendar(context: Context<Env>): Promise<Response> {
    const { req } = context
    const requestContext = context.get('requestContext')
    const remoteAddress = this.#source.clientAddress(context)
    try {
      const address = req.param('address') ?? ''
      const lease = await this.#acquireSpace(address, remoteAddress)
      requestContext.onFinish(() => lease.release())
      const open = () =>
        lease.space.read(OPERATOR_LINK, (view) => authenticateAccessLink(view, address, undefined, 'calendar'))
      const failed = () => lease.space.failedSignIns.note(remoteAddress, 'link')
      const link = await this.#source.countFailures(remoteAddress, open, failed)
      requestContext.link = link.id
      const caller = this.#createCaller(lease, link, remoteAddress)
      await countRequest(caller)
      return await calendarResponse(req.raw, caller)
    } catch (error) {
      return errorResponse(error, requestContext.log)
    }
  }

  #createCaller({ space, rateLimiter }: SpaceLease, link: AccessLink, remoteAddress: string): Caller {
    const { addressLimiter, fileLimit } = this.#options
    const acquireAddress = (count?: number) => addressLimiter.acquire(remoteAddress, count)
    const currentLink = () => space.read(OPERATOR_LINK, (view) => getActiveLink(view, link.id ?? ''))
    return {
      space,
      rateLimiter,
      link,
      currentLink,
      acquireAddress,
      ...(fileLimit !== undefined && { fileLimit }),
    }
  }

  async #acquireSpace(address: string, remoteAddress: string): Promise<SpaceLease> {
    const lease = await this.#options.spaces.acquire(spaceKeyOf(address))
    return lease ?? this.#source.countFailures(remoteAddress, () => Promise.reject(invalidLink()))
  }

  async #timedOut({ acquireAddress }: Caller): Promise<Response> {
    await acquireAddress?.()
    return bodyTooSlow()
  }

  async handleRestRequest(linkRequest: LinkRequest): Promise<Response> {
    const { request, path, log, readBytes } = linkRequest
    const caller = { ...linkRequest.caller, link: named(linkRequest.caller.link, request) }
    const { endpoints, version } = this.#options
    const catalog = toolCatalogFor(endpoints, caller.link.kind)
    return handleRest(request, path, {
      endpoints,
      catalog,
      log,
      readBytes,
      call: (tool, args, { idempotencyKey: key, ...other }) =>
        this.#measure(tool, () =>
          runCall(tool, args, caller, { ...(key !== undefined && { idempotencyKey: key }), ...other, overRest: true }),
        ),
      follow: this.#followContext({ ...linkRequest, caller }),
      countRefused: () => countRequest(caller),
      version,
      baseUrl: () => this.#baseUrl(request),
      proposes: mustPropose(caller.link),
      ...(isFullLink(caller.link) && { morePaths: ARCHIVE_OPENAPI_PATHS }),
      unavailable: () => caller.space.read(caller.link, (view) => catalog.unavailable(view)),
    })
  }

  /** Handles imports and exports. */
  handleArchiveRequest({ caller, ...linkRequest }: LinkRequest): Promise<Response> {
    const key = spaceKeyOf(caller.link.id ?? '')
    return this.#archives.handle({ ...linkRequest, caller, acquireLease: () => this.#options.spaces.acquire(key) })
  }

  #followContext({ caller, lease, onFinish, markLongLived, lifetime }: LinkRequest): FollowContext {
    const { metrics, spaces } = this.#options
    const holder = caller.link.id ?? ''
    const server = { spaces, metrics, streams: this.#streams, ending: this.#ending.signal }
    const request = { caller, lease, key: spaceKeyOf(holder), holder, lifetime, onFinish, markLongLived }
    return followContext(server, request)
  }

  /** Builds file addresses for the client. Lazy, since most calls return no file address and need no URL parsed. */
  #filesOver(url: string, address: string): NonNullable<AccessLink['files']> {
    const origin = () => this.#source.publicOrigin(url)
    return {
      key: spaceKeyOf(address),
      get origin() {
        return origin()
      },
    }
  }

  /** The base address of a link's REST interface. */
  #baseUrl({ url }: Request): string {
    return `${this.#source.publicOrigin(url)}${BASE_PATH.exec(new URL(url).pathname)?.[0]}`
  }

  handleMcpRequest(call: LinkRequest): Promise<Response> {
    return this.#mcp.handle(call)
  }

  #measure(tool: Tool, work: () => Promise<CallResult>): Promise<CallResult> {
    return measureCall(this.#options.metrics, 'rest', tool, work)
  }

  /** Answers waiting requests, and ends streams. */
  endWaiting(): void {
    this.#ending.abort()
  }

  async close(): Promise<void> {
    await this.#mcp.close()
  }
}

/** The link with the name of the client that sent a request. Over MCP, clients name themselves in messages. */
const named = (link: AccessLink, { headers }: Request): AccessLink => withClientName(link, clientNameIn(headers))

const parseBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
