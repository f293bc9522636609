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
import { connect } from '../connect.ts'
import { askAt, callTool, documentBy, makeLink, serveBuilt, type TestLink } from '../http/serving.ts'
import { eventually } from '../support/eventually.ts'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tester', version: '1.0.0' } },
}
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }

/** Sends a message to the address of a link, like a 2025 client. */
async function send({ mcp, headers }: TestLink, body: object | undefined, session?: string, method = 'POST') {
  const response = await fetch(mcp, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, session: response.headers.get('mcp-session-id') ?? undefined, text }
}

const UNKNOWN = { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }

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

describe('subscriptions', () => {
  const full = 'Expected at most 200 resources to hear of at once, found 201; unsubscribe from some first.'

  test('of a session are limited, and fail for what does not exist or is out of reach', async () => {
    const serving = await connect()
    const titles = Array.from({ length: 202 }, (_, index) => ({ title: `Document ${index}` }))
    const { items } = await serving.call('documents_add', { documents: titles })
    const ids = (items as { id: string }[]).map(({ id }) => id)
    const [hidden = '', ...shown] = ids
    const { client } = await connect('selected', { to: serving, documents: shown, era: '2025' })
    const subscribe = (id: string) => client.subscribeResource({ uri: `scriptorium://documents/${id}` })
    const nowhere = (index: number) => `00000000-0000-7000-8000-999${String(index).padStart(9, '0')}`
    for (let index = 0; index < 250; index++) expect(await subscribe(nowhere(index))).toEqual({})
    expect(await subscribe(hidden)).toEqual({})
    for (const id of shown.slice(0, 200)) expect(await subscribe(id)).toEqual({})
    // A repeated subscription is not another one.
    expect(await subscribe(shown[0]?.toUpperCase() ?? '')).toEqual({})
    await expect(subscribe(shown[200] ?? '')).rejects.toThrow(full)
    expect(await subscribe(hidden)).toEqual({})
    await client.unsubscribeResource({ uri: `scriptorium://documents/${shown[0]}` })
    expect(await subscribe(shown[200] ?? '')).toEqual({})
  })

  test('to anything but a resource are rejected briefly', async () => {
    const { client } = await connect('full', { era: '2025' })
    const refused = async (uri: string) => client.subscribeResource({ uri }).catch((error: Error) => error)
    for (const uri of ['https://example.org/', 'scriptorium://documents/']) {
      const error = await refused(`${uri}${'x'.repeat(1_000_000)}`)
      expect(JSON.stringify(error).length + String(error).length).toBeLessThan(1_500)
      expect(String(error)).toContain('Expected the address of a resource (scriptorium://documents/{id}, ')
    }
    expect(await client.unsubscribeResource({ uri: 'https://example.org/' })).toEqual({})
  })

  test('of one link may have a hundred streams, and another one when one has ended', async () => {
    const serving = await serveBuilt()
    const [link, other] = [await serving.link(), await serving.link()]
    const client = await link.client()
    const listen = () => client.listen({ resourcesListChanged: true })
    const open = await Promise.all(Array.from({ length: 100 }, listen))
    await expect(listen()).rejects.toThrow(
      'Expected at most 100 streams of one link at once, found 101; end one first.',
    )
    await (await (await other.client()).listen({ resourcesListChanged: true })).close()
    await open[0]?.close()
    await eventually(async () => open.push(await listen()))
    expect(open).toHaveLength(101)
  })
})

describe.each(['2025', '2026'] as const)('a client of %s over HTTP', (era) => {
  test('sees and hears the same as one over stdio', async () => {
    // Without an editor, links lead to the pages of this server.
    const serving = await serveBuilt({ to: await buildSpace(':memory:', { editorUrl: 'https://docs.example.org' }) })
    const link = await serving.link()
    const here = await connect('full', { to: serving, era })
    const there = await link.client(era)
    expect(await there.listTools()).toEqual(await here.client.listTools())
    const id = await documentBy(link, '# Head\n\n- one\n- two')
    for (const [name, args] of [
      ['blocks_get', { id }],
      ['blocks_get', { id, format: 'markdown' }],
      ['documents_list', {}],
      ['blocks_get', { id: 'none' }],
      ['blocks_get', { di: id }],
    ] as const) {
      const of = (client: typeof there) => client.callTool({ name, arguments: { ...args } })
      expect(await of(there)).toEqual(await of(here.client))
    }
  })

  test('can make many concurrent calls, and gets the right response for each', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const client = await link.client(era)
    const titles = Array.from({ length: 30 }, (_, index) => `Document ${index}`)
    const answers = await Promise.all(
      titles.map((title) => callTool(client, 'documents_add', { documents: [{ title }] })),
    )
    expect(answers.map(({ object }) => object.items[0].title)).toEqual(titles)
    expect(new Set(answers.map(({ object }) => object.items[0].id)).size).toBe(30)
  })

  test('writes in the name of its link', async () => {
    const serving = await serveBuilt()
    const link = await serving.link({ name: 'of the link' })
    const id = await documentBy(link, 'by the link')
    await callTool(await link.client(era), 'blocks_add', {
      markdown: 'by the client',
      position: { position: 'end', pageId: id },
    })
    const { json } = await link.ask(`GET /blocks?id=${id}&fetchMetadata=true`)
    expect(json.content.map(({ metadata }: { metadata: { createdBy: string } }) => metadata.createdBy)).toEqual([
      'of the link',
      'of the link',
    ])
  })
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

describe('a client that accepts', () => {
  const asked = async (accept: string | undefined, body: object, method = 'POST') => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }), ...link.headers }
    return fetch(link.mcp, { method, headers, ...(method === 'POST' && { body: JSON.stringify(body) }) })
  }

  test.each(['*/*', 'application/json, text/event-stream', 'text/event-stream'])('%s gets a stream', async (accept) => {
    const response = await asked(accept, INITIALIZE)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('mcp-session-id')).not.toBeNull()
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"')
  })

  test.each(['application/json', 'application/*;q=0.5'])('%s gets JSON', async (accept) => {
    for (const body of [INITIALIZE, LIST]) {
      const response = await asked(accept, body)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: body.id, result: {} })
    }
  })

  test('only pages is refused, as is a subscription without streams', async () => {
    expect((await asked('text/html', LIST)).status).toBe(406)
    expect((await asked('application/json', {}, 'GET')).status).toBe(405)
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } }
    expect((await asked('application/json', listen)).status).toBe(406)
  })
})

test('null for parameters or arguments is the same as none', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const list = await send(link, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null })
  expect(list.text).toContain('"blocks_get"')
  const params = { name: 'connection_get', arguments: null }
  const called = await send(link, { jsonrpc: '2.0', id: 2, method: 'tools/call', params })
  expect(called.text).toContain('"result"')
  expect(called.text).not.toContain('isError')
})
