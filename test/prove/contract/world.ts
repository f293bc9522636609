/** The space of the proof: served over HTTP in this process to a link of each kind, at a time that the proof sets. */
import { RateLimiter } from '../../../src/call/rate-limiter.ts'
import { CONNECTION_KINDS, type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { addParticipant } from '../../../src/space/participants/participants.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { counter } from '../../build.ts'
import { type SpaceServer, serveSpace } from '../test-client/serving.ts'
import { ask, type TestClient } from '../test-client/test-client.ts'
import { makeDay, makeDocument, NOW } from '../test-client/things.ts'
import { type Connection, connectOver } from './connections.ts'
import { TRANSPORTS, type Transport } from './rule.ts'

const DAY = 86_400_000
const FIRST_DAY = Date.parse('2026-10-01T00:00:00Z')
/** The day of the note that holds the pages of daily connections. */
export const ROOT_DAY = '2026-11-10'

export interface LimitOptions {
  /** Requests of the space per 60 seconds; no limit if absent. */
  requests?: number
  /** Blocks of the space per 60 seconds; no limit if absent. */
  blocks?: number
  /** Requests of an address per 10 seconds; no limit if absent. */
  address?: number
}

/** Opens a connection by a link of its own. */
export type Connect = (kind: ConnectionKind, transport: Transport) => Promise<Connection>

interface WorldParts {
  clock: { now: number }
  space: OpenSpace
  /** A full connection that prepares things. */
  maker: TestClient
  server: SpaceServer
  /** For each kind, a document within its reach. */
  roots: Readonly<Record<ConnectionKind, string>>
  /** The documents that selected connections reach. */
  exposed: string[]
  /** An ordinary document that only full connections reach. */
  hidden: string
  selectedLink: string
  connections: readonly Connection[]
}

export class ContractWorld {
  readonly #parts: WorldParts
  #days = 0

  private constructor(parts: WorldParts) {
    this.#parts = parts
  }

  static async open(): Promise<ContractWorld> {
    const clock = { now: NOW }
    const options = { name: 'Contract', timezone: 'Europe/Budapest', clock: () => clock.now, ...counter() }
    const space = await openSpace(':memory:', options)
    const maker = await ask(space, { ...(await space.createAccessLink('full', [])), id: 'maker' })
    const roots = {
      full: await makeDocument(maker, 'Root of full connections'),
      selected: await makeDocument(maker, 'Root of selected connections'),
      daily: await makeDay(maker, ROOT_DAY, 'a note'),
    }
    const exposed = [roots.selected, await makeDocument(maker, 'Second exposed')]
    const hidden = await makeDocument(maker, 'Hidden')
    const server = await serveSpace(space, { clock: () => clock.now })
    const connections: Connection[] = []
    let selectedLink = ''
    for (const kind of CONNECTION_KINDS) {
      const documents = kind === 'selected' ? exposed : []
      const address = await server.bearer(kind, documents)
      if (kind === 'selected') selectedLink = address.linkId
      const link = await space.createAccessLink(kind, documents)
      for (const transport of TRANSPORTS) connections.push(await connectOver(address, link, transport))
    }
    return new ContractWorld({ clock, space, maker, server, roots, exposed, hidden, selectedLink, connections })
  }

  get clock(): { now: number } {
    return this.#parts.clock
  }

  get maker(): TestClient {
    return this.#parts.maker
  }

  get roots(): Readonly<Record<ConnectionKind, string>> {
    return this.#parts.roots
  }

  get exposed(): readonly string[] {
    return this.#parts.exposed
  }

  /** An exposed document in which no pages of checks are. */
  get secondExposed(): string {
    return this.#parts.exposed[1] ?? ''
  }

  get hidden(): string {
    return this.#parts.hidden
  }

  get connections(): readonly Connection[] {
    return this.#parts.connections
  }

  /** Exposes one more document to the selected connections. */
  async expose(document: string): Promise<void> {
    const { server, exposed, selectedLink } = this.#parts
    exposed.push(document)
    await server.expose(selectedLink, exposed)
  }

  /** A day of the past that no other check uses. */
  nextDay(): string {
    this.#days++
    return new Date(FIRST_DAY - this.#days * DAY).toISOString().slice(0, 10)
  }

  /** Connects by a link that may only read, for the time of the work. */
  async readOnly(
    kind: ConnectionKind,
    transport: Transport,
    work: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    const exposed = this.#exposed(kind)
    const { space, server } = this.#parts
    const link = await space.createAccessLink(kind, exposed, undefined, 'read')
    const connection = await connectOver(await server.bearer(kind, exposed, 'read'), link, transport)
    await work(connection).finally(() => connection.close())
  }

  /** Connects to another space, which has two participants, for the time of the work. */
  async inSpaceOfTwo(
    kind: ConnectionKind,
    transport: Transport,
    work: (connection: Connection) => Promise<void>,
  ): Promise<void> {
    const space = await openSpace(':memory:', { name: 'Of two', timezone: 'UTC', clock: () => this.clock.now })
    const maker = await ask(space, { ...(await space.createAccessLink('full', [])), id: 'maker' })
    const exposed = kind === 'selected' ? [await makeDocument(maker, 'a document')] : []
    await space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Another'))
    const server = await serveSpace(space, { clock: () => this.clock.now })
    try {
      const link = await space.createAccessLink(kind, exposed)
      const connection = await connectOver(await server.bearer(kind, exposed), link, transport)
      await work(connection).finally(() => connection.close())
    } finally {
      await server.close()
      await maker.close()
      await space.close()
    }
  }

  /** Serves the space once more, with rate limits, for the time of the work. */
  async limited(options: LimitOptions, work: (connect: Connect) => Promise<void>): Promise<void> {
    const { requests = 0, blocks = 0, address = 0 } = options
    const { space } = this.#parts
    const clock = () => this.clock.now
    const budget = new RateLimiter(openUsage(':memory:'), { requests, blocks }, clock)
    const server = await serveSpace(space, { clock, budget, requestsPerAddress: address })
    const opened: Connection[] = []
    const connect: Connect = async (kind, transport) => {
      const exposed = this.#exposed(kind)
      const link = await space.createAccessLink(kind, exposed)
      const connection = await connectOver(await server.bearer(kind, exposed), link, transport)
      opened.push(connection)
      return connection
    }
    try {
      await work(connect)
    } finally {
      for (const connection of opened) await connection.close()
      await server.close()
    }
  }

  async close(): Promise<void> {
    const { connections, server, maker, space } = this.#parts
    for (const connection of connections) await connection.close()
    await server.close()
    await maker.close()
    await space.close()
  }

  #exposed(kind: ConnectionKind): string[] {
    return kind === 'selected' ? [...this.#parts.exposed] : []
  }
}
