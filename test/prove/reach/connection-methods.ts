/** The ways into a space: over stdio, by links whose secret is in a header, and by signing in. */
import type { RateLimiter } from '../../../src/call/rate-limiter.ts'
import type { AccessLink, ConnectionKind } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { askOver, type ProtocolVersion } from '../test-client/over-http.ts'
import { type Opened, serveSpace } from '../test-client/serving.ts'
import { ask, type TestClient } from '../test-client/test-client.ts'

/**
 * For the last two methods, requests go over HTTP to REST and to MCP's Streamable HTTP. For stdio, the proof calls the
 * program's own functions.
 */
export const CONNECTION_METHODS = ['stdio', 'bearer', 'signed in'] as const
export type ConnectionMethod = (typeof CONNECTION_METHODS)[number]

/** A door together with a version of the protocol. */
export interface VersionedMethod {
  door: ConnectionMethod
  /** The protocol version of MCP clients. Over stdio it is always 2025. */
  era: ProtocolVersion
}

export const VERSIONED_METHODS: readonly VersionedMethod[] = [
  { door: 'stdio', era: '2025' },
  { door: 'bearer', era: '2025' },
  { door: 'bearer', era: '2026' },
  { door: 'signed in', era: '2025' },
  { door: 'signed in', era: '2026' },
]

export const methodName = ({ door, era }: VersionedMethod): string => (door === 'stdio' ? door : `${door}, ${era}`)

export interface ConnectionOptions extends VersionedMethod {
  space: OpenSpace
  kind: ConnectionKind
  /** The access of the connection, `full` if absent. A person who signs in asks for full access. */
  access?: AccessLink['access']
  /** The exposed documents of a selected connection. */
  documents: readonly string[]
  clock(): number
  budget?: RateLimiter
  /** The space that calls run on, if it is not the one in which links are created. */
  as?: OpenSpace
}

export interface OpenedConnection {
  client: TestClient
  /** Exposes these documents instead. Absent over stdio, where the exposed documents are fixed at the start. */
  expose?(documents: readonly string[]): Promise<void>
  revoke?(): Promise<void>
  close(): Promise<void>
}

export async function openConnection(options: ConnectionOptions): Promise<OpenedConnection> {
  const { door, era, space, kind, access = 'full', documents, clock, budget, as = space } = options
  const link = await space.createAccessLink(kind, documents, undefined, access)
  if (door === 'stdio') {
    // The ID makes it like a served link, so that connections do not replay each other's stored responses. A link that
    // proposes must exist in the space, since the program looks up whether it was revoked or has expired.
    const own: AccessLink = access === 'propose' ? link : { ...link, id: kind }
    const client = await ask(as, own, budget && { budget })
    return { client, close: () => client.close() }
  }
  const server = await serveSpace(space, { clock, as, ...(budget && { budget }) })
  const opened: Opened = await (door === 'bearer'
    ? server.bearer(kind, documents, access)
    : server.signedIn(kind, documents))
  const testClient = await askOver(opened, link, era)
  return {
    client: testClient,
    expose: (ids) => server.expose(opened.linkId, ids),
    revoke: () => server.revoke(opened.linkId),
    async close() {
      await testClient.close()
      await server.close()
    },
  }
}
