/**
 * Sessions of clients of 2025, which open one with `initialize`. Clients of 2026 have none: each of their requests says
 * all that it needs.
 */
import { randomUUID } from 'node:crypto'
import {
  type AuthInfo,
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { SESSION_IDLE, SESSIONS } from '../limits.ts'

const HEADER = 'mcp-session-id'

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  /** Whose it is: a session is of no use over another link. */
  linkId: string
  used: number
}

export class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #sweep = setInterval(() => void this.#closeIdle(), 60_000).unref()

  get size(): number {
    return this.#sessions.size
  }

  /**
   * The answer of the session that a request names, or of the one that it opens; none when it does neither.
   *
   * @param makeServer  a server for a new session
   * @param body  the request's, as JSON
   */
  async answer(
    request: Request,
    body: unknown,
    linkId: string,
    authInfo: AuthInfo,
    makeServer: () => Server,
  ): Promise<Response | undefined> {
    const id = request.headers.get(HEADER)
    if (id !== null) {
      const session = this.#sessions.get(id)
      if (session === undefined || session.linkId !== linkId) return unknownSession()
      session.used = performance.now()
      return session.transport.handleRequest(request, { authInfo, parsedBody: body })
    }
    if (request.method !== 'POST' || !isInitializeRequest(body)) return undefined
    const transport = await this.#open(linkId, makeServer())
    return transport.handleRequest(request, { authInfo, parsedBody: body })
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    for (const { transport } of [...this.#sessions.values()]) await transport.close()
  }

  async #open(linkId: string, server: Server): Promise<WebStandardStreamableHTTPServerTransport> {
    await this.#makeRoom()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, { transport, linkId, used: performance.now() }),
    })
    await server.connect(transport)
    const ended = transport.onclose
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId)
      ended?.()
    }
    return transport
  }

  /** Of too many the one goes that was not used for the longest: its client opens another. */
  async #makeRoom(): Promise<void> {
    if (this.#sessions.size < SESSIONS) return
    const [oldest] = [...this.#sessions.values()].sort((one, other) => one.used - other.used)
    await oldest?.transport.close()
  }

  async #closeIdle(): Promise<void> {
    const since = performance.now() - SESSION_IDLE * 1000
    for (const { transport, used } of [...this.#sessions.values()]) if (used < since) await transport.close()
  }
}

/** As the protocol says: the client is to open a new one. */
const unknownSession = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 })
