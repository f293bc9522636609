import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { revokeAccessLink } from '../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { buildSpace } from '../build.ts'
import { rowsOf } from '../sqlite.ts'
import { eventually } from '../support/eventually.ts'
import { callTool, documentBy, openWire, rawRequest, type Serving, serveBuilt } from './serving.ts'

const MIB = 1024 * 1024

describe('foreign hosts and origins', () => {
  test.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:1234', 200],
    ['localhost:1234', 200],
    ['LOCALHOST', 200],
    ['[::1]:1234', 200],
    ['[2001:db8::1]', 200],
    ['192.0.2.7:80', 200],
    ['docs.example', 200],
    ['docs.example:8443', 200],
    ['evil.example', 403],
    ['docs.example.evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
  ])('a Host of %s gets %i', async (host, status) => {
    const { server } = await serveBuilt({ publicUrl: 'https://docs.example/base/' })
    expect((await rawRequest(`${server.origin}/health`, { headers: { host } })).status).toBe(status)
  })

  test.each([
    ['http://localhost:3000', 200],
    ['http://127.0.0.1', 200],
    ['http://[::1]:5', 200],
    ['https://docs.example', 200],
    ['https://evil.example', 403],
    ['https://docs.example.evil.example', 403],
    ['null', 403],
    ['nonsense', 403],
  ])('an Origin of %s gets %i', async (origin, status) => {
    const { server } = await serveBuilt({ publicUrl: 'https://docs.example' })
    expect((await rawRequest(`${server.origin}/health`, { headers: { origin } })).status).toBe(status)
  })

  test('the errors say what to do, over MCP as over REST', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    for (const address of [link.mcp, `${link.rest}/connection`]) {
      const byName = await rawRequest(address, { headers: { host: 'evil.example' } })
      expect(JSON.parse(byName.text)).toEqual({
        error:
          "Expected one of this server's names as Host, found evil.example; ask by its address, or start it with --public-url.",
        code: 'FORBIDDEN',
      })
      const byPage = await rawRequest(address, {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
        body: '{}',
      })
      expect(JSON.parse(byPage.text)).toEqual({
        error:
          'Expected a program or a page of this server, found a page of https://evil.example; web pages elsewhere are not answered.',
        code: 'FORBIDDEN',
      })
    }
  })

  test('a request without Host, and an invalid request', async () => {
    const { port } = await serveBuilt()
    expect(await openWire(port, 'GET /health HTTP/1.1\r\n\r\n').closed).toMatch(/^HTTP\/1\.1 400 /)
    expect(await openWire(port, 'GET /health HTTP/1.0\r\n\r\n').closed).toMatch(/^HTTP\/1\.1 400 .*Expected a request/s)
    expect(await openWire(port, 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n').closed).toMatch(
      /^HTTP\/1\.1 400 .*VALIDATION_ERROR/s,
    )
    expect(await openWire(port, '\x16\x03\x01 hello\r\n\r\n').closed).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })
})

describe('request bodies', () => {
  test('over the limit, with or without Content-Length, are rejected over REST and MCP, and nothing is written', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const before = (await link.ask('GET /documents')).json
    const large = JSON.stringify({ documents: [{ title: 'x'.repeat(10 * MIB) }] })
    const chunks = () => new Blob([large]).stream()
    for (const [method, url] of [
      ['POST', `${link.rest}/documents`],
      ['POST', link.mcp],
    ] as const) {
      for (const body of [large, chunks()]) {
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
        const response = await fetch(url, { method, headers, body, duplex: 'half' } as RequestInit)
        expect(response.status).toBe(413)
        expect(await response.json()).toEqual({
          error: 'Expected a body of at most 10 MiB, found more; split the call.',
          code: 'PAYLOAD_TOO_LARGE',
        })
      }
    }
    expect((await link.ask('GET /documents')).json).toEqual(before)
  })

  const announced = (link: { rest: string; mcp: string }, address: 'rest' | 'mcp', length: number) => {
    const { pathname, host } = new URL(address === 'rest' ? `${link.rest}/documents` : link.mcp)
    return `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  }

  test.each(['rest', 'mcp'] as const)(
    'get a response even if the client sends everything first, over %s',
    async (address) => {
      const serving = await serveBuilt()
      const head = announced(await serving.link(), address, 32 * MIB)
      const { socket, until } = openWire(serving.port)
      const sent = Buffer.concat([Buffer.from(head), Buffer.alloc(32 * MIB)])
      await new Promise((resolve, reject) => socket.pause().on('error', reject).write(sent, resolve))
      socket.resume()
      expect(await until(/"PAYLOAD_TOO_LARGE"\}$/)).toMatch(/^HTTP\/1\.1 413 /)
    },
  )

  const byStranger =
    'POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 10000\r\n\r\n'

  /** Opens a connection whose response arrives and ends before the request's body is sent. */
  const answeredBefore = async (serving: Serving, head: string) => {
    const socket = connectSocket({ port: serving.port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {}).resume()
    socket.write(head)
    await once(socket, 'end')
    return { socket, closed }
  }

  test('are the last of a connection that is closing, whatever follows them', async () => {
    const serving = await serveBuilt()
    const { socket, closed } = await answeredBefore(serving, byStranger)
    socket.end(`${'x'.repeat(10_000)}GET /behind HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await closed
    await serving.ask('GET /nowhere')
    await eventually(() => expect(serving.requests.at(-1)).toMatchObject({ route: '/nowhere' }))
    expect(serving.requests).toMatchObject([{ status: 403 }, { status: 401 }])
  })

  test('are skipped for a while, and no longer', async () => {
    const serving = await serveBuilt({ timeouts: { linger: 0.2 } })
    const { socket, closed } = await answeredBefore(serving, byStranger)
    const drip = setInterval(() => socket.write(' '), 20)
    await closed
    clearInterval(drip)
    expect(serving.requests).toMatchObject([{ status: 403 }])
  })

  test.each(['rest', 'mcp'] as const)('that arrive in full after a timeout write nothing over %s', async (address) => {
    const serving = await serveBuilt({ timeouts: { body: 0.2 } })
    const link = await serving.link()
    const documents = [{ title: 'Late' }]
    const params = { name: 'documents_add', arguments: { documents } }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const body = JSON.stringify(address === 'rest' ? { documents } : call)
    const accept = 'Accept: application/json, text/event-stream\r\n\r\n'
    const head = announced(link, address, body.length).replace(/\r\n$/, accept)
    const { socket, closed } = await answeredBefore(serving, `${head}${body.slice(0, 10)}`)
    socket.end(body.slice(10))
    await closed
    expect(serving.requests).toMatchObject([{ status: 408 }])
    expect((await link.ask('GET /documents')).json.items).toEqual([])
  })

  test.each(['rest', 'mcp'] as const)('that trickle in time out over %s', async (address) => {
    const serving = await serveBuilt({ timeouts: { body: 0.2 } })
    const link = await serving.link()
    const { socket, closed } = openWire(serving.port, announced(link, address, 1000))
    const drip = setInterval(() => socket.write(' '), 20)
    const response = await closed
    clearInterval(drip)
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
    expect(response).toContain(
      'Expected the request body without long pauses, found that it takes too long to arrive; send the request again.',
    )
    expect((await link.ask('GET /documents')).json.items).toEqual([])
  })

  test('that are long may take longer, and calls longer than bodies', async () => {
    const serving = await serveBuilt({ timeouts: { body: 0.3 } })
    const link = await serving.link()
    const body = JSON.stringify({ documents: [{ title: 'A', markdown: 'words '.repeat(20_000) }] })
    const { socket, until } = openWire(serving.port, announced(link, 'rest', body.length))
    // 120 KB in three parts are allowed two more seconds.
    for (const part of [0, 1, 2]) {
      socket.write(body.slice((part * body.length) / 3, ((part + 1) * body.length) / 3))
      await new Promise((resolve) => setTimeout(resolve, 120))
    }
    expect(await until(/\}\]\}$/)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each(['rest', 'mcp'] as const)('that are cut off write nothing over %s', async (address) => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const head = announced(link, address, 1000).replace(/\r\n$/, 'Expect: 100-continue\r\n\r\n')
    const { socket, until } = openWire(serving.port, `${head}{"documents":[`)
    await until(/100 Continue/)
    socket.destroy()
    await eventually(() => expect(serving.requests).toHaveLength(1))
    expect((await link.ask('GET /documents')).json.items).toEqual([])
  })

  test('that are invalid JSON or UTF-8 are rejected with the position', async () => {
    const serving = await serveBuilt()
    const { ask, mcp } = await serving.link()
    const headers = { 'content-type': 'application/json' }
    expect((await ask('POST /documents', '{"documents":\n [}', headers)).json).toEqual({
      error: 'Expected a value or ] at line 2, column 3 of the body, which is to be JSON, found "}"; correct it there.',
      code: 'VALIDATION_ERROR',
    })
    const post = async (body: string | Buffer<ArrayBuffer>) => {
      const response = await fetch(mcp, { method: 'POST', headers, body })
      return { status: response.status, ...((await response.json()) as { error: object }) }
    }
    expect(await post('{"jsonrpc": 2.0,\n}')).toEqual({
      status: 400,
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32700,
        message:
          'Expected a key in double quotes at line 2, column 1 of the body, which is to be JSON, found "}"; correct it there.',
      },
    })
    expect(await post(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({
      status: 400,
      error: { code: -32700, message: 'Expected a body in UTF-8, found other bytes; convert it.' },
    })
    expect(await post('')).toMatchObject({ status: 400, error: { code: -32700 } })
    const response = await fetch(mcp, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' })
    expect(response.status).toBe(415)
  })
})

describe('floods', () => {
  test('of headers are rejected, and up to the limit they are read', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const many = (count: number, length: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'y'.repeat(length)]))
    const url = `${link.rest}/documents`
    expect((await rawRequest(url, { headers: many(1, 20_000) })).status).toBe(431)
    expect((await rawRequest(url, { headers: many(3000, 1) })).status).toBe(431)
    // The hundredth header and those after it count like the first ones.
    const bearer = await serving.link({ isBearer: true })
    const response = await rawRequest(`${bearer.rest}/connection`, { headers: { ...many(500, 5), ...bearer.headers } })
    expect(response.status).toBe(200)
  })
})

describe('the server log', () => {
  test('contains no secret and no text of a block', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const bearer = await serving.link({ isBearer: true })
    const words = 'unmistakable words'
    await documentBy(link, words, words)
    await link.ask(`GET /documents?title=${words}`)
    await link.ask('POST /documents', `{"documents": "${words}`)
    await bearer.ask('GET /nowhere')
    for (const secret of [link.secret, bearer.secret]) {
      for (const path of [
        `/links/${secret}/api/v1/${secret}`,
        `/links/x/links/${secret}/mcp`,
        `//links/${secret}/mcp`,
        `/LINKS/${secret}/mcp`,
        `/${secret}`,
        `/links/x/mcp?secret=${secret}`,
        `/links/${secret}x/api/v1/connection`,
      ])
        await serving.ask(`GET ${path}`)
    }
    const client = await link.client('2025')
    await callTool(client, 'documents_add', { documents: [{ title: words, nonsense: words }] })
    await expect(callTool(client, 'nothing', { words })).rejects.toMatchObject({ code: -32602 })
    await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, link.info.id))
    await link.ask('GET /connection')
    await eventually(() => expect(serving.requests.length).toBeGreaterThan(20))
    const journal = JSON.stringify([serving.requests, serving.noted])
    for (const hidden of [link.secret, bearer.secret, words]) expect(journal).not.toContain(hidden)
    expect(serving.requests).toContainEqual({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'POST',
      route: '/links/…/api/v1/documents',
      status: 200,
      ms: expect.any(Number),
      link: link.info.id,
      client: '127.0.0.1',
      tool: 'documents_add',
    })
  })

  test('identifies each response by its X-Request-Id, including errors', async () => {
    const serving = await serveBuilt()
    const responses = [
      await serving.ask('GET /files/none'),
      await serving.ask('GET /nowhere'),
      await (await serving.link()).ask('GET /connection'),
    ]
    const foreign = await rawRequest(`${serving.server.origin}/health`, { headers: { host: 'evil.example' } })
    const ids = [...responses.map(({ headers }) => headers.get('x-request-id')), foreign.headers['x-request-id']]
    await eventually(() => expect(serving.requests.map(({ requestId }) => requestId)).toEqual(ids))
    expect(serving.requests.map(({ status, code }) => [status, code])).toEqual([
      [404, 'NOT_FOUND_ERROR'],
      [401, 'INVALID_AUTH_HEADER'],
      [200, undefined],
      [403, 'FORBIDDEN'],
    ])
  })
})

describe('when the server stops', () => {
  test('running calls are finished, new ones are rejected, and then the port is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const serving = await serveBuilt({ to: await buildSpace(join(folder, 'space.sqlite')) })
    const link = await serving.link()
    // Writes run one at a time: this one blocks those of the link.
    const { promise: free, resolve: release } = Promise.withResolvers<void>()
    const blocking = serving.space.write(OPERATOR_LINK, () => free)
    const { pathname, host } = new URL(link.rest)
    const body = '{"documents":[{"title":"Kept"}]}'
    const head = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue`
    const wire = openWire(serving.port, `POST ${pathname}/documents HTTP/1.1\r\n${head}\r\n\r\n${body}`)
    await wire.until(/100 Continue/)
    const closing = serving.server.close()
    wire.socket.write(`GET ${pathname}/documents HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    // Gives the server, which runs in this process, time to read the request.
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    release()
    await blocking
    const [, , first = '', second = ''] = (await wire.closed).split('HTTP/1.1 ')
    expect(first).toMatch(/^200 .*"title":"Kept"/s)
    expect(second).toMatch(/^503 .*retry-after: 5\r\n/is)
    expect(second).toContain('Expected a running server, found one that is shutting down; try again in a few seconds.')
    await closing
    await expect(link.ask('GET /connection')).rejects.toThrow('fetch failed')
    const { documents } = await serving.space.read(OPERATOR_LINK, async ({ tx }) => ({
      documents: await rowsOf<{ title: string }>(tx, "SELECT text AS title FROM block WHERE text = 'Kept'"),
    }))
    expect(documents).toHaveLength(1)
  })

  test('a response is sent to its end, however slowly it is read', async () => {
    const serving = await serveBuilt()
    const link = await serving.link()
    const id = await documentBy(link, `${'words '.repeat(500)}\n\n`.repeat(800))
    const { pathname, host } = new URL(link.rest)
    const wire = openWire(serving.port)
    wire.socket.pause()
    wire.socket.write(`GET ${pathname}/blocks?id=${id}&maxBlocks=1000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await eventually(() => expect(wire.socket.readableLength).toBeGreaterThan(0))
    const closing = serving.server.close()
    wire.socket.resume()
    const response = await wire.closed
    await closing
    const [head = '', body = ''] = response.split(/\r\n\r\n(.*)/s)
    expect(Buffer.byteLength(body)).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]))
    expect(JSON.parse(body).content.length).toBe(800)
  })
})
