/**
 * Sessions of clients of the 2025 revisions, which open one with `initialize`. Clients of 2026 have none, since each of
 * their requests is self-contained.
 */
import { randomUUID } from 'node:crypto'
import {
  type AuthInfo,
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { inBackground } from '../base/background.ts'
import { MAX_SESSIONS, SESSION_IDLE_SECONDS, SESSIONS_PER_LINK } from '../base/limits.ts'

const SESSION_HEADER = 'mcp-session-id'

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  /** The link of the session, which cannot be used over another link. */
  linkId: string
  /** By the clock of the sessions. */
  usedAt: number
}

export interface SessionsOptions {
  /** Monotonic milliseconds. */
  clock?: () => number
  /** Maximum number of sessions in total, and per link. */
  maxSessions?: number
  maxPerLink?: number
}

export class Sessions {
  /** In order of last use. */
  readonly #sessions = new Map<string, Session>()
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

  get size(): number {
    return this.#sessions.size
  }

  /**
   * Handles a request in the session that it names or opens; returns undefined if it does neither.
   *
   * @param createServer  creates a server for a new session
   * @param body  the parsed JSON body of the request
   */
  async handle(
    request: Request,
    body: unknown,
    linkId: string,
    authInfo: AuthInfo,
    createServer: () => Promise<Server>,
  ): Promise<Response | undefined> {
    const id = request.headers.get(SESSION_HEADER)
    if (id !== null) {
      const session = this.#sessions.get(id)
      if (session === undefined || session.linkId !== linkId) return unknownSession()
      this.#touch(id, session)
      return session.transport.handleRequest(request, { authInfo, parsedBody: body })
    }
    if (request.method !== 'POST' || !isInitializeRequest(body)) return undefined
    const transport = await this.#open(linkId, await createServer())
    const response = await transport.handleRequest(request, { authInfo, parsedBody: body })
    // The request was refused, so no client could ever use or end the session.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  /** Closes sessions that were idle for {@link SESSION_IDLE_SECONDS} seconds. */
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

  async #open(linkId: string, server: Server): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        this.#touch(id, { transport, linkId, usedAt: 0 })
        await this.#evict(linkId)
      },
    })
    await server.connect(transport)
    // Running calls finish. The transport waits for the answer to each request, and keeps the request until
    // then: without one it would keep that for as long as the session lasts.
    server.setNotificationHandler('notifications/cancelled', () => {})
    const onclose = transport.onclose
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId)
      onclose?.()
    }
    return transport
  }

  // Deletes the entry first, so that the map stays in order of use.
  #touch(id: string, session: Session): void {
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    session.usedAt = this.#clock()
  }

  /**
   * Closes the session that was idle for the longest time; its client can open another. Sessions of the same link come
   * first, so that no link takes the sessions of others.
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
