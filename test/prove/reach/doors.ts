/** The ways of asking: over standard input, by links whose secret comes in a header, and by signing in. */
import type { RateLimiter } from '../../../src/call/rate-limiter.ts'
import type { AccessLink, ConnectionKind } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { type Asking, ask } from '../asking/asking.ts'
import { askOver, type Era } from '../asking/over-http.ts'
import { type Opened, serveSpace } from '../asking/serving.ts'

/** Of the last two REST is asked as well as MCP's Streamable HTTP, of the first by the program's own functions. */
export const DOORS = ['stdio', 'bearer', 'signed in'] as const
export type Door = (typeof DOORS)[number]

/** A way of asking. */
export interface Way {
  door: Door
  /** Of what MCP's clients are; of standard input always the first. */
  era: Era
}

export const WAYS: readonly Way[] = [
  { door: 'stdio', era: '2025' },
  { door: 'bearer', era: '2025' },
  { door: 'bearer', era: '2026' },
  { door: 'signed in', era: '2025' },
  { door: 'signed in', era: '2026' },
]

export const wayName = ({ door, era }: Way): string => (door === 'stdio' ? door : `${door}, ${era}`)

export interface OpeningAsked extends Way {
  space: OpenSpace
  kind: ConnectionKind
  /** What it may do: everything where it is absent. Who signs in asks for everything. */
  access?: AccessLink['access']
  /** Of a selected connection. */
  documents: readonly string[]
  clock(): number
  budget?: RateLimiter
  /** What its calls are given in place of the space. */
  as?: OpenSpace
}

export interface OpenDoor {
  asking: Asking
  /** Exposes these documents from now on; absent on standard input, where what is exposed is said at the start. */
  expose?(documents: readonly string[]): Promise<void>
  revoke?(): Promise<void>
  close(): Promise<void>
}

export async function openDoor(asked: OpeningAsked): Promise<OpenDoor> {
  const { door, era, space, kind, access = 'full', documents, clock, budget, as = space } = asked
  const link = await space.createAccessLink(kind, documents, undefined, access)
  if (door === 'stdio') {
    // As links that are served have it, so that none takes another's answers for its own. Of a link that proposes it is
    // looked up whether it has ended, and this is none.
    const own: AccessLink = access === 'propose' ? link : { ...link, id: kind }
    const asking = await ask(as, own, budget && { budget })
    return { asking, close: () => asking.close() }
  }
  const server = await serveSpace(space, { clock, as, ...(budget && { budget }) })
  const opened: Opened = await (door === 'bearer'
    ? server.bearer(kind, documents, access)
    : server.signedIn(kind, documents))
  const asking = await askOver(opened, link, era)
  return {
    asking,
    expose: (ids) => server.expose(opened.linkId, ids),
    revoke: () => server.revoke(opened.linkId),
    async close() {
      await asking.close()
      await server.close()
    },
  }
}
