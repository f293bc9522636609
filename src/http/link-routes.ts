/** Requests over links: whose link it is, and what is answered over REST and MCP. */

import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
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
import type { ServerAddress } from '../auth/resource-server/token-issuer.ts'
import { clientAddress, createHopTrust, type TrustHop } from '../base/client-address.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { BODY_SECONDS } from '../base/limits.ts'
import { type Caller, type CallResult, noteCutOff, runCall, startAcquiring } from '../call/run.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import { type Tool, toolCatalogFor } from '../call/tool-catalog.ts'
import { type HttpMcpRequest, StreamableHttp } from '../mcp/streamable-http.ts'
import { CLOSE_CONNECTION, errorResponse, handleRest } from '../rest/rest.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import { bodyTooSlow, withBodyTimeout } from './body-timeout.ts'
import type { CutOff } from './file-response.ts'
import { type FileTransfer, receiveFile, sendFile } from './file-transfers.ts'
import type { HttpOptions } from './http-options.ts'
import { measureCall } from './metrics.ts'
import type { Env } from './request-lifecycle.ts'

/** A request over a link that is open. */
interface LinkRequest extends HttpMcpRequest {
  /** What follows the address of the link. */
  path: string
  /** Writes to the log, with the ID of the request. */
  log: (line: string) => void
  /** The body of the request. */
  readBytes(): AsyncIterable<Uint8Array>
}

/** Whose a request is, and what of its caller is not as with other links. */
interface AuthenticatedRequest extends Partial<Caller> {
  lease: SpaceLease
  link: AccessLink
  lifetime?: number
}

/** Where REST begins, and the address of MCP. */
const BASE_PATH = /^\/(?:links|spaces)\/[^/]*\/(?:mcp|api\/v1)/

export class LinkRoutes {
  readonly #options: HttpOptions
  readonly #mcp: StreamableHttp
  readonly #resourceServer: ResourceServer | undefined
  readonly #isTrusted: TrustHop

  constructor(options: HttpOptions) {
    this.#options = options
    this.#resourceServer = options.signIn && new ResourceServer(options.signIn)
    const { spaces, metrics } = options
    this.#mcp = new StreamableHttp({
      ...options,
      acquireSpace: (linkId) => spaces.acquire(spaceKeyOf(linkId)),
      observe: (tool, work) => measureCall(metrics, 'mcp', tool, work),
    })
    this.#isTrusted = createHopTrust(options)
  }

  /** Finds out whose link it is, and answers; what goes wrong is answered as the REST interface does. */
  async handle(context: Context<Env>, work: (call: LinkRequest) => Promise<Response>): Promise<Response> {
    const { logger, timeouts } = this.#options
    const { req, env } = context
    const requestContext = context.get('requestContext')
    const log = (line: string) => logger.warn(`${requestContext.requestId} ${line}`)
    const remoteAddress = this.#clientAddress(context)
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
        markLongLived: () => requestContext.finish(),
        lifetime,
      }
      const response = await withBodyTimeout(env.incoming, timeouts?.body ?? BODY_SECONDS, () => work(call))
      return response ?? (await this.#timedOut(caller))
    } catch (error) {
      return errorResponse(error, log)
    }
  }

  /** The file that an address of its own leads to. */
  serveFile(context: Context<Env>): Promise<Response> {
    return this.#handleTransfer(context, sendFile)
  }

  /** Takes the one file that an address waits for. */
  receiveUpload(context: Context<Env>): Promise<Response> {
    return this.#handleTransfer(context, (transfer, remoteAddress) => {
      const callerOf = (link: AccessLink): Caller => {
        context.get('requestContext').link = link.id
        const files = this.#filesOver(context.req.url, transfer.token)
        return this.#createCaller(transfer.lease, { ...link, files }, remoteAddress)
      }
      return receiveFile(transfer, this.#options.endpoints, callerOf, (tool, args, caller, envelope) =>
        this.#measure(tool, () => runCall(tool, args, caller, { ...envelope, idSpelling: 'long' })),
      )
    })
  }

  /** Answers a request by an address whose secret is no link's. */
  async #handleTransfer(
    context: Context<Env>,
    work: (transfer: FileTransfer, from: string) => Promise<Response>,
  ): Promise<Response> {
    const { logger, timeouts, addressLimiter, spaces } = this.#options
    const { req, env } = context
    const requestContext = context.get('requestContext')
    const log = (line: string) => logger.warn(`${requestContext.requestId} ${line}`)
    const remoteAddress = this.#clientAddress(context)
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
        // Who tries secrets is counted.
        addressLimiter.acquire(remoteAddress)
      } catch (limited) {
        return errorResponse(limited, log, CLOSE_CONNECTION)
      }
      return errorResponse(error, log, CLOSE_CONNECTION)
    }
  }

  /** The link of an address, or that of who signed in where the address is the space's. */
  async #authenticate(context: Context<Env>, remoteAddress: string): Promise<AuthenticatedRequest> {
    const { req, env } = context
    const bearer = parseBearer(req.header('authorization'))
    const address = req.param('address')
    if (address === undefined) {
      const acquireSpace = (key: string) => this.#options.spaces.acquire(key)
      return this.#countFailures(remoteAddress, async () => {
        if (this.#resourceServer === undefined) throw invalidLink()
        return this.#resourceServer.authenticate(req.url, bearer, this.#serverAddress(env), acquireSpace)
      })
    }
    const lease = await this.#acquireSpace(address, remoteAddress)
    context.get('requestContext').onFinish(() => lease.release())
    const open = () => lease.space.read(OPERATOR_LINK, (space) => authenticateAccessLink(space, address, bearer))
    return { lease, link: await this.#countFailures(remoteAddress, open) }
  }

  /** What the address of a space asks of those who sign in. */
  metadata({ req, env }: Context<Env>): Response {
    const metadata = this.#resourceServer?.metadata(req.url, this.#serverAddress(env))
    return metadata ?? errorResponse(missingMetadata(), this.#options.logger.warn)
  }

  /** Requests to the issuer of a space. */
  async handleIssuer(context: Context<Env>): Promise<Response> {
    const { signIn, spaces, addressLimiter, logger, timeouts } = this.#options
    const { req, env } = context
    const requestContext = context.get('requestContext')
    const log = (line: string) => logger.warn(`${requestContext.requestId} ${line}`)
    const remoteAddress = this.#clientAddress(context)
    try {
      // Passwords and codes could be tried here.
      addressLimiter.acquire(remoteAddress)
      const lease = await spaces.acquire(issuerSpaceKey(req.path))
      if (lease !== undefined) requestContext.onFinish(() => lease.release())
      if (lease === undefined || signIn?.embedded === undefined) throw invalidLink()
      const { incoming, outgoing } = env as HttpBindings
      const call: IssuerRequest = {
        request: req.raw,
        incoming,
        outgoing,
        lease,
        address: this.#serverAddress(env),
        from: remoteAddress,
      }
      const handling = signIn.embedded.handle.bind(signIn.embedded, call)
      return (await withBodyTimeout(incoming, timeouts?.body ?? BODY_SECONDS, handling)) ?? bodyTooSlow()
    } catch (error) {
      const isMissing = error instanceof ScriptoriumError && error.code === 'INVALID_AUTH_HEADER'
      return errorResponse(isMissing && req.path.startsWith('/.well-known/') ? missingMetadata() : error, log)
    }
  }

  #serverAddress({ incoming }: Env['Bindings']): ServerAddress {
    const { host, port, tls, publicUrl } = this.#options
    const listening = incoming.socket.localPort ?? port
    return { host, port: listening, isSecure: tls !== undefined, ...(publicUrl !== undefined && { publicUrl }) }
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
    return lease ?? this.#countFailures(remoteAddress, () => Promise.reject(invalidLink()))
  }

  /** Who tries secrets is counted as well. */
  async #countFailures<T>(remoteAddress: string, open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      this.#options.addressLimiter.acquire(remoteAddress)
      throw error
    }
  }

  async #timedOut({ acquireAddress }: Caller): Promise<Response> {
    acquireAddress?.()
    return bodyTooSlow()
  }

  #clientAddress(context: Context<Env>): string {
    const peer = getConnInfo(context).remote.address ?? ''
    return clientAddress(peer, context.req.header('x-forwarded-for'), this.#isTrusted)
  }

  async handleRestRequest({ request, path, caller, log, readBytes }: LinkRequest): Promise<Response> {
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
      countRefused: () => startAcquiring(caller)({}),
      version,
      baseUrl: () => this.#baseUrl(request),
      unavailable: async () => {
        const names = await caller.space.read(caller.link, (view) => catalog.list.unavailable(view))
        return new Set([...names, ...catalog.list.forbidden(caller.link.access)])
      },
    })
  }

  /** Where the client reads and sends files. Lazy, since most calls return no file address and need no URL parsed. */
  #filesOver(url: string, address: string): NonNullable<AccessLink['files']> {
    const origin = () => this.#publicOrigin(url)
    return {
      key: spaceKeyOf(address),
      get origin() {
        return origin()
      },
    }
  }

  /** Where the server is, as the callers see it. */
  #publicOrigin(url: string): string {
    return this.#options.publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin
  }

  /** Where the REST interface of a link begins. */
  #baseUrl({ url }: Request): string {
    return `${this.#publicOrigin(url)}${BASE_PATH.exec(new URL(url).pathname)?.[0]}`
  }

  handleMcpRequest(call: LinkRequest): Promise<Response> {
    return this.#mcp.handle(call)
  }

  #measure(tool: Tool, work: () => Promise<CallResult>): Promise<CallResult> {
    return measureCall(this.#options.metrics, 'rest', tool, work)
  }

  close(): Promise<void> {
    return this.#mcp.close()
  }
}

/** The bytes of a body. Who stops reading leaves the connection open for the answer. */
const readBodyChunks = (incoming: Env['Bindings']['incoming']): AsyncIterable<Uint8Array> =>
  incoming.iterator({ destroyOnReturn: false })

const parseBearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
