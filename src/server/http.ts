/**
 * Spaces over HTTP, each link at an address of its own:
 *
 *     /links/{secret}/api/v1/…    the REST interface
 *     /links/{secret}/mcp         the Model Context Protocol over Streamable HTTP
 *     /files/{secret}/{name}      a file, by a secret of its own
 *     /uploads/{secret}           takes one file by PUT, where files_add gave that address
 *
 * In place of the secret a bearer link has its ID there, and the secret in `Authorization: Bearer`. Those who sign in
 * have addresses of the space itself: oauth/sign-in.ts.
 */
import {
  createServer,
  type IncomingMessage,
  type Server as NodeServer,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { getRequestListener, RequestError } from '@hono/node-server'
import { Hono } from 'hono'
import type { Endpoint, Resource } from '../endpoint.ts'
import { invalid } from '../errors.ts'
import {
  CONNECTIONS,
  ENDING_SECONDS,
  HEADER_BYTES,
  HEADERS_SECONDS,
  KEPT_ALIVE_SECONDS,
  PARTING_SECONDS,
  UNREAD_SECONDS,
} from '../limits.ts'
import type { AddressBudget } from './budget.ts'
import { forwardedAddress, type ProxyTrust, trustedHops } from './client-address.ts'
import { ConnectionLimiter, type ConnectionLimits, endUnread, limitsBy } from './connection-limits.ts'
import { type Env, Exchange, Exchanges } from './exchange.ts'
import { type Names, refusal, refuseStrangers } from './guard.ts'
import { originOf, wrongSecret } from './links.ts'
import type { Metrics } from './metrics.ts'
import type { SignInOptions } from './oauth/sign-in.ts'
import { partingInStages } from './parting.ts'
import { errorResponse } from './rest.ts'
import { ServedLinks } from './served.ts'
import type { Spaces } from './spaces.ts'

export interface HttpOptions extends Names, ProxyTrust {
  endpoints: readonly Endpoint[]
  resources: readonly Resource[]
  version: string
  spaces: Spaces
  addresses: AddressBudget
  /** 0 for any free one. */
  port: number
  /** Certificate and key, as PEM. */
  tls?: { cert: Buffer; key: Buffer }
  /** Bytes of one file at most, where another limit than the standard is wanted. */
  fileLimit?: number
  /** How those are let in who sign in elsewhere; nobody is without it. */
  signIn?: SignInOptions
  metrics?: Metrics
  journal: Journal
  /** Seconds that headers, bodies, partings and the reading of answers may take, where others than those of the limits are wanted. */
  patience?: { headers?: number; body?: number; parting?: number; unread?: number }
  /** Connections of one address at once and who is exempt, where others than those of the limits are wanted. */
  connectionLimits?: Partial<ConnectionLimits>
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

export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { journal, spaces, version, host, tls } = options
  const served = new ServedLinks(options)
  const exchanges = new Exchanges()
  const limiter = new ConnectionLimiter({ ...limitsBy(options), ...options.connectionLimits })
  const isTrusted = trustedHops(options)
  let isEnding = false
  const app = new Hono<Env>({ strict: false })

  app.use(async (context, next) => {
    const { req, env } = context
    const exchange = new Exchange(env.outgoing)
    context.set('exchange', exchange)
    exchanges.begin(exchange)
    const { requestId } = exchange
    env.outgoing.setHeader('X-Request-Id', requestId)
    exchange.whenOver(({ status, ms, link }) => {
      const route = routeOf(req.path)
      journal.request({ requestId, method: req.method, route, status, ms, ...(link !== undefined && { link }) })
    })
    const peer = env.incoming.socket.remoteAddress ?? ''
    const client = forwardedAddress(peer, req.header('x-forwarded-for'), isTrusted)
    const isOneTooMany =
      client !== undefined && !limiter.admit(client, env.incoming as IncomingMessage, env.outgoing as ServerResponse)
    const refused = isEnding ? ending() : isOneTooMany ? tooMany(limiter.most) : refuseStrangers(req.raw, options)
    if (refused !== undefined) return refused
    return next()
  })
  app.get('/health', (context) => context.json({ status: 'ok', version, openSpaces: spaces.open }))
  app.all('/links/:address/mcp', (context) => served.answer(context, (call) => served.mcp(call)))
  app.all('/links/:address/api/v1/*', (context) => served.answer(context, (call) => served.rest(call)))
  if (options.signIn !== undefined) {
    app.all('/spaces/:space/mcp', (context) => served.answer(context, (call) => served.mcp(call)))
    app.all('/spaces/:space/api/v1/*', (context) => served.answer(context, (call) => served.rest(call)))
    app.get('/.well-known/oauth-protected-resource/*', (context) => served.metadata(context))
  }
  if (options.signIn?.embedded !== undefined) {
    app.all('/spaces/:space/oauth/*', (context) => served.issuer(context))
    app.get('/.well-known/oauth-authorization-server/*', (context) => served.issuer(context))
    app.get('/.well-known/openid-configuration/*', (context) => served.issuer(context))
  }
  app.all('/files/:token/:name?', (context) => served.file(context))
  app.put('/uploads/:token', (context) => served.upload(context))
  app.notFound(() => errorResponse(wrongSecret(), journal.note))
  app.onError((error) => errorResponse(error, journal.note))

  const server = await listen(options, app, limiter)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    origin: originOf({ host, port, isSecure: tls !== undefined }),
    async close() {
      isEnding = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await exchanges.over(ENDING_SECONDS * 1000)
      await served.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(options: HttpOptions, app: Hono<Env>, limiter: ConnectionLimiter): Promise<NodeServer> {
  const { host, port, tls, patience, journal } = options
  const headersTimeout = (patience?.headers ?? HEADERS_SECONDS) * 1000
  const connections = {
    // Of connections that send nothing at all, too; those that begin with a TLS handshake have as long for that.
    headersTimeout,
    handshakeTimeout: headersTimeout,
    // How often they are looked at.
    connectionsCheckingInterval: headersTimeout / 4,
    keepAliveTimeout: KEPT_ALIVE_SECONDS * 1000,
    maxHeaderSize: HEADER_BYTES,
    // Bodies have a time of their own.
    requestTimeout: 0,
  }
  const answer = getRequestListener(app.fetch, {
    errorHandler: (error) => errorResponse(ofCaller(error), journal.note),
  })
  const answerSafely: RequestListener = (incoming, outgoing) => {
    // Set before anything can answer, so that no answer is without it.
    outgoing.setHeader('X-Content-Type-Options', 'nosniff')
    endUnread(outgoing)
    return answer(incoming, outgoing)
  }
  const listener = partingInStages(answerSafely, patience?.parting ?? PARTING_SECONDS)
  const server =
    tls === undefined ? createServer(connections, listener) : createTlsServer({ ...tls, ...connections }, listener)
  // The bytes of headers are bounded; of those within the bound none is passed over.
  server.maxHeadersCount = 0
  server.maxConnections = CONNECTIONS
  server.timeout = (patience?.unread ?? UNREAD_SECONDS) * 1000
  limiter.watch(server)
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog: CONNECTIONS }, () => resolve(server))
  })
}

/** What cannot become a request at all. */
const ofCaller = (error: unknown): unknown =>
  error instanceof RequestError
    ? invalid('Expected a request with a path and the name of this server as Host, found another; see RFC 9112.')
    : error

const ending = () => {
  const refused = refusal(503, 'CONFLICT', 'Expected a server that goes on, found one that is ending; try again soon.')
  refused.headers.set('Retry-After', '5')
  return refused
}

const tooMany = (most: number) => {
  const refused = refusal(
    429,
    'RATE_LIMITED',
    `Expected at most ${most} requests at once from one address, found that many under way; wait for their answers, then try again.`,
  )
  refused.headers.set('Retry-After', '1')
  return refused
}

/** A part of a path that is longer than the longest that is no secret: an ID. */
const LONGER_PART = /[^/]{37,}/g

/**
 * A path as the journal may have it: whatever is an address of a link, or could be one that stands in a wrong place, is
 * left out.
 */
const routeOf = (path: string): string =>
  path
    .replace(/^\/links\/[^/]*/, '/links/…')
    .replace(/^\/(files|uploads)\/.*/, '/$1/…')
    .replace(/\/oauth\/(auth|interaction)\/.*/, '/oauth/$1/…')
    .replace(LONGER_PART, '…')
