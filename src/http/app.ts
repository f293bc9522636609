/**
 * Serves spaces over HTTP. Each link has its own address:
 *
 *     /links/{secret}/api/v1/…    the REST interface
 *     /links/{secret}/mcp         the Model Context Protocol over Streamable HTTP
 *     /links/{secret}/calendar.ics  the calendar of a link that opens one
 *     /files/{secret}/{name}      a file, by its own secret
 *     /uploads/{secret}           receives one file by PUT, at an address from files_add
 *     /view/{key}/…               the pages for people: page-routes.ts
 *
 * Addresses of bearer links contain the ID instead, and the secret is sent as `Authorization: Bearer`. People who sign
 * in use the addresses in auth/resource-server/resource-server.ts.
 */
import {
  createServer,
  type IncomingMessage,
  type Server as NodeServer,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import { getRequestListener, RequestError } from '@hono/node-server'
// The listener replaces the global Response. This module must create its marker of sent responses before that.
import '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { formatOrigin, invalidLink, missingMetadata } from '../auth/access-links/access-links.ts'
import { inBackground } from '../base/background.ts'
import { createHopTrust, forwardedAddress, originAddress } from '../base/client-address.ts'
import { invalid } from '../base/errors.ts'
import {
  HEADER_BYTES,
  HEADERS_SECONDS,
  KEEP_ALIVE_SECONDS,
  LINGER_SECONDS,
  MAX_CONNECTIONS,
  SHUTDOWN_SECONDS,
  WRITE_STALL_SECONDS,
} from '../base/limits.ts'
import { withOrigin } from '../base/origin.ts'
import { refusalResponse } from '../call/input/request-body.ts'
import { noteInRequest, withRequestNotes } from '../call/request-notes.ts'
import { errorResponse } from '../rest/rest.ts'
import { Archives } from './archives/archives.ts'
import { compression } from './compression.ts'
import { ConnectionLimiter, closeUnreadResponses, limitsBy } from './connection-limits.ts'
import { lingeringClose } from './graceful-close.ts'
import { rejectForeignRequest } from './guard.ts'
import type { HttpOptions } from './http-options.ts'
import { assertSocketAddress } from './inherited-socket.ts'
import { landingPage } from './landing-page.ts'
import { LinkRoutes } from './link-routes.ts'
import { listening } from './listening.ts'
import { PageRoutes } from './page-routes.ts'
import { rejectUncheckedCondition } from './preconditions.ts'
import { ActiveRequests, type Env, RequestContext } from './request-lifecycle.ts'

/** Paths below a link's REST interface for importing and exporting archives. */
const ARCHIVE_PATHS = ['import', 'import/:id', 'export']

/** Pages with what they load, and answers over REST. */
const COMPRESSED_PATHS = [
  '/view/*',
  '/page/*',
  '/links/:address/api/*',
  '/links/:address/calendar.ics',
  '/spaces/:space/api/*',
]

export interface HttpServer {
  /** Scheme, host and port that it listens on. */
  origin: string
  /** Uses another certificate for new connections. */
  useCertificate(certificate: { cert: Buffer; key: Buffer }): void
  /** Refuses new calls and finishes active ones. */
  close(): Promise<void>
}

export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { logger, spaces, version, host, tls } = options
  const archives = new Archives()
  const linkRoutes = new LinkRoutes(options, archives)
  const activeRequests = new ActiveRequests()
  const limiter = new ConnectionLimiter({ ...limitsBy(options), ...options.connectionLimits })
  const isTrusted = createHopTrust(options)
  let isShuttingDown = false
  const app = new Hono<Env>({ strict: false })

  app.use(async (context, next) => {
    const { req, env } = context
    const requestContext = new RequestContext(env.outgoing, logger)
    context.set('requestContext', requestContext)
    activeRequests.add(requestContext)
    const { requestId } = requestContext
    env.outgoing.setHeader('X-Request-Id', requestId)
    const peer = env.incoming.socket.remoteAddress ?? ''
    const origin = originAddress(peer, req.header('x-forwarded-for'), isTrusted)
    const client = forwardedAddress(peer, req.header('x-forwarded-for'), isTrusted)
    requestContext.onFinish((summary) => {
      options.metrics?.observeResponse(summary)
      if (PROBES.has(req.path) && summary.status < 400) return
      const route = redactPath(req.path)
      logger.request({
        requestId,
        method: req.method,
        route,
        client: origin,
        ...summary,
      })
    })
    const isOneTooMany =
      client !== undefined && !limiter.admit(client, env.incoming as IncomingMessage, env.outgoing as ServerResponse)
    const refuse = () =>
      isShuttingDown
        ? shuttingDownResponse()
        : isOneTooMany
          ? tooMany(limiter.most)
          : (rejectForeignRequest(req.raw, options) ?? rejectUncheckedCondition(req.raw))
    const answer = async () => {
      const refusal = refuse()
      return refusal === undefined ? next() : ((await pageRoutes?.refused(context, refusal)) ?? refusal)
    }
    return withOrigin(origin, () => withRequestNotes(requestContext.notes, answer))
  })
  for (const path of COMPRESSED_PATHS) app.use(path, compression())
  app.get('/health', (context) =>
    context.json({
      status: 'ok',
      version,
      openSpaces: spaces.openCount,
      ...(spaces.migratingCount > 0 && { migratingSpaces: spaces.migratingCount }),
      ...options.healthDetails,
    }),
  )
  app.get('/ready', async (context) => {
    const { code, degraded } = (await options.readiness?.state()) ?? { degraded: 0 }
    noteInRequest({ ...(code !== undefined && { code }) })
    const state = { ...(code !== undefined && { code }), ...(degraded > 0 && { degraded }) }
    return code === undefined
      ? context.json({ status: 'ready', ...state })
      : context.json({ status: 'not ready', ...state }, 503)
  })
  // `scriptorium open` serves one space to the person who runs it: its first address leads to the pages.
  const operatorKey = options.healthDetails?.operator
  if (operatorKey !== undefined) app.get('/', (context) => context.redirect(`/view/${operatorKey}/`))
  for (const path of ['/', '/mcp', '/links/:address', '/links/:address/mcp'])
    app.get(path, async (context, next) => (await landingPage(context)) ?? next())
  app.all('/links/:address/mcp', (context) => linkRoutes.handle(context, (call) => linkRoutes.handleMcpRequest(call)))
  app.get('/links/:address/calendar.ics', (context) => linkRoutes.serveCalendar(context))
  for (const path of ARCHIVE_PATHS) {
    app.all(`/links/:address/api/v1/${path}`, (context) =>
      linkRoutes.handle(context, (call) => linkRoutes.handleArchiveRequest(call)),
    )
    if (options.signIn !== undefined) {
      app.all(`/spaces/:space/api/v1/${path}`, (context) =>
        linkRoutes.handle(context, (call) => linkRoutes.handleArchiveRequest(call)),
      )
    }
  }
  app.all('/links/:address/api/v1/*', (context) =>
    linkRoutes.handle(context, (call) => linkRoutes.handleRestRequest(call)),
  )
  if (options.signIn !== undefined) {
    app.all('/spaces/:space/mcp', (context) => linkRoutes.handle(context, (call) => linkRoutes.handleMcpRequest(call)))
    app.all('/spaces/:space/api/v1/*', (context) =>
      linkRoutes.handle(context, (call) => linkRoutes.handleRestRequest(call)),
    )
    app.get('/.well-known/oauth-protected-resource/*', (context) => linkRoutes.metadata(context))
  }
  if (options.signIn?.embedded !== undefined) {
    app.all('/spaces/:space/oauth/*', (context) => linkRoutes.handleIssuer(context))
    app.get('/.well-known/oauth-authorization-server/*', (context) => linkRoutes.handleIssuer(context))
    app.get('/.well-known/openid-configuration/*', (context) => linkRoutes.handleIssuer(context))
  }
  const pageRoutes = options.pages && new PageRoutes(options, options.pages, archives)
  if (pageRoutes !== undefined) {
    app.get('/links/:address/view', (context) => pageRoutes.enterByLink(context))
    app.get('/enter/:token', (context) => pageRoutes.enterByToken(context))
    app.get('/open', (context) => pageRoutes.followDeepLink(context))
    app.get('/d/:space/:id', (context) => pageRoutes.followDeepLink(context))
    app.get('/page/:file', (context) => pageRoutes.asset(context))
    app.get('/view/:key/manifest.webmanifest', (context) => pageRoutes.manifest(context))
    app.get('/view/:key/offline-worker.js', (context) => pageRoutes.worker(context))
    app.on(['GET', 'POST'], '/view/:key/sign-in', (context) => pageRoutes.signIn(context))
    app.on(['GET', 'POST'], '/view/:key/enter', (context) => pageRoutes.enter(context))
    app.get('/signed-in', (context) => pageRoutes.signedIn(context))
    app.all('/view/:key', (context) => pageRoutes.view(context))
    app.all('/view/:key/*', (context) => pageRoutes.view(context))
  }
  app.all('/.well-known/*', (context) => errorResponse(missingMetadata(), context.get('requestContext').log))
  app.all('/files/:token/:name?', (context) => linkRoutes.serveFile(context))
  app.put('/uploads/:token', (context) => linkRoutes.receiveUpload(context))
  app.notFound(
    async (context) =>
      (await landingPage(context, true)) ?? errorResponse(invalidLink(), context.get('requestContext').log),
  )
  app.onError((error, context) => errorResponse(error, context.get('requestContext').log))

  options.metrics?.addGauge(
    'scriptorium_open_streams',
    'Streams and waiting requests of links, and pages that follow changes',
    () => linkRoutes.openStreams + (pageRoutes?.openStreams ?? 0),
  )
  const server = await listen(options, app, limiter)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    origin: formatOrigin({ host, port, isSecure: tls !== undefined }),
    useCertificate: (certificate) => void (server instanceof TlsServer && server.setSecureContext(certificate)),
    async close() {
      isShuttingDown = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      linkRoutes.endWaiting()
      pageRoutes?.endWaiting()
      await activeRequests.waitUntilIdle(SHUTDOWN_SECONDS * 1000)
      await Promise.all([archives.close(), linkRoutes.close()])
      await pageRoutes?.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** @throws VALIDATION_ERROR for a socket whose address differs from the options */
async function listen(options: HttpOptions, app: Hono<Env>, limiter: ConnectionLimiter): Promise<NodeServer> {
  const { host, port, socket, tls, timeouts, logger } = options
  const headersTimeout = (timeouts?.headers ?? HEADERS_SECONDS) * 1000
  const connections = {
    // Also applies to connections that send nothing, and limits TLS handshakes.
    headersTimeout,
    handshakeTimeout: headersTimeout,
    // How often Node checks the timeouts.
    connectionsCheckingInterval: headersTimeout / 4,
    keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
    maxHeaderSize: HEADER_BYTES,
    // Bodies have a separate timeout.
    requestTimeout: 0,
  }
  const handle = getRequestListener(app.fetch, {
    errorHandler: (error) => errorResponse(asClientError(error), logger.error),
  })
  const handleSafely: RequestListener = (incoming, outgoing) => {
    // Set before anything else, so that no response lacks it.
    outgoing.setHeader('X-Content-Type-Options', 'nosniff')
    closeUnreadResponses(outgoing)
    inBackground('answer a request', () => handle(incoming, outgoing), logger.error)
  }
  const listener = lingeringClose(handleSafely, timeouts?.linger ?? LINGER_SECONDS)
  const server =
    tls === undefined ? createServer(connections, listener) : createTlsServer({ ...tls, ...connections }, listener)
  // The bytes of headers are limited; within that limit, no header is dropped.
  server.maxHeadersCount = 0
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = (timeouts?.writeStall ?? WRITE_STALL_SECONDS) * 1000
  limiter.watch(server)
  const place = socket === undefined ? { port, host } : { fd: socket }
  await listening(server, { ...place, backlog: MAX_CONNECTIONS }, logger.error)
  try {
    if (socket !== undefined) assertSocketAddress(server.address(), host, port)
    return server
  } catch (error) {
    server.close()
    throw error
  }
}

/** Requests that cannot be parsed. */
const asClientError = (error: unknown): unknown =>
  error instanceof RequestError
    ? invalid('Expected a request with a path and the name of this server as Host, found another; see RFC 9112.')
    : error

const shuttingDownResponse = () => {
  const refused = refusalResponse(
    503,
    'CONFLICT',
    'Expected a running server, found one that is shutting down; try again in a few seconds.',
  )
  refused.headers.set('Retry-After', '5')
  return refused
}

const tooMany = (most: number) => {
  const refused = refusalResponse(
    429,
    'RATE_LIMITED',
    `Expected at most ${most} requests at once from one address, found that many under way; wait for their answers, then try again.`,
  )
  refused.headers.set('Retry-After', '1')
  return refused
}

/** What machines ask every few seconds. */
const PROBES = new Set(['/health', '/ready'])

/** Path segments longer than the longest one that is not a secret, an ID. */
const LONGER_PART = /[^/]{37,}/g

/** A path for the log, without segments that are or could be secrets. */
const redactPath = (path: string): string =>
  path
    .replace(/^\/links\/[^/]*/, '/links/…')
    .replace(/^\/(files|uploads|enter)\/.*/, '/$1/…')
    .replace(/\/oauth\/(auth|interaction)\/.*/, '/oauth/$1/…')
    .replace(LONGER_PART, '…')
