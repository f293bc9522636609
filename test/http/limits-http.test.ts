import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RateLimiter } from '../../src/call/rate-limiter.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { NOW } from '../build.ts'
import { connect } from '../connect.ts'
import { callTool, documentBy, type HttpResult, rawRequest, serveBuilt } from './serving.ts'

const LIMITS = { requests: 5, blocks: 100 }
/** The second at which a window that begins now ends. */
const RESET = String((NOW + 60_000) / 1000)

const limitsIn = ({ headers }: HttpResult) => {
  const names = [...headers.keys()].filter((name) => /^(x-ratelimit|x-blockbudget|retry-after)/.test(name))
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]))
}
const requestsLeft = (remaining: number) => ({
  'x-ratelimit-limit': '5',
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': RESET,
})
const blocksLeft = (remaining: number) => ({
  'x-blockbudget-limit': '100',
  'x-blockbudget-remaining': String(remaining),
  'x-blockbudget-reset': RESET,
})

const USED_UP = {
  error:
    'Expected at most 5 requests a minute in this space, found them used up by all its connections together. Retry after 60 seconds.',
  code: 'RATE_LIMITED',
}

describe('over REST', () => {
  test('every response has the remaining limits, including errors, and Retry-After if nothing is left', async () => {
    const serving = await serveBuilt({ limits: LIMITS })
    const { ask } = await serving.link()
    // A call without blocks does not report them.
    expect(limitsIn(await ask('GET /connection'))).toEqual(requestsLeft(4))
    const nowhere = await ask('GET /nowhere')
    expect([nowhere.status, limitsIn(nowhere)]).toEqual([404, requestsLeft(3)])
    const wrong = await ask('GET /blocks?nonsense=1')
    expect([wrong.status, limitsIn(wrong)]).toEqual([400, requestsLeft(2)])
    const broken = await ask('POST /documents', '{')
    expect([broken.status, limitsIn(broken)]).toEqual([400, requestsLeft(1)])
    const method = await ask('PATCH /documents')
    expect([method.status, limitsIn(method)]).toEqual([405, requestsLeft(0)])
    for (const line of ['GET /connection', 'GET /nowhere', 'GET /openapi.json', 'OPTIONS /documents']) {
      const response = await ask(line)
      expect({ line, status: response.status, ...limitsIn(response) }).toEqual({
        line,
        status: 429,
        ...requestsLeft(0),
        'retry-after': '60',
      })
    }
    expect((await ask('GET /connection')).json).toEqual(USED_UP)
    serving.clock.now += 59_001
    expect((await ask('GET /connection')).headers.get('retry-after')).toBe('1')
    serving.clock.now += 999
    expect((await ask('GET /connection')).status).toBe(200)
  })

  test('remaining blocks are reported once some were counted: after the first read, and with every write', async () => {
    const serving = await serveBuilt({ limits: { requests: 100, blocks: 100 } })
    const { ask } = await serving.link()
    const blocks = (response: HttpResult) => ({
      ...limitsIn(response),
      'x-ratelimit-limit': undefined,
      'x-ratelimit-remaining': undefined,
      'x-ratelimit-reset': undefined,
    })
    expect(blocks(await ask('GET /documents'))).toEqual({})
    const made = await ask('POST /documents', { documents: [{ title: 'A', markdown: 'one\n\ntwo' }] })
    expect(blocks(made)).toMatchObject(blocksLeft(97))
    const id = made.json.items[0].id
    const read = await ask(`GET /blocks?id=${id}`)
    expect(blocks(read)).toMatchObject(blocksLeft(94))
    // A write that needs more blocks than remain is refused before it writes anything, and costs no blocks.
    const markdown = Array.from({ length: 95 }, (_, index) => `line ${index}`).join('\n\n')
    const refused = await ask('POST /blocks', { markdown, position: { position: 'end', pageId: id } })
    expect(refused.status).toBe(429)
    expect(refused.json.error).toBe(
      'Expected at most 100 blocks a minute read or written in this space, found 94 left by all its connections together and 95 to write; nothing was written. Retry after 60 seconds.',
    )
    expect(limitsIn(refused)).toMatchObject({ ...blocksLeft(94), 'retry-after': '60' })
    // A write that exceeds the whole quota says so.
    const never = await ask('POST /blocks', {
      markdown: `${markdown}\n\n`.repeat(2),
      position: { position: 'end', pageId: id },
    })
    expect([never.status, never.headers.get('retry-after')]).toEqual([400, null])
    expect(never.json.error).toContain(
      'Expected at most 100 blocks in one call, which is all that this space may read and write in a minute, found 190;',
    )
    expect((await ask(`GET /blocks?id=${id}`)).json.content).toHaveLength(2)
  })

  test('a read larger than the blocks that are left is refused, unless the caller asks for a part', async () => {
    const serving = await serveBuilt({ limits: { requests: 100, blocks: 100 } })
    const { ask } = await serving.link()
    const tasks = Array.from({ length: 60 }, (_, index) => ({ markdown: `task ${index}` }))
    await ask('POST /tasks', { tasks })
    const refused = await ask('GET /tasks?scope=inbox')
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({
      error:
        'Expected at most 100 blocks a minute read or written in this space, found 40 left by all its connections together and more to read; send limit to read a part now. Retry after 60 seconds.',
      code: 'RATE_LIMITED',
    })
    // It costs no blocks.
    expect(limitsIn(refused)).toMatchObject({ ...blocksLeft(40), 'retry-after': '60' })
    const part = await ask('GET /tasks?scope=inbox&limit=30')
    expect([part.status, part.json.items.length, part.json.pagination.remaining]).toEqual([200, 30, 30])
    expect(limitsIn(part)).toMatchObject(blocksLeft(10))
    const rest = await ask(`GET /tasks?scope=inbox&cursor=${part.json.pagination.cursor}`)
    expect([rest.status, rest.json.items.length]).toEqual([200, 30])
    serving.clock.now += 60_000
    expect((await ask('GET /tasks?scope=inbox')).json.items).toHaveLength(60)
    // What is more than a whole window never passes without a limit.
    serving.clock.now += 60_000
    await ask('POST /tasks', { tasks })
    serving.clock.now += 60_000
    const never = await ask('GET /tasks?scope=inbox')
    expect([never.status, never.headers.get('retry-after')]).toEqual([400, null])
    expect(never.json.error).toBe(
      'Expected at most 100 blocks in one call, which is all that this space may read and write in a minute, found more to read; send limit, and read the rest with the cursor of the answer.',
    )
  })

  test('a limit that is off is neither reported nor reached', async () => {
    const serving = await serveBuilt({ limits: { requests: 0, blocks: 0 } })
    const { ask } = await serving.link()
    const id = await documentBy({ ask }, 'words')
    for (let time = 0; time < 150; time++) {
      const response = await ask(`GET /blocks?id=${id}`)
      expect([response.status, limitsIn(response)]).toEqual([200, {}])
    }
  })
})

describe('over MCP', () => {
  test.each(['2025', '2026'] as const)(
    'a client of %s finds in _meta what remains, and in the error how long to wait',
    async (era) => {
      const serving = await serveBuilt({ limits: LIMITS })
      const link = await serving.link()
      const client = await link.client(era)
      // The window that counted the connect has ended.
      serving.clock.now += 60_000
      const reset = Number(RESET) + 60
      const requests = (remaining: number) => ({ limit: 5, remaining, reset })
      expect((await callTool(client, 'connection_get')).meta['scriptorium/limits']).toEqual({ requests: requests(4) })
      const added = await callTool(client, 'documents_add', { documents: [{ title: 'A' }] })
      expect(added.meta['scriptorium/limits']).toEqual({
        requests: requests(3),
        blocks: { limit: 100, remaining: 99, reset },
      })
      const wrong = await callTool(client, 'blocks_get', { nonsense: 1 })
      expect([wrong.isRefused, wrong.meta['scriptorium/limits']]).toEqual([true, { requests: requests(2) }])
      await callTool(client, 'connection_get')
      await callTool(client, 'connection_get')
      const refused = await callTool(client, 'connection_get')
      expect(refused).toMatchObject({ isRefused: true, text: USED_UP.error })
      expect(refused.text).toMatch(/Retry after 60 seconds\.$/)
      expect(refused.meta['scriptorium/limits']).toEqual({ requests: requests(0) })
    },
  )

  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tester', version: '1' },
  }
  /** Sends requests of one era over HTTP. */
  async function requester(mcp: string, era: '2025' | '2026') {
    const post = (method: string, params: object, more: Record<string, string> = {}) =>
      rawRequest(mcp, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
    if (era === '2026') {
      return (method: string, params: { name?: string; uri?: string } = {}) =>
        post(
          method,
          { ...params, _meta: envelope },
          {
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            ...(params.name !== undefined && { 'mcp-name': params.name }),
          },
        )
    }
    const session = String((await post('initialize', initialize)).headers['mcp-session-id'])
    return (method: string, params: object = {}) =>
      post(method, params, { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' })
  }

  test.each(['2025', '2026'] as const)(
    'the headers of %s have what remains of the requests; a refused call is a result, and anything else is 429',
    async (era) => {
      const serving = await serveBuilt({ limits: LIMITS })
      const send = await requester((await serving.link()).mcp, era)
      serving.clock.now += 60_000
      const limits = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => {
        const names = Object.keys(headers).filter((name) => /^(x-ratelimit|x-blockbudget|retry-after)/.test(name))
        return { status, ...Object.fromEntries(names.map((name) => [name, headers[name]])) }
      }
      const left = (remaining: number) => ({
        ...requestsLeft(remaining),
        'x-ratelimit-reset': String(Number(RESET) + 60),
      })
      const call = { name: 'documents_list', arguments: {} }
      expect(limits(await send('tools/call', call))).toEqual({ status: 200, ...left(4) })
      expect(limits(await send('tools/list'))).toEqual({ status: 200, ...left(3) })
      expect(limits(await send('resources/list'))).toEqual({ status: 200, ...left(2) })
      await send('tools/call', call)
      await send('tools/call', call)
      const refused = await send('tools/call', call)
      expect(limits(refused)).toEqual({ status: 200, ...left(0) })
      expect(refused.text).toContain('Retry after 60 seconds.')
      expect(refused.text).toContain('"isError":true')
      for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
        const response = await send(method)
        expect({ method, ...limits(response) }).toEqual({ method, status: 429, ...left(0), 'retry-after': '60' })
        expect(response.text).toContain('Retry after 60 seconds.')
      }
    },
  )

  test('a client that connects over the limit of its address gets 429', async () => {
    const serving = await serveBuilt({ limits: { requests: 0, blocks: 0, address: 1 } })
    const link = await serving.link()
    serving.clock.now += 10_000
    const connect = () =>
      rawRequest(link.mcp, {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
      })
    expect((await connect()).status).toBe(200)
    const refused = await connect()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    expect(refused.text).toContain('Retry after 10 seconds.')
  })
})

test('REST, MCP and stdio share one limit over all links', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const serving = await serveBuilt({ limits: LIMITS })
  const [one, other] = [await serving.link(), await serving.link({ kind: 'daily' })]
  const client = await other.client()
  const here = await connect('full', {
    to: serving,
    caller: { rateLimiter: serving.budget },
  })
  // The window that counted the connects has ended.
  serving.clock.now += 60_000
  expect((await one.ask('GET /connection')).headers.get('x-ratelimit-remaining')).toBe('4')
  expect((await callTool(client, 'connection_get')).meta['scriptorium/limits'].requests.remaining).toBe(3)
  await here.call('connection_get')
  expect((await other.ask('GET /connection')).headers.get('x-ratelimit-remaining')).toBe('1')
  await here.call('connection_get')
  expect((await one.ask('GET /connection')).json).toEqual(USED_UP)
  expect(await here.refused('connection_get')).toBe(USED_UP.error)
  expect((await callTool(client, 'connection_get')).text).toBe(USED_UP.error)
})

test('all processes that serve a space share one usage file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const usages = [1, 2].map(() => openUsage(join(folder, 'space.sqlite.usage')))
  onTestFinished(() => usages.forEach((usage) => void usage.close()))
  const budgets = usages.map((usage) => new RateLimiter(usage, { requests: 3, blocks: 0 }, () => NOW))
  const outcomes = await Promise.allSettled([0, 1, 0, 1, 0].map((one) => budgets[one]?.acquire({})))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

describe('for each client address', () => {
  const ADDRESS = {
    error:
      'Expected at most 3 requests in 10 seconds from one address, found them used up by all its connections together. Retry after 10 seconds.',
    code: 'RATE_LIMITED',
  }

  test('there is one limit over all links, which also counts wrong secrets and routes', async () => {
    const serving = await serveBuilt({ limits: { requests: 100, blocks: 0, address: 3 } })
    const [one, other] = [await serving.link(), await serving.link()]
    await one.ask('GET /connection')
    await serving.ask('GET /links/wrong/api/v1/connection')
    await other.ask('GET /nowhere')
    for (const { ask } of [one, other]) {
      const response = await ask('GET /connection')
      expect({ ...response.json, status: response.status, wait: response.headers.get('retry-after') }).toEqual({
        ...ADDRESS,
        status: 429,
        wait: '10',
      })
    }
    expect((await serving.ask('GET /links/wrong/mcp')).json).toEqual(ADDRESS)
    serving.clock.now += 10_000
    expect((await one.ask('GET /connection')).headers.get('x-ratelimit-remaining')).toBe('97')
  })

  test('the error over MCP has the delay', async () => {
    const serving = await serveBuilt({ limits: { requests: 0, blocks: 0, address: 1 } })
    const client = await (await serving.link()).client()
    serving.clock.now += 10_000
    expect((await callTool(client, 'connection_get')).isRefused).toBe(false)
    expect((await callTool(client, 'connection_get')).text).toMatch(/Retry after 10 seconds\.$/)
  })

  test('a trusted proxy names the client, another does not', async () => {
    for (const trustsProxy of [true, false]) {
      const serving = await serveBuilt({ trustsProxy, limits: { requests: 0, blocks: 0, address: 2 } })
      const { ask } = await serving.link()
      const from = async (hops: string) => (await ask('GET /connection', undefined, { 'x-forwarded-for': hops })).status
      const statuses = [
        await from('198.51.100.7'),
        await from('1.1.1.1, 198.51.100.7'),
        await from('2.2.2.2, 198.51.100.7'),
        await from('198.51.100.8'),
      ]
      expect(statuses).toEqual(trustsProxy ? [200, 200, 429, 200] : [200, 200, 429, 429])
    }
  })

  test('what the space rejects is not counted', async () => {
    const serving = await serveBuilt({ limits: { requests: 1, blocks: 0, address: 3 } })
    const { ask } = await serving.link()
    expect((await ask('GET /connection')).status).toBe(200)
    for (let time = 0; time < 5; time++) {
      expect((await ask('GET /connection')).json.error).toContain('a minute in this space')
      expect((await ask('GET /nowhere')).json.error).toContain('a minute in this space')
    }
  })
})
