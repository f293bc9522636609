import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PROXY_SECONDS } from '../../src/base/limits.ts'
import { closeUnreadResponses, limitsBy } from '../../src/http/connection-limits.ts'
import { makeCertificate } from '../certificate.ts'
import { eventually } from '../support/eventually.ts'
import { openWire, serveBuilt } from './serving.ts'

const ASK = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'
/** Treats connections from this machine like those from another. */
const TWO = { maxPerAddress: 2, isExempt: () => false }

describe('connections of one address', () => {
  test('beyond the limit are closed without a response, the others continue, and closed ones no longer count', async () => {
    const { port } = await serveBuilt({ connectionLimits: TWO })
    const [one, other] = [openWire(port, ASK), openWire(port, ASK)]
    await Promise.all([one, other].map(({ until }) => until(/"ok"/)))
    expect(await openWire(port, ASK).closed).toBe('')
    one.socket.write(ASK)
    await one.until(/"ok".*"ok"/s)
    other.socket.destroy()
    await eventually(async () =>
      expect(await openWire(port, ASK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')).closed).toContain('"ok"'),
    )
  })

  test('count before a TLS handshake is finished', async () => {
    const { cert, key } = makeCertificate()
    const { port } = await serveBuilt({
      connectionLimits: TWO,
      tls: { cert: Buffer.from(cert), key: Buffer.from(key) },
    })
    const silent = [openWire(port), openWire(port)]
    expect(await openWire(port).closed).toBe('')
    for (const { socket } of silent) socket.destroy()
    const response = await eventually(async () => {
      const socket = connectTls({ port, host: '127.0.0.1', ca: cert })
      onTestFinished(() => void socket.destroy())
      await once(socket, 'secureConnect')
      socket.setEncoding('utf8').write(ASK)
      return once(socket, 'data')
    })
    expect(String(response)).toContain('"ok"')
  })

  test.each([true, false])('that send nothing are closed (TLS: %s)', async (isSecure) => {
    const { cert, key } = makeCertificate()
    const tls = isSecure ? { tls: { cert: Buffer.from(cert), key: Buffer.from(key) } } : {}
    const { port } = await serveBuilt({ timeouts: { headers: 0.1 }, ...tls })
    expect(await openWire(port).closed).toMatch(isSecure ? /^$/ : /^HTTP\/1\.1 408 /)
  })

  test.each([
    ['127.0.0.1', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['192.168.1.20', {}, false],
    ['192.168.1.20', { trustsProxy: true }, false],
    ['192.168.1.20', { trustedProxies: ['192.168.1.0/24'] }, true],
    ['192.168.2.20', { trustsProxy: true, trustedProxies: ['192.168.1.0/24'] }, false],
  ])('%s with %j has no limit: %s', (address, trust, isExempt) => {
    expect(limitsBy({ trustsProxy: false, ...trust }).isExempt(address)).toBe(isExempt)
  })
})

describe('behind a proxy', () => {
  const requestFrom = (from: string) => ASK.replace('\r\n\r\n', `\r\nX-Forwarded-For: ${from}\r\n\r\n`)
  const behind = (grace: number) => ({ trustsProxy: true, connectionLimits: { ...TWO, grace } })
  const LONG = 60

  test('any direct peer has the common limit, unless it forwards requests', async () => {
    const { port } = await serveBuilt(behind(0.02))
    const silent = [openWire(port), openWire(port)]
    expect(await openWire(port).closed).toBe('')
    // The proxy's own request is not forwarded for a client.
    expect(await openWire(port, ASK).closed).toMatch(/^(HTTP.*"ok".*)?$/s)
    for (const [index, { socket, until }] of silent.entries()) {
      socket.write(requestFrom(`198.51.100.${index}`))
      await until(/"ok"/)
    }
    // These no longer count.
    const own = [openWire(port, ASK), openWire(port, ASK)]
    await Promise.all(own.map(({ until }) => until(/"ok"/)))
    expect(await openWire(port).closed).toBe('')
  })

  test('a burst of connections is not limited until each has forwarded a request', async () => {
    const { port } = await serveBuilt(behind(LONG))
    const wires = Array.from({ length: 50 }, () => openWire(port))
    await Promise.all(wires.map(({ socket }) => once(socket, 'connect')))
    for (const [index, { socket }] of wires.entries()) socket.write(requestFrom(`198.51.100.${index}`))
    await Promise.all(wires.map(({ until }) => until(/"ok"/)))
  })

  test('only if none is named: a named one has no limit, and all others are limited at once', () => {
    expect(limitsBy({ trustsProxy: true }).grace).toBe(PROXY_SECONDS)
    expect(limitsBy({ trustsProxy: true, trustedProxies: ['192.0.2.1'] }).grace).toBe(0)
    expect(limitsBy({ trustsProxy: false }).grace).toBe(0)
  })

  test('connections over TLS are distinguished as well', async () => {
    const { cert, key } = makeCertificate()
    const tls = { cert: Buffer.from(cert), key: Buffer.from(key) }
    const { port } = await serveBuilt({ ...behind(0), tls })
    for (let index = 0; index < 4; index++) {
      const socket = connectTls({ port, host: '127.0.0.1', ca: cert })
      onTestFinished(() => void socket.destroy())
      await once(socket, 'secureConnect')
      socket.setEncoding('utf8').write(requestFrom(`198.51.100.${index}`))
      expect(String(await once(socket, 'data'))).toContain('"ok"')
    }
  })

  test.each([
    ['by the flag alone', { trustsProxy: true }],
    ['by name', { trustsProxy: false, trustedProxies: ['127.0.0.1'] }],
  ])(
    'a client may have so many concurrent requests, others continue, and finished ones no longer count: %s',
    async (_, trust) => {
      const { port, link } = await serveBuilt({ ...trust, connectionLimits: TWO })
      const { rest, headers } = await link()
      const { pathname } = new URL(rest)
      const given = Object.entries({ ...headers, 'Content-Type': 'application/json', 'Content-Length': '2' })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')
      const waiting = (from: string) =>
        openWire(
          port,
          `POST ${pathname}/documents HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\n${given}Expect: 100-continue\r\n\r\n`,
        )
      const running = [waiting('198.51.100.1'), waiting('198.51.100.1')]
      await Promise.all(running.map(({ until }) => until(/100 Continue/)))
      const refused = await openWire(port, requestFrom('198.51.100.1')).closed
      expect(refused).toMatch(/^HTTP\/1\.1 429 .*retry-after: 1\r\n.*"code":"RATE_LIMITED"/is)
      expect(refused).toContain(
        'Expected at most 2 requests at once from one address, found that many under way; wait for their answers, then try again.',
      )
      await openWire(port, requestFrom('198.51.100.2')).until(/"ok"/)
      running[0]?.socket.write('{}')
      await running[0]?.until(/HTTP\/1\.1 400/)
      await openWire(port, requestFrom('198.51.100.1')).until(/"ok"/)
    },
  )
})

describe('a response', () => {
  /** Starts a server with this handler, which gives up on a response that is not read for 50 ms. */
  async function serverThat(work: (outgoing: ServerResponse) => void) {
    const server = createServer((_, outgoing) => {
      closeUnreadResponses(outgoing)
      work(outgoing)
    })
    server.timeout = 50
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return { server, port: (server.address() as AddressInfo).port }
  }

  test('that no one reads is dropped, and its memory is freed', async () => {
    const { server, port } = await serverThat((outgoing) => outgoing.end(Buffer.alloc(32 * 1024 * 1024)))
    const connected = once(server, 'connection') as Promise<[Socket]>
    openWire(port, ASK).socket.pause()
    const [socket] = await connected
    await once(socket, 'close')
    expect(socket.bytesWritten).toBeGreaterThan(0)
  })

  test('that takes long to produce is waited for', async () => {
    const { port } = await serverThat((outgoing) => outgoing.once('timeout', () => outgoing.end('made')))
    expect(await openWire(port, ASK).until(/made/)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test('every response forbids browsers to guess its type', async () => {
  const serving = await serveBuilt()
  const link = await serving.link()
  const responses = [
    await serving.ask('GET /health'),
    await serving.ask('GET /nowhere'),
    await serving.ask('GET /files/wrong/name'),
    await serving.ask('PUT /uploads/wrong', 'x'),
    await serving.ask('GET /links/wrong/api/v1/connection'),
    await serving.ask('GET /health', undefined, { origin: 'https://evil.example' }),
    await link.ask('GET /connection'),
    await link.ask('GET /nowhere'),
    await link.ask('POST /documents', '{'),
    await link.ask('PATCH /documents'),
  ]
  for (const body of ['{', { jsonrpc: '2.0', id: 1, method: 'ping' }]) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const response = await fetch(link.mcp, { method: 'POST', headers, body: text })
    await response.text()
    responses.push({ status: response.status, headers: response.headers, text: '', json: undefined })
  }
  expect(responses.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(responses.map(() => 'nosniff'))
  const raw = await openWire(serving.port, 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n').closed
  expect(raw).toMatch(/^HTTP\/1\.1 400 .*x-content-type-options: nosniff/is)
})
