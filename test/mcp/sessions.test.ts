/** Sessions of clients of 2025: how they begin, go on elsewhere, and end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Server } from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import { type SpaceRegistry, singleSpaceRegistry } from '../../src/call/space-registry.ts'
import { Sessions, type SessionsOptions } from '../../src/mcp/sessions.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { noticeSources } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { askAt, callTool, documentBy, makeLink, serveBuilt } from '../http/serving.ts'
import { eventually } from '../support/eventually.ts'
import { INITIALIZE, LIST, send, UNKNOWN } from './session-messages.ts'

describe('sessions of clients of 2025', () => {
  test('continue over another connection, and end with DELETE', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const { status, session } = await send(link, INITIALIZE)
    expect(status).toBe(200)
    for (const _ of [1, 2]) expect((await send(link, LIST, session)).text).toContain('"blocks_get"')
    expect((await send(link, undefined, session, 'DELETE')).status).toBe(200)
    const after = await send(link, LIST, session)
    expect(after.status).toBe(404)
    expect(JSON.parse(after.text)).toEqual(UNKNOWN)
  })

  test('are invalid over another link, and if they are made up', async () => {
    const serving = await serveBuilt()
    const [one, other] = [await serving.link(), await serving.link({ kind: 'daily' })]
    const { session } = await send(one, INITIALIZE)
    for (const [link, id] of [
      [other, session],
      [one, 'made up'],
      [one, ''],
    ] as const) {
      const response = await send(link, LIST, id)
      expect(response).toMatchObject({ status: 404, text: JSON.stringify(UNKNOWN) })
      expect((await send(link, undefined, id, 'DELETE')).status).toBe(404)
    }
    expect((await send(one, LIST, session)).status).toBe(200)
  })

  test('are not needed by self-contained messages', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const response = await send(link, LIST)
    expect(response).toMatchObject({ status: 200, session: undefined })
    expect(response.text).toContain('"blocks_get"')
  })

  test('can be continued by a client that knows the ID', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const client = await link.client('2025')
    expect((await callTool(client, 'connection_get')).isRefused).toBe(false)
    const { sessionId = '' } = client.transport as { sessionId?: string }
    expect((await send(link, LIST, sessionId)).status).toBe(200)
    await (client.transport as StreamableHTTPClientTransport).terminateSession()
    expect((await send(link, LIST, sessionId)).status).toBe(404)
  })
})

test('a session keeps its space open until it ends, and a rejected one keeps nothing', async () => {
  const built = await buildSpace()
  const budget = new RateLimiter(openUsage(':memory:'), { requests: 0, blocks: 0 }, Date.now)
  const spaces = singleSpaceRegistry({ space: built.space, rateLimiter: budget, close: async () => {} }, noticeSources)
  const holders = new Set<object>()
  const counted: SpaceRegistry = {
    ...spaces,
    async acquire(key) {
      const found = await spaces.acquire(key)
      if (found === undefined) return undefined
      holders.add(found)
      return { ...found, release: () => void holders.delete(found) }
    },
  }
  const serving = await serveBuilt({ to: built, spaces: counted })
  const link = await serving.link()
  const response = await fetch(link.mcp, {
    method: 'POST',
    // It supports no kind of response that there is.
    headers: { 'content-type': 'application/json', accept: 'text/html' },
    body: JSON.stringify(INITIALIZE),
  })
  expect(response.status).toBe(406)
  await response.text()
  await eventually(() => expect(holders.size).toBe(0))
  const { session } = await send(link, INITIALIZE)
  await eventually(() => expect(holders.size).toBe(1))
  // A listener must not keep anything in memory after its end.
  const document = await documentBy(link)
  const uri = `scriptorium://documents/${document}`
  await send(link, { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } }, session)
  await send(link, undefined, session, 'DELETE')
  await eventually(() => expect(holders.size).toBe(0))
})

test('a cancelled call still gets a response, so that its session keeps nothing of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const serving = await serveBuilt({ to: await buildSpace(join(folder, 'space.sqlite')) })
  const link = await serving.link()
  const { session } = await send(link, INITIALIZE)
  // Writes wait for each other: this one delays the call.
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const blocking = serving.space.write(OPERATOR_LINK, () => free)
  const params = { name: 'documents_add', arguments: { documents: [{ title: 'Kept' }], answer: 'full' } }
  const calling = fetch(link.mcp, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': session ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  })
  // The stream of its response has begun.
  const response = await calling
  await send(link, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }, session)
  release()
  await blocking
  expect(await response.text()).toMatch(/"id":7.*Kept|Kept.*"id":7/s)
})

test('the 1.x client has a session', async () => {
  const serving = await serveBuilt()
  const link = await serving.link({ isBearer: true })
  const transport = new TransportOf2025(new URL(link.mcp), { requestInit: { headers: link.headers } })
  const client = new ClientOf2025({ name: 'tester', version: '1.0.0' })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  onTestFinished(() => client.close())
  expect(transport.sessionId).toMatch(/^[\w-]{43}\.[\w-]+$/)
  expect((await client.callTool({ name: 'connection_get', arguments: {} })).isError).toBeUndefined()
  await transport.terminateSession()
})

describe('if there are too many sessions in memory', () => {
  const authInfo = { token: '', clientId: '', scopes: [] }
  const request = (body: object | undefined, session?: string) =>
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify(body),
    })
  async function sessionsOf(options: SessionsOptions) {
    const { space } = await buildSpace()
    const sessions = new Sessions(options)
    onTestFinished(() => sessions.close())
    let made = 0
    const handle = async (body: object, linkId: string, id?: string) => {
      const answered = await sessions.handle({
        ...{ request: request(body, id), body, linkId, space, authInfo },
        createServer: async () => {
          made++
          return new Server({ name: 'a', version: '1' }, { capabilities: {} })
        },
      })
      await answered?.body?.cancel()
      return answered
    }
    const open = async (linkId: string) => (await handle(INITIALIZE, linkId))?.headers.get('mcp-session-id') ?? ''
    /** Sends a request in a session. Returns true if the session was in memory. */
    const wasKept = async (linkId: string, id: string) => {
      const before = made
      expect((await handle({ jsonrpc: '2.0', id: 3, method: 'ping' }, linkId, id))?.status).toBe(200)
      return made === before
    }
    return { sessions, open, wasKept }
  }

  test('the least recently used one is dropped, and made again when it is used', async () => {
    const { sessions, open, wasKept } = await sessionsOf({ maxSessions: 2 })
    const [a, b] = [await open('one'), await open('two')]
    expect(await wasKept('one', a)).toBe(true)
    const c = await open('three')
    expect(sessions.size).toBe(2)
    expect(await wasKept('one', a)).toBe(true)
    expect(await wasKept('three', c)).toBe(true)
    expect(await wasKept('two', b)).toBe(false)
    expect(sessions.size).toBe(2)
    expect(await wasKept('two', b)).toBe(true)
  })

  test('of one link, its own is dropped first', async () => {
    const { sessions, open, wasKept } = await sessionsOf({ maxPerLink: 2 })
    const other = await open('other')
    const [a, b, c] = [await open('one'), await open('one'), await open('one')]
    expect(sessions.size).toBe(3)
    expect(await wasKept('other', other)).toBe(true)
    expect([await wasKept('one', c), await wasKept('one', b), await wasKept('one', a)]).toEqual([true, true, false])
  })

  test('those idle for half an hour are dropped', async () => {
    let now = 0
    const { sessions, open, wasKept } = await sessionsOf({ clock: () => now })
    const [a, b] = [await open('one'), await open('one')]
    now = 29 * 60_000
    expect(await wasKept('one', a)).toBe(true)
    now = 31 * 60_000
    await sessions.closeIdle()
    expect(sessions.size).toBe(1)
    expect([await wasKept('one', a), await wasKept('one', b)]).toEqual([true, false])
  })

  test('requests that come at once make a session again once', async () => {
    let now = 0
    const { sessions, open, wasKept } = await sessionsOf({ clock: () => now })
    const id = await open('one')
    now = 31 * 60_000
    await sessions.closeIdle()
    const kept = await Promise.all([1, 2, 3].map(() => wasKept('one', id)))
    expect(kept).toHaveLength(3)
    expect(sessions.size).toBe(1)
    expect(await wasKept('one', id)).toBe(true)
  })
})

describe('a session goes on at another server of the space', () => {
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

  /** Two servers of one space, and a session that was opened at the first one, which ends if `restarts` is true. */
  async function begun({ restarts = false } = {}) {
    const built = await buildSpace()
    const first = await serveBuilt({ to: built })
    const link = await first.link()
    const { session = '' } = await send(link, INITIALIZE)
    await send(link, initialized, session)
    if (restarts) await first.server.close()
    const second = await serveBuilt({ to: built })
    const move = (address: string) => address.replace(first.server.origin, second.server.origin)
    const there = { ...link, mcp: move(link.mcp), ask: askAt(move(link.rest)) }
    return { built, first, second, link, there, session }
  }

  test('after a restart, also with its stream, and in the name of its client', async () => {
    const { there, session } = await begun({ restarts: true })
    const stream = await fetch(there.mcp, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': session, ...there.headers },
    })
    expect(stream.status).toBe(200)
    const params = { name: 'documents_add', arguments: { documents: [{ title: 'Again' }], answer: 'full' } }
    const added = await send(there, { jsonrpc: '2.0', id: 4, method: 'tools/call', params }, session)
    expect(added).toMatchObject({ status: 200, text: expect.stringContaining('Again') })
    const reader = stream.body?.getReader()
    const heard = await reader?.read()
    expect(Buffer.from(heard?.value ?? []).toString()).toContain('notifications/resources/')
    await reader?.cancel()
    const { json } = await there.ask('GET /history')
    expect(json.items[0]).toMatchObject({ client: 'tester', tool: 'documents_add' })
  })

  test('until it is ended, which ends it at each of them', async () => {
    const { link, there, session } = await begun()
    for (const at of [link, there]) expect((await send(at, LIST, session)).status).toBe(200)
    expect((await send(there, undefined, session, 'DELETE')).status).toBe(200)
    for (const at of [link, there]) {
      expect(await send(at, LIST, session)).toMatchObject({ status: 404, text: JSON.stringify(UNKNOWN) })
      expect((await send(at, undefined, session, 'DELETE')).status).toBe(404)
    }
    // A client that sends the former ID along opens another session.
    const again = await send(there, INITIALIZE, session)
    expect(again.status).toBe(200)
    expect(again.session).not.toBe(session)
    expect((await send(link, LIST, again.session)).status).toBe(200)
  })

  test('but not over another link, and not if its ID was changed', async () => {
    const { first, there, session } = await begun({ restarts: true })
    const other = await makeLink(first, new URL(there.mcp).origin)
    expect((await send(other, LIST, session)).status).toBe(404)
    const [seal = '', facts = ''] = session.split('.')
    const [link, from, ...rest] = JSON.parse(Buffer.from(facts, 'base64url').toString())
    const later = Buffer.from(JSON.stringify([link, from + 1, ...rest])).toString('base64url')
    for (const id of [
      `${seal}.${later}`,
      `${seal.slice(1)}.${facts}`,
      facts,
      `.${facts}`,
      `${seal}.`,
      'x'.repeat(5_000),
    ]) {
      expect((await send(there, LIST, id)).status).toBe(404)
    }
    expect((await send(there, LIST, session)).status).toBe(200)
  })

  test('for a year', async () => {
    const { built, there, session } = await begun({ restarts: true })
    built.clock.now += 364 * 86_400_000
    expect((await send(there, LIST, session)).status).toBe(200)
    built.clock.now += 86_400_000
    expect((await send(there, LIST, session)).status).toBe(404)
  })
})
