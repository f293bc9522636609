/**
 * Spaces over HTTP, each link at an address of its own:
 *
 *     /links/{secret}/api/v1/…    the REST interface
 *     /links/{secret}/mcp         the Model Context Protocol over Streamable HTTP
 *
 * In place of the secret a bearer link has its ID there, and the secret in `Authorization: Bearer`.
 */
import { randomUUID } from 'node:crypto'
import type { Server as NodeServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { createMcpHandler, type McpHttpHandler, type Server } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import type { Endpoint } from '../endpoint.ts'
import { CONNECTIONS, ENDING_SECONDS } from '../limits.ts'
import { OWN_LINK } from '../space/space.ts'
import type { AddressBudget } from './budget.ts'
import { clientAddress, hurried, type Names, readBody, refuseStrangers, tooSlow } from './guard.ts'
import { keyOfAddress, openLink, wrongSecret } from './links.ts'
import { mcpFactory, tableOf, withCaller } from './mcp.ts'
import { codeOf, type Metrics } from './metrics.ts'
import { answerRest, errorResponse } from './rest.ts'
import { type Caller, run } from './run.ts'
import { Sessions } from './sessions.ts'
import type { Held, Spaces } from './spaces.ts'
import type { Tool } from './table.ts'

export interface HttpOptions extends Names {
  endpoints: readonly Endpoint[]
  version: string
  spaces: Spaces
  addresses: AddressBudget
  /** 0 for any free one. */
  port: number
  /** Certificate and key, as PEM. */
  tls?: { cert: Buffer; key: Buffer }
  /** Whether a proxy in front says whom it speaks for. */
  trustsProxy: boolean
  metrics?: Metrics
  journal: Journal
}

/** What the server writes about itself: never a secret, and no text of a block. */
export interface Journal {
  request(entry: { requestId: string; method: string; route: string; status: number; ms: number; link?: string }): void
  /** A fault of ours, or one sentence. */
  note(line: string): void
}

export interface HttpServer {
  /** Where it listens: scheme, host and port. */
  origin: string
  /** No new calls; the running ones are finished. */
  close(): Promise<void>
}

/** What a request is known by in the journal. */
interface Env {
  Variables: { requestId: string; link?: string }
}
type Asked = Context<Env>

export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { journal, spaces, version } = options
  const served = new ServedLinks(options)
  let running = 0
  let isEnding = false
  const app = new Hono<Env>()

  app.use(async (context, next) => {
    const { req } = context
    const from = performance.now()
    const requestId = randomUUID()
    context.set('requestId', requestId)
    running++
    try {
      const refused = isEnding ? ending() : refuseStrangers(req.raw, options)
      if (refused !== undefined) return refused
      await next()
      context.header('X-Request-Id', requestId)
      return undefined
    } finally {
      running--
      const route = req.path.replace(/^\/links\/[^/]*/, '/links/…')
      const link = context.get('link')
      const status = context.finalized ? context.res.status : 403
      const ms = Math.round(performance.now() - from)
      journal.request({ requestId, method: req.method, route, status, ms, ...(link !== undefined && { link }) })
    }
  })
  app.get('/health', (context) => context.json({ status: 'ok', version, openSpaces: spaces.open }))
  app.all('/links/:address/mcp', (context) => served.answer(context, (call) => served.mcp(call)))
  app.all('/links/:address/api/v1/*', (context) => served.answer(context, (call) => served.rest(call)))
  app.notFound(() => errorResponse(wrongSecret(), journal.note))

  const server = await listen(options, app)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    origin: `${options.tls === undefined ? 'http' : 'https'}://${options.host}:${port}`,
    async close() {
      isEnding = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const deadline = performance.now() + ENDING_SECONDS * 1000
      while (running > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
      await served.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function listen({ host, port, tls }: HttpOptions, app: Hono<Env>): Promise<NodeServer> {
  return new Promise((resolve, reject) => {
    const connectionsOptions = { headersTimeout: 10_000, keepAliveTimeout: 30_000, maxHeaderSize: 16_384 }
    const starting = serve(
      {
        fetch: app.fetch,
        hostname: host,
        port,
        ...(tls === undefined
          ? { serverOptions: connectionsOptions }
          : { createServer: createTlsServer, serverOptions: { ...tls, ...connectionsOptions } }),
      },
      () => resolve(starting as NodeServer),
    ) as NodeServer
    starting.maxHeadersCount = 100
    starting.maxConnections = CONNECTIONS
    starting.once('error', reject)
  })
}

const ending = () =>
  Response.json(
    { error: 'Expected a server that goes on, found one that is ending; try again soon.', code: 'CONFLICT' },
    { status: 503, headers: { 'Retry-After': '5', connection: 'close' } },
  )

/** A request over a link that is open. */
interface LinkCall {
  request: Request
  /** What follows the address of the link. */
  path: string
  caller: Caller
  held: Held
}

class ServedLinks {
  readonly #options: HttpOptions
  readonly #sessions = new Sessions()
  /** The protocol's handler of each link, which holds its subscriptions. */
  readonly #handlers = new Map<string, McpHttpHandler>()

  constructor(options: HttpOptions) {
    this.#options = options
  }

  /** Finds out whose link it is, and answers; what goes wrong is answered as the REST interface does. */
  async answer(context: Asked, work: (call: LinkCall) => Promise<Response>): Promise<Response> {
    const { journal, spaces, addresses } = this.#options
    const from = this.#addressOf(context)
    const address = context.req.param('address') ?? ''
    let held: Held | undefined
    try {
      held = await spaces.hold(keyOfAddress(address))
      const link = await this.#open(held, address, context.req.header('authorization'), from)
      context.set('link', link.id ?? '')
      const { space, budget } = held as Held
      const caller: Caller = { space, budget, link, admitAddress: () => addresses.admit(from) }
      const path = context.req.path.replace(/^\/links\/[^/]*\/(?:mcp|api\/v1)/, '')
      return await work({ request: context.req.raw, path, caller, held: held as Held })
    } catch (error) {
      return errorResponse(error, (line) => journal.note(`${context.get('requestId')} ${line}`))
    } finally {
      held?.release()
    }
  }

  async #open(held: Held | undefined, address: string, authorization: string | undefined, from: string) {
    const bearer = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    try {
      if (held === undefined) throw wrongSecret()
      return await held.space.read(OWN_LINK, (space) => openLink(space, address, bearer))
    } catch (error) {
      // Who tries secrets is counted as well.
      this.#options.addresses.admit(from)
      throw error
    }
  }

  #addressOf(context: Asked): string {
    const peer = getConnInfo(context).remote.address ?? ''
    return clientAddress(peer, this.#options.trustsProxy ? (context.req.header('x-forwarded-for') ?? null) : null)
  }

  async rest({ request, path, caller }: LinkCall): Promise<Response> {
    const { endpoints, journal, version } = this.#options
    const table = tableOf(endpoints, caller.link.kind)
    let isLate = false
    const inTime = hurried(request, () => {
      isLate = true
    })
    const response = await answerRest(inTime, path, {
      endpoints,
      table,
      log: (line) => journal.note(line),
      call: (tool, args, { idempotencyKey }) =>
        this.#observed('rest', tool, () => run(tool, args, caller, idempotencyKey)),
      refused: async () => {
        caller.admitAddress?.()
        return caller.budget?.admit({})
      },
      version,
      baseUrl: this.#baseUrl(request),
      unavailable: async () => {
        const names = await caller.space.read(caller.link, (view) => table.unavailable(view))
        return new Set([...names, ...table.forbidden(caller.link.access)])
      },
    })
    return isLate ? tooSlow() : response
  }

  /** Where the REST interface of this link begins, as its callers see it. */
  #baseUrl({ url }: Request): string {
    const { origin, pathname } = new URL(url)
    return `${this.#options.publicUrl?.replace(/\/+$/, '') ?? origin}${/^\/links\/[^/]*\/api\/v1/.exec(pathname)?.[0]}`
  }

  async mcp({ request, caller, held }: LinkCall): Promise<Response> {
    const { endpoints, version, journal } = this.#options
    const body = await readBody(request)
    if ('refused' in body) return body.refused
    const { method, headers, url, signal } = request
    const linkId = caller.link.id ?? ''
    const named = { ...caller, news: held.newsOf(linkId) }
    const makeServer = (): Server =>
      mcpFactory({
        endpoints,
        version,
        caller: named,
        log: (line) => journal.note(line),
        observe: (tool, work) => this.#observed('mcp', tool, work),
      })()
    const { authInfo } = withCaller(named)
    const hasBody = method === 'POST'
    const whole = new Request(url, { method, headers, signal, ...(hasBody && { body: body.bytes }) })
    const parsed = hasBody ? parse(body.bytes) : undefined
    const inSession = await this.#sessions.answer(whole, parsed, linkId, authInfo, makeServer)
    if (inSession !== undefined) return inSession
    const handler =
      this.#handlers.get(linkId) ?? createMcpHandler(makeServer, { onerror: ({ message }) => journal.note(message) })
    this.#handlers.set(linkId, handler)
    return handler.fetch(whole, { authInfo, ...(parsed !== undefined && { parsedBody: parsed }) })
  }

  async #observed<T extends { blocks?: number }>(
    transport: 'mcp' | 'rest',
    { endpoint }: Tool,
    work: () => Promise<T>,
  ): Promise<T> {
    const { metrics } = this.#options
    const from = performance.now()
    const seen = () => ({ tool: endpoint.name, transport, seconds: (performance.now() - from) / 1000 })
    try {
      const answer = await work()
      metrics?.observe({ ...seen(), ...(answer.blocks !== undefined && { blocks: answer.blocks }) })
      return answer
    } catch (error) {
      metrics?.observe({ ...seen(), error: codeOf(error) })
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#sessions.close()
    for (const handler of this.#handlers.values()) await handler.close()
  }
}

/** None for what is no JSON: the protocol has an answer of its own to that. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
