import { InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rateLimited } from '../../src/base/errors.ts'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import type { Caller } from '../../src/call/run.ts'
import { type AcceptResult, acceptMessages } from '../../src/mcp/accept-messages.ts'
import { serveTransport } from '../../src/mcp/stdio.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { endpoints, prompts, resources, skills } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { buildSpace, NOW } from '../build.ts'
import { type Answer, connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { serveBuilt } from '../http/serving.ts'

const NOWHERE = 'scriptorium://documents/00000000-0000-7000-8000-999999999999'
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tester', version: '1' } }

/** Requests of every method of the protocol, and of none of them. */
const REQUESTS: readonly [method: string, params?: object][] = [
  ['ping'],
  ['tools/list'],
  ['tools/call', { name: 'connection_get', arguments: {} }],
  ['tools/call', { name: 'nothing', arguments: {} }],
  ['tools/call', { name: 'connection_get', arguments: 7 }],
  ['tools/call', { name: 'connection_get', arguments: {}, _meta: { 'scriptorium/idempotencyKey': 7 } }],
  ['resources/list'],
  ['resources/list', { cursor: 'made up' }],
  ['resources/list', { cursor: 7 }],
  ['resources/templates/list'],
  ['resources/read', { uri: NOWHERE }],
  ['resources/read', { uri: 'https://example.org' }],
  ['resources/read'],
  ['resources/subscribe', { uri: NOWHERE }],
  ['resources/unsubscribe', { uri: NOWHERE }],
  ['skills/list'],
  ['skills/get', { uri: 'skill://none/SKILL.md' }],
  ['skills/get'],
  ['resources/read', { uri: 'skill://scriptorium/SKILL.md' }],
  ['prompts/list'],
  ['prompts/get', { name: 'none' }],
  ['prompts/get', { name: 'weekly_review' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: 'b' } }],
  ['logging/setLevel', { level: 'debug' }],
  ['server/discover'],
  ['subscriptions/listen', { notifications: {} }],
  ['nothing/such'],
  ['__proto__'],
  ['constructor'],
  ['tools/call', { name: '__proto__', arguments: {} }],
  ['tools/call', { name: 'connection_get', requestState: 7 }],
]

/** Requests that the SDK refuses as no message at all. Over stdio, it answers none of them. */
const MALFORMED: typeof REQUESTS = [
  ['tools/call', { name: 'connection_get', _meta: 7 }],
  ['tools/call', { name: 'connection_get', _meta: { progressToken: {} } }],
  ['resources/list', { _meta: { progressToken: [] } }],
  ['resources/read', { uri: NOWHERE, _meta: { 'io.modelcontextprotocol/related-task': 7 } }],
]

/** What remains of a budget; reading it costs one request. */
async function left(budget: RateLimiter): Promise<number> {
  return (await budget.acquire({})).requests?.remaining ?? 0
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const metaOf = (params: { _meta?: object }) => params._meta ?? {}

describe('each request counts as one', () => {
  test('in an HTTP session; notifications and the end of the session do not count', async () => {
    const serving = await serveBuilt({ limits: { requests: 1_000, blocks: 0, address: 1_000 } })
    const link = await serving.link()
    let session: string | undefined
    const post = async (message: object) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      }
      const response = await fetch(link.mcp, { method: 'POST', headers, body: JSON.stringify(message) })
      session ??= response.headers.get('mcp-session-id') ?? undefined
      await response.text()
    }
    let before = await left(serving.budget)
    const cost = async (work: Promise<unknown>) => {
      await work
      const after = await left(serving.budget)
      const used = before - after - 1
      before = after
      return used
    }
    expect(await cost(post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE }))).toBe(1)
    expect(session).toBeDefined()
    for (const [method, params = {}] of [...REQUESTS, ...MALFORMED]) {
      expect([method, await cost(post({ jsonrpc: '2.0', id: 1, method, params }))]).toEqual([method, 1])
    }
    expect(await cost(post({ jsonrpc: '2.0', method: 'notifications/initialized' }))).toBe(0)
    expect(await cost(post({ jsonrpc: '2.0', id: 1, result: {} }))).toBe(0)
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    expect(await cost(post([ping(1), ping(2), { jsonrpc: '2.0', method: 'notifications/initialized' }]))).toBe(2)
    const end = fetch(link.mcp, { method: 'DELETE', headers: { 'mcp-session-id': session ?? '' } })
    expect(await cost(end)).toBe(0)
  })

  test('over HTTP without a session', async () => {
    const serving = await serveBuilt({ limits: { requests: 1_000, blocks: 0 } })
    const link = await serving.link()
    let before = await left(serving.budget)
    for (const [method, params = {}] of [...REQUESTS, ...MALFORMED]) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...('name' in params && { 'mcp-name': String(params.name) }),
        ...('uri' in params && { 'mcp-name': String(params.uri) }),
      }
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: { ...metaOf(params), ...ENVELOPE } },
      }
      await (await fetch(link.mcp, { method: 'POST', headers, body: JSON.stringify(message) })).text()
      const after = await left(serving.budget)
      expect([method, before - after - 1]).toEqual([method, 1])
      before = after
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'connection_get', _meta: ENVELOPE } }
    const named = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    for (const [headers, body] of [
      [{}, '{'],
      [{ 'content-type': 'text/plain' }, 'x'],
      ...['7', 'null', '"x"', '{}', '[]', '{"method":"__proto__"}'].map((body) => [{}, body] as const),
      // No handler sees these: the name is missing or another one, and there is no such session.
      [named, JSON.stringify(call)],
      [{ ...named, 'mcp-name': 'other' }, JSON.stringify(call)],
      [{ 'mcp-session-id': 'none' }, JSON.stringify({ ...call, params: { name: 'connection_get' } })],
    ] as const) {
      const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
      await (await fetch(link.mcp, { method: 'POST', headers: sent, body })).text()
      const after = await left(serving.budget)
      expect([headers, body, before - after - 1]).toEqual([headers, body, 1])
      before = after
    }
  })

  test.each(['2025', '2026'] as const)('over stdio (%s)', async (era) => {
    const { space } = await buildSpace()
    const budget = new RateLimiter(openUsage(':memory:'), { requests: 1_000, blocks: 0 }, () => NOW)
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    const caller: Caller = { space, link: await space.createAccessLink('full', [], 'tester'), rateLimiter: budget }
    const offer = { endpoints, resources, prompts, skills }
    const host = serveTransport(
      { load: async () => offer, version: '0', instructions: instructionsFor, caller, log: () => {} },
      theirs,
    )
    onTestFinished(() => host.close())
    let answered = () => {}
    ours.onmessage = () => answered()
    await ours.start()
    const ask = async (method: string, params: object) => {
      const answer = new Promise<void>((resolve) => {
        answered = resolve
      })
      const meta = era === '2026' ? { _meta: { ...metaOf(params), ...ENVELOPE } } : {}
      await ours.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...meta } })
      await answer
    }
    const opening = era === '2025' ? (['initialize', INITIALIZE] as const) : (['server/discover', {}] as const)
    let before = await left(budget)
    for (const [method, params = {}] of [opening, ...REQUESTS]) {
      await ask(method, params)
      const after = await left(budget)
      expect([method, before - after - 1]).toEqual([method, 1])
      before = after
    }
  })
})

describe('over the limit', () => {
  const USED_UP =
    'Expected at most 2 requests a minute in this space, found them used up by all its connections together. Retry after 60 seconds.'

  async function options(requests: number) {
    const { space } = await buildSpace()
    const budget = new RateLimiter(openUsage(':memory:'), { requests, blocks: 0 }, () => NOW)
    let ofAddress = 0
    const admitAddress = (count = 1) => {
      ofAddress += count
      return () => {
        ofAddress -= count
      }
    }
    const caller: Caller = {
      space,
      link: await space.createAccessLink('full', [], 'tester'),
      rateLimiter: budget,
      acquireAddress: admitAddress,
    }
    return { caller, resources: async () => resources, log: () => {}, counted: () => ofAddress }
  }
  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
  const refusal = (id: number) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32602, message: USED_UP, data: { code: 'RATE_LIMITED' } },
  })

  test('a request is rejected with the delay, and a batch as a whole', async () => {
    const two = await options(2)
    expect(await acceptMessages([list(1), list(2), list(3)], two)).toEqual({ refused: [1, 2, 3].map(refusal) })
    // A rejected request is not counted.
    expect(two.counted()).toBe(0)
    expect(await acceptMessages([list(1), list(2)], two)).toEqual({ accepted: [list(1), list(2)] })
    expect(await acceptMessages(list(3), two)).toEqual({ refused: refusal(3) })
    expect(two.counted()).toBe(2)
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await acceptMessages(initialized, two)).toEqual({ accepted: initialized })
  })

  test.each(['initialize', 'server/discover', 'ping'])(
    '%s counts, and passes if others have used up the limit of the space, but not that of the address',
    async (method) => {
      const two = await options(2)
      const opening = { jsonrpc: '2.0', id: 1, method, params: {} }
      for (let time = 0; time < 3; time++) expect(await acceptMessages(opening, two)).toEqual({ accepted: opening })
      expect(await acceptMessages(list(2), two)).toEqual({ refused: refusal(2) })
      expect(two.counted()).toBe(3)
      const admitAddress = () => {
        throw rateLimited('Expected less.', 1)
      }
      const outcome = await acceptMessages(opening, { ...two, caller: { ...two.caller, acquireAddress: admitAddress } })
      expect(outcome).toMatchObject({ refused: { id: 1, error: { message: 'Expected less. Retry after 1 second.' } } })
    },
  )

  test.each([undefined, null, 'text', 7, {}, [], [null], { id: 1 }, { method: 'ping' }])(
    '%j is not a request, and is rejected elsewhere',
    async (given) => {
      expect(await acceptMessages(given, await options(0))).toEqual({ accepted: given })
    },
  )

  test('a client gets the error in a sentence', async () => {
    const serving = await serveBuilt({ limits: { requests: 2, blocks: 0 } })
    for (const era of ['2025', '2026'] as const) {
      serving.clock.now += 60_000
      const client = await (await serving.link()).client(era)
      await client.listTools()
      await expect(client.listResourceTemplates()).rejects.toThrow(USED_UP)
    }
    serving.clock.now += 60_000
    const here = await connect('full', { to: serving, caller: { rateLimiter: serving.budget }, era: '2025' })
    await here.client.listTools()
    await expect(here.client.listResourceTemplates()).rejects.toThrow(USED_UP)
    await here.client.ping()
  })
})

describe('what is stored of a message is limited', () => {
  const MEGABYTE = 'x'.repeat(1_000_000)

  async function accepted(
    message: object,
    given: Partial<Parameters<typeof acceptMessages>[1]> = {},
  ): Promise<AcceptResult> {
    const { space } = await buildSpace()
    const caller: Caller = { space, link: await space.createAccessLink('full', [], 'tester') }
    return acceptMessages(message, { caller, resources: async () => resources, log: () => {}, ...given })
  }

  test('names of clients are shortened, and their other fields are dropped', async () => {
    const clientInfo = {
      name: MEGABYTE,
      title: MEGABYTE,
      version: MEGABYTE,
      icons: [{ src: MEGABYTE }],
      more: MEGABYTE,
    }
    const params = { protocolVersion: '2025-06-18', capabilities: { experimental: { a: MEGABYTE } }, clientInfo }
    const name = 'x'.repeat(200)
    expect(await accepted({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).toEqual({
      accepted: {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name, title: name, version: name },
        },
      },
    })
  })

  test.each([{}, { params: 7 }, { params: { clientInfo: null, capabilities: [] } }, { params: { clientInfo: {} } }])(
    'an initialize with %j stays invalid',
    async (wrong) => {
      const { accepted: message } = (await accepted({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        ...wrong,
      })) as Answer
      expect(message).toMatchObject({
        method: 'initialize',
        ...('params' in wrong && typeof wrong.params === 'object' ? wrong : {}),
      })
    },
  )

  test('the ID of a request is rejected if it is long', async () => {
    expect(await accepted({ jsonrpc: '2.0', id: MEGABYTE, method: 'ping' })).toEqual({
      refused: {
        jsonrpc: '2.0',
        id: undefined,
        error: {
          code: -32600,
          message: 'Expected at most 255 characters as the ID of a request, found 1000000; number requests from 1.',
        },
      },
    })
    const long = { jsonrpc: '2.0', id: 'x'.repeat(255), method: 'ping' }
    expect(await accepted(long)).toEqual({ accepted: long })
  })

  test('a stream reports changes within reach only, of at most 200 resources', async () => {
    const full = await connect()
    const [shown, hidden] = [await documentOf(full, 'a'), await documentOf(full, 'b')]
    const link = await full.space.createAccessLink('selected', [shown], 'tester')
    const uris = [shown, hidden, shown.toUpperCase(), '00000000-0000-7000-8000-999999999999', MEGABYTE].map(
      (id) => `scriptorium://documents/${id}`,
    )
    const listen = (resourceSubscriptions: unknown) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: ENVELOPE, notifications: { resourcesListChanged: true, resourceSubscriptions } },
    })
    const ask = (input: unknown) => accepted(listen(input), { caller: { space: full.space, link } })
    const own = `scriptorium://documents/${shown}`
    expect(await ask([...uris, 'https://example.org', MEGABYTE])).toEqual({ accepted: listen([own]) })
    expect(await ask(Array(201).fill(own))).toEqual({
      refused: {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32602,
          message: 'Expected at most 200 resources to hear of at once, found 201; unsubscribe from some first.',
        },
      },
    })
    expect(await ask([7])).toEqual({ accepted: listen([7]) })
  })
})
