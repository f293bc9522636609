/**
 * Sessions of clients of the 2025 revisions, which open one with `initialize`. Clients of 2026 have none, since each of
 * their requests is self-contained.
 *
 * What a server keeps of a session in memory is made again from the session's ID when it is gone: after a restart, after
 * a while without requests, or on another server of the same space.
 */
import {
  type AuthInfo,
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { inBackground } from '../base/background.ts'
import { MAX_SESSIONS, SESSION_IDLE_SECONDS, SESSIONS_PER_LINK } from '../base/limits.ts'
import { endSession, hasSessionEnded } from '../call/ended-sessions.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { newSession, openSessionId, type SessionFacts, sealSessionId, sessionExpiry } from './session-id.ts'

const SESSION_HEADER = 'mcp-session-id'

/** A session in memory. */
interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  linkId: string
  /** By the clock of the sessions. */
  usedAt: number
  /** Called when the client opens the stream of the session. */
  onListening(): void
}

/** An authenticated request. */
export interface SessionRequest {
  request: Request
  /** The parsed JSON body. */
  body: unknown
  linkId: string
  space: Pick<OpenSpace, 'info' | 'read' | 'write'>
  authInfo: AuthInfo
  /**
   * Creates the server of a session.
   *
   * @param listening  given for a session that is made again: resolves once its client opens the stream
   */
  createServer(listening?: Promise<void>): Promise<Server>
}

export interface SessionsOptions {
  /** Monotonic milliseconds. */
  clock?: () => number
  /** Maximum number of sessions in memory in total, and per link. */
  maxSessions?: number
  maxPerLink?: number
}

export class Sessions {
  /** In order of last use. */
  readonly #sessions = new Map<string, Session>()
  /** Sessions that are being made again, by their IDs. */
  readonly #resuming = new Map<string, Promise<Session>>()
  readonly #clock: () => number
  readonly #maxSessions: number
  readonly #maxPerLink: number
  readonly #sweepTimer: NodeJS.Timeout

  constructor({ clock, maxSessions = MAX_SESSIONS, maxPerLink = SESSIONS_PER_LINK }: SessionsOptions = {}) {
    this.#clock = clock ?? (() => performance.now())
    this.#maxSessions = maxSessions
    this.#maxPerLink = maxPerLink
    this.#sweepTimer = setInterval(() => inBackground('close idle sessions', () => this.closeIdle()), 60_000).unref()
  }

  /** The number of sessions in memory. */
  get size(): number {
    return this.#sessions.size
  }

  /** Handles a request in the session that it names or opens; returns undefined if it does neither. */
  async handle(asked: SessionRequest): Promise<Response | undefined> {
    const { request, body, authInfo, space, linkId } = asked
    // Clients whose session has ended open another one, and some send the ID of the former one along.
    if (request.method === 'POST' && isInitializeRequest(body)) return this.#initialize(asked, body.params)
    const id = request.headers.get(SESSION_HEADER)
    if (id === null) return undefined
    const facts = await space.read(OPERATOR_LINK, async (view) => {
      const found = openSessionId(space.info, id, linkId, view.now)
      const hasEnded = found !== undefined && (await hasSessionEnded(view, found))
      return hasEnded ? undefined : found
    })
    if (facts === undefined) {
      await this.#sessions.get(id)?.transport.close()
      return unknownSession()
    }
    const session = this.#sessions.get(id) ?? (await this.#resume(id, facts, asked))
    if (this.#sessions.has(id)) this.#touch(id, session)
    if (request.method === 'GET') session.onListening()
    const response = await session.transport.handleRequest(request, { authInfo, parsedBody: body })
    if (request.method === 'DELETE' && response.ok) {
      await space.write(OPERATOR_LINK, (view) => endSession(view, { ...facts, until: sessionExpiry(facts.from) }))
    }
    return response
  }

  /** Drops sessions from memory that were idle for {@link SESSION_IDLE_SECONDS} seconds. */
  async closeIdle(): Promise<void> {
    const since = this.#clock() - SESSION_IDLE_SECONDS * 1000
    for (const { transport, usedAt } of [...this.#sessions.values()]) {
      if (usedAt >= since) return
      await transport.close()
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    for (const { transport } of [...this.#sessions.values()]) await transport.close()
  }

  async #initialize(asked: SessionRequest, params: Record<string, unknown>): Promise<Response> {
    const { request, body, space, authInfo, linkId } = asked
    const now = await space.read(OPERATOR_LINK, async (view) => view.now)
    const id = sealSessionId(space.info, newSession(linkId, now, params))
    const { transport } = await this.#open(id, linkId, await asked.createServer())
    const response = await transport.handleRequest(request, { authInfo, parsedBody: body })
    // The request was refused, so no client could ever use or end the session.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  /** Makes a session again that is not in memory. Its client, which has opened it before, does not notice. */
  #resume(id: string, facts: SessionFacts, asked: SessionRequest): Promise<Session> {
    // Clients send several requests at once, such as one for the stream beside a call.
    const running = this.#resuming.get(id)
    if (running !== undefined) return running
    const resuming = this.#makeAgain(id, facts, asked).finally(() => this.#resuming.delete(id))
    this.#resuming.set(id, resuming)
    return resuming
  }

  async #makeAgain(id: string, { client }: SessionFacts, asked: SessionRequest): Promise<Session> {
    const { authInfo, createServer, request } = asked
    const { promise: listening, resolve: onListening } = Promise.withResolvers<void>()
    const session = await this.#open(id, asked.linkId, await createServer(listening), onListening)
    const { protocolVersion, capabilities, name } = client
    const params = { protocolVersion, capabilities, clientInfo: { name, version: '' } }
    const parsedBody = { jsonrpc: '2.0', id: 'resume', method: 'initialize', params }
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const initialize = new Request(request.url, { method: 'POST', headers })
    const response = await session.transport.handleRequest(initialize, { authInfo, parsedBody })
    const answer = await response.text()
    if (session.transport.sessionId !== undefined) return session
    await session.transport.close()
    throw new Error(`Expected a session to go on, found that it could not begin again: ${answer.slice(0, 200)}`)
  }

  async #open(id: string, linkId: string, server: Server, onListening = () => {}): Promise<Session> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: async () => {
        this.#touch(id, session)
        await this.#evict(linkId)
      },
    })
    const session: Session = { transport, linkId, usedAt: 0, onListening }
    await server.connect(transport)
    // Running calls finish. The transport waits for the answer to each request, and keeps the request until
    // then: without one it would keep that for as long as the session lasts.
    server.setNotificationHandler('notifications/cancelled', () => {})
    const onclose = transport.onclose
    transport.onclose = () => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id)
      onclose?.()
    }
    return session
  }

  // Deletes the entry first, so that the map stays in order of use.
  #touch(id: string, session: Session): void {
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    session.usedAt = this.#clock()
  }

  /**
   * Drops the session from memory that was idle for the longest time. Sessions of the same link come first, so that no
   * link takes the sessions of others.
   */
  async #evict(linkId: string): Promise<void> {
    const own = [...this.#sessions.values()].filter((session) => session.linkId === linkId)
    if (own.length > this.#maxPerLink) await own[0]?.transport.close()
    const [oldest] = this.#sessions.values()
    if (this.#sessions.size > this.#maxSessions) await oldest?.transport.close()
  }
}

/** The response that makes a client open a new session. */
const unknownSession = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 })
