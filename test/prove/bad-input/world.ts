/** A space in this process, served over MCP and HTTP, with things that calls can refer to. */

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { addAccessLink, exposeDocuments } from '../../../src/auth/access-links/access-links.ts'
import { logFaultsTo } from '../../../src/base/logger.ts'
import { AddressRateLimiter, RateLimiter } from '../../../src/call/rate-limiter.ts'
import { singleSpaceRegistry } from '../../../src/call/space-registry.ts'
import type { Endpoint } from '../../../src/endpoint.ts'
import { serveHttp } from '../../../src/http/app.ts'
import { CONNECTION_KINDS, type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { noticeSources, prompts, resources, skills } from '../../../tools/index.ts'
import { instructionsFor } from '../../../tools/instructions.ts'
import type { Pools } from '../test-client/generated-calls.ts'
import { newAgent, overSocket } from '../test-client/over-socket.ts'
import { askToPropose } from '../test-client/proposing.ts'
import { ask, type Response, type RestInput, type TestClient } from '../test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, NOW } from '../test-client/things.ts'
import { watchWrites } from '../test-client/write-watch.ts'

export interface World {
  client: Record<ConnectionKind, TestClient>
  pools: Record<ConnectionKind, Pools>
  /** Sends a request over a socket. */
  http(kind: ConnectionKind, request: RestInput): Promise<Response>
  /** Returns a value that changes with every lasting write. */
  written(): unknown
  /** Replaces the things by new ones. */
  renew(): Promise<void>
  close(): Promise<void>
}

/** The number of sets of things for each kind of connection. */
const KEPT = 3

export async function openWorld(
  folder: string,
  endpoints: readonly Endpoint[],
  log: (line: string) => void,
): Promise<World> {
  mkdirSync(folder)
  const file = join(folder, 'space.sqlite')
  const clock = { now: NOW }
  const space = await openSpace(file, {
    ...{ name: 'Proof', timezone: 'Europe/Budapest', clock: () => clock.now },
    // No lease ends by itself, so that every write belongs to a call.
    steadyClock: () => 0,
  })
  const budget = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, () => clock.now)
  const maker = await ask(space, await space.createAccessLink('full', [], 'maker'))
  const places = await makePlaces(maker, 'words')
  const first = await makeDocument(maker, 'words')
  const documents: string[] = [first]
  const server = await serveHttp({
    endpoints,
    resources,
    prompts,
    skills,
    instructions: instructionsFor,
    version: '0.0.0',
    spaces: singleSpaceRegistry({ space, rateLimiter: budget, close: async () => {} }, noticeSources),
    addressLimiter: new AddressRateLimiter(0, () => clock.now),
    host: '127.0.0.1',
    port: 0,
    trustsProxy: false,
    logger: logFaultsTo(log),
  })
  const agent = newAgent()
  const linked = async (kind: ConnectionKind) => {
    const input = { kind, access: 'full', documents: kind === 'selected' ? [first] : [], isBearer: false } as const
    const { info, secret } = await space.write(OPERATOR_LINK, (view) => addAccessLink(view, input))
    const link = { ...(await space.createAccessLink(kind, input.documents, 'tester')), id: `mcp-${kind}` }
    return {
      kind,
      id: info.id,
      base: `${server.origin}/links/${secret}/api/v1`,
      client: await ask(space, link, { endpoints, log }),
    }
  }
  const [full, selected, daily] = [await linked('full'), await linked('selected'), await linked('daily')]
  const byKind = { full, selected, daily }
  const poolsOf = (kind: ConnectionKind): Pools => ({
    kind,
    table: byKind[kind].client.table,
    things: [],
    ids: [],
    cursors: [],
  })
  const pools = { full: poolsOf('full'), selected: poolsOf('selected'), daily: poolsOf('daily') }
  const watch = watchWrites(file)
  let days = 0

  const renew = async () => {
    for (const kind of CONNECTION_KINDS) {
      const date = new Date(NOW - (days++ % 25) * DAY).toISOString().slice(0, 10)
      const document = kind === 'daily' ? await makeDay(maker, date, 'words') : await makeDocument(maker, 'words')
      const exposed = kind === 'selected' ? [document] : []
      const proposer = await askToPropose(space, { kind, documents: exposed, hasLink: true })
      pools[kind].things.unshift(await makeThings(maker, document, 'words', places, { proposer }))
      await proposer.close()
      pools[kind].things.splice(KEPT)
    }
    documents.splice(0, documents.length, ...pools.selected.things.map((things) => things.document))
    const { id, client } = selected
    await space.write(OPERATOR_LINK, (view) => exposeDocuments(view, id, documents))
    const exposed = client.link.documents as Set<number>
    exposed.clear()
    for (const n of (await space.createAccessLink('selected', documents, 'tester')).documents) exposed.add(n)
  }
  await renew()
  return {
    client: { full: full.client, selected: selected.client, daily: daily.client },
    pools,
    http: (kind, input) => overSocket(agent, byKind[kind].base, input),
    written: () => watch.count(),
    renew,
    async close() {
      agent.destroy()
      for (const { client } of [full, selected, daily]) await client.close()
      await maker.close()
      await server.close()
      watch.close()
      await space.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const DAY = 24 * 3600 * 1000
