/** Unauthenticated requests are limited in size, and checked before their bodies are read. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { nowInSeconds } from '../../src/auth/issuer/oidc-adapter.ts'
import { FORM_BYTES, FORM_FIELDS, PENDING_LIMITS, QUERY_FIELDS } from '../../src/base/limits.ts'
import { parseForm } from '../../src/call/input/request-form.ts'
import { Browser } from '../auth/issuer/browser.ts'
import { plainHost } from '../auth/issuer/plain-host.ts'
import { askAt, openWire } from './serving.ts'
import { openPage, ROUTES, send, serveIssuer } from './unauthenticated.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('the table has every route of the server', () => {
  const folder = join(import.meta.dirname, '../../src')
  const sources = globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/\bapp\.(?:all|get|put|post|patch|delete)\('([^']+)'/g)].map(([, route]) => route),
  )
  expect(routes.length).toBeGreaterThan(0)
  expect(routes.filter((route) => !(route && route in ROUTES))).toEqual([])
})

describe('a request body for the issuer', () => {
  test.each(['token', 'token/revocation', 'reg', 'session/end/confirm', 'x'])(
    'of more than 64 KiB is rejected unread at /%s',
    async (path) => {
      const { port, key } = await serveIssuer()
      const head = `POST /spaces/${key}/oauth/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${FORM_BYTES + 1}`
      // No byte of the body is sent.
      const wire = openWire(port, `${head}\r\nContent-Type: ${FORM['content-type']}\r\n\r\n`)
      expect(await wire.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 413 /)
    },
  )

  test('of unknown length is read no further than that', async () => {
    const { port, key } = await serveIssuer()
    const head = `POST /spaces/${key}/oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked`
    const chunk = `${(FORM_BYTES + 1).toString(16)}\r\n${'a'.repeat(FORM_BYTES + 1)}\r\n`
    const wire = openWire(port, `${head}\r\nContent-Type: ${FORM['content-type']}\r\n\r\n${chunk}`)
    expect(await wire.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 413 /)
  })

  test('that no page requested is not read', async () => {
    const { port, key } = await serveIssuer()
    const head = `POST /spaces/${key}/oauth/interaction/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000`
    const wire = openWire(port, `${head}\r\nContent-Type: ${FORM['content-type']}\r\n\r\n`)
    expect(await wire.until(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 400 /)
  })

  test('with more fields than a page has is rejected', async () => {
    const serving = await serveIssuer()
    const { path, cookie, token } = await openPage(serving)
    const post = (body: string) =>
      send(serving.server.origin, path, { method: 'POST', headers: { ...FORM, cookie }, body: `token=${token}${body}` })
    expect((await post('&a'.repeat(FORM_FIELDS - 1))).status).toBe(401)
    expect(await post('&a'.repeat(FORM_FIELDS))).toMatchObject({
      status: 400,
      text: expect.stringContaining(`Expected a form with at most ${FORM_FIELDS} fields, found more; send fewer.`),
    })
    expect((await post(`&a=${'x'.repeat(FORM_BYTES)}`)).status).toBe(413)
  })

  test('of a client registration may have 16 KiB', async () => {
    const { issuer } = await serveIssuer()
    const register = (length: number) =>
      askAt(issuer)('POST /reg', {
        redirect_uris: ['https://host.example/'],
        client_uri: `https://a.example/${'a'.repeat(length)}`,
      })
    expect((await register(16_000)).status).toBe(201)
    expect((await register(16 * 1024)).status).toBe(413)
  })
})

test('issuer addresses may have few parameters', async () => {
  const { issuer } = await serveIssuer()
  const ask = askAt(issuer)
  for (const path of ['auth', 'reg/x', 'jwks']) {
    expect(await ask(`GET /${path}?${'a&'.repeat(QUERY_FIELDS)}`)).toMatchObject({
      status: 400,
      json: { error: `Expected an address with at most ${QUERY_FIELDS} fields, found more; send fewer.` },
    })
  }
  expect((await ask(`GET /jwks?${'a&'.repeat(QUERY_FIELDS - 1)}`)).status).toBe(200)
})

test('a form is parsed as browsers send it', () => {
  expect([...parseForm('a=b+c&a=%C3%A4&d')]).toEqual([
    ['a', 'b c'],
    ['a', 'ä'],
    ['d', ''],
  ])
})

describe('what the issuer stores before anyone has signed in', () => {
  test('is a registration and a page, and a limited number of each per address', async () => {
    const serving = await serveIssuer()
    const now = nowInSeconds()
    const saved = vi.spyOn(serving.signIns, 'save')
    const most = PENDING_LIMITS
    for (const model of ['Client', 'Interaction']) {
      for (let n = 0; n < most.address; n++) {
        await serving.signIns.save(model, `${n}`, {}, now + 60 + n, now, { from: '127.0.0.1', most })
      }
    }
    saved.mockClear()
    await openPage(serving)
    expect(saved.mock.calls.map(([model, , , , , pending]) => [model, pending])).toEqual(
      ['Client', 'Interaction'].map((model) => [model, { from: '127.0.0.1', most }]),
    )
    for (const model of ['Client', 'Interaction']) {
      const isKept = async (id: string) => (await serving.signIns.find(model, id, now)) !== undefined
      expect([await isKept('0'), await isKept('1')]).toEqual([false, true])
    }
  })

  test('is small', async () => {
    const serving = await serveIssuer()
    const saved = vi.spyOn(serving.signIns, 'save')
    const host = await plainHost(serving.mcp, { client_uri: `https://a.example/${'a'.repeat(15_900)}` })
    const { status } = await new Browser().open(host.authorization({ state: '\u0001'.repeat(5_000) }))
    expect(status).toBe(200)
    const sizes = saved.mock.calls.map(([model, , payload]) => [model, JSON.stringify(payload).length] as const)
    for (const [, size] of sizes) expect(size).toBeLessThan(34 * 1024)
    expect(sizes.map(([model]) => model)).toEqual(['Client', 'Interaction'])
  })
})
