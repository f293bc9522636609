/** How a browser gets access to the pages, and how others are kept out. */
import { describe, expect, test } from 'vitest'
import { revokeAccessLink, spaceKey } from '../../src/auth/access-links/access-links.ts'
import { createEntryToken, sealSession } from '../../src/auth/browser-sessions/browser-session.ts'
import { VIEW_SECONDS } from '../../src/base/limits.ts'
import { AddressRateLimiter } from '../../src/call/rate-limiter.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { makeLink } from '../http/serving.ts'
import { enter, servePages, textOf, visitAsOperator, visitByLink } from './visiting.ts'

const at = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: 'manual', headers })

describe('the address of a link', () => {
  test('is exchanged for a cookie of this space only, and not shown again', async () => {
    const serving = await servePages()
    const { secret } = await makeLink(serving, serving.server.origin)
    const response = await at(`${serving.server.origin}/links/${secret}/view`)
    const key = spaceKey(serving.space.info.id)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/view/${key}/enter?page=%2F`)
    const [offered = ''] = response.headers.getSetCookie()
    expect(offered).toMatch(
      new RegExp(`^scriptorium-offered=[^;]+; Path=/view/${key}/enter; Max-Age=600; HttpOnly; SameSite=Lax$`),
    )
    expect(offered).not.toContain(secret)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const cookie = offered.split(';')[0] ?? ''
    const entered = await at(`${serving.server.origin}/view/${key}/enter?page=%2F`, { cookie })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `/view/${key}/`])
    expect(entered.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^scriptorium=[^;]+; Path=/view/${key}; Max-Age=${VIEW_SECONDS}; HttpOnly; SameSite=Lax$`),
      ),
      `scriptorium-offered=; Path=/view/${key}/enter; Max-Age=0; HttpOnly; SameSite=Lax`,
    ])
  })

  test('returns the same error when it is invalid, revoked or needs a header', async () => {
    const serving = await servePages()
    const { origin } = serving.server
    const revoked = await makeLink(serving, origin)
    await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, revoked.info.id))
    const bearer = await makeLink(serving, origin, { isBearer: true })
    const texts = new Set<string>()
    for (const address of [`${spaceKey(serving.space.info.id)}wrong`, revoked.secret, bearer.info.id, bearer.secret]) {
      const response = await at(`${origin}/links/${address}/view`)
      expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null])
      texts.add(await response.text())
    }
    expect(texts.size).toBe(1)
  })

  test('ends with the link', async () => {
    const serving = await servePages()
    const { info, secret } = await makeLink(serving, serving.server.origin)
    const visitor = await enter(`${serving.server.origin}/links/${secret}/view`)
    expect((await visitor.get('/')).status).toBe(200)
    await serving.space.write(OPERATOR_LINK, (view) => revokeAccessLink(view, info.id))
    expect((await visitor.get('/')).status).toBe(401)
  })
})

describe('the address of scriptorium open', () => {
  test('opens the pages once', async () => {
    const serving = await servePages()
    const { space, clock, server } = serving
    const address = `${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`
    expect((await (await enter(address)).get('/')).status).toBe(200)
    expect((await at(address)).status).toBe(401)
  })

  test('says that it is not valid, whether it was wrong or was used', async () => {
    const { space, clock, server } = await servePages()
    const address = `${server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`
    await enter(address)
    for (const one of [address, `${server.origin}/enter/wrong`]) {
      const page = await (await at(one)).text()
      expect(page).toContain('<h1>This address is not valid, or not any more</h1>')
      expect(await (await at(one, { 'accept-language': 'de' })).text()).toContain(
        'Diese Adresse gilt nicht oder nicht mehr',
      )
    }
  })

  test('is rejected when it is too old, from before the start, or of another space', async () => {
    const serving = await servePages()
    const { space, clock, server } = serving
    const enterBy = async (token: string) => (await at(`${server.origin}/enter/${token}`)).status
    const token = createEntryToken(space.info, clock.now, 60_000)
    const before = createEntryToken(space.info, -1_000, clock.now + 60_000)
    const foreign = createEntryToken({ ...space.info, secret: '00'.repeat(32) }, clock.now, 60_000)
    expect(await Promise.all([before, foreign, `${token}x`, 'x'].map(enterBy))).toEqual([401, 401, 401, 401])
    clock.now += 60_000
    expect(await enterBy(token)).toBe(401)
  })

  test('is rejected by a server without operator pages, and so is the cookie', async () => {
    const own = await servePages()
    const visitor = await visitAsOperator(own)
    const other = await servePages({ to: own, isOperator: false })
    const { space, clock } = own
    const address = `${other.server.origin}/enter/${createEntryToken(space.info, clock.now, 60_000)}`
    expect((await at(address)).status).toBe(401)
    const key = spaceKey(space.info.id)
    expect((await at(`${other.server.origin}/view/${key}/`, { cookie: visitor.cookie })).status).toBe(401)
  })
})

describe('a session', () => {
  test('expires', async () => {
    const serving = await servePages()
    const visitor = await visitAsOperator(serving)
    serving.clock.now += VIEW_SECONDS * 1000
    expect((await visitor.get('/')).status).toBe(401)
  })

  test('cannot be forged or extended', async () => {
    const serving = await servePages()
    const visitor = await visitAsOperator(serving)
    const { info } = serving.space
    const forged = sealSession(
      { ...info, secret: '00'.repeat(32) },
      { link: 'operator', access: 'full', from: 0, until: 9e15, nonce: 'n'.repeat(16) },
    )
    const longer = visitor.cookie.replace(/\.(\d+)\.([\w-]+)\.([\w-]+)$/, '.9$1.$2.$3')
    for (const cookie of [`scriptorium=${forged}`, longer, 'scriptorium=', 'scriptorium=..']) {
      expect((await at(`${visitor.base}/`, { cookie })).status).toBe(401)
    }
  })

  test('belongs to one space', async () => {
    const one = await servePages()
    const other = await servePages()
    const visitor = await visitAsOperator(one)
    const key = spaceKey(other.space.info.id)
    expect((await at(`${other.server.origin}/view/${key}x/`, { cookie: visitor.cookie })).status).toBe(401)
  })
})

describe('a form', () => {
  const anOrigin = 'http://127.0.0.1:1'

  test.each([
    ['another page of this machine', { origin: anOrigin }, {}],
    ['a page without an origin', { origin: 'null' }, {}],
    ['a page without its token', {}, { token: '' }],
    ['a page with another token', {}, { token: 'x'.repeat(43) }],
  ])('from %s changes nothing', async (_, headers, fields) => {
    const serving = await servePages()
    const visitor = await visitByLink(serving)
    const { callId } = await addDocument(serving)
    const sent = await visitor.post('/undo', { calls: callId, ...fields }, headers)
    expect(sent.status).toBe(403)
    expect(textOf(await visitor.get('/trash'))).toContain('Deleted documents show up here')
  })

  test('of one session is invalid in another', async () => {
    const serving = await servePages()
    const [one, other] = [await visitByLink(serving), await visitByLink(serving)]
    const token = /name="token" value="([^"]+)"/.exec((await one.get('/')).text)?.[1] ?? ''
    const { callId } = await addDocument(serving)
    expect((await other.post('/undo', { calls: callId, token })).status).toBe(403)
    expect((await one.post('/undo', { calls: callId, token })).status).toBe(303)
  })

  test('larger than any real one is not read', async () => {
    const visitor = await visitByLink(await servePages())
    expect((await visitor.post('/undo', { calls: 'x'.repeat(100_000) })).status).toBe(413)
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, '']))
    expect((await visitor.post('/undo', many)).status).toBe(400)
  })

  test('cannot be sent by other methods', async () => {
    const visitor = await visitByLink(await servePages())
    const response = await fetch(`${visitor.base}/undo`, { method: 'PUT', headers: { cookie: visitor.cookie } })
    expect(response.status).toBe(405)
  })
})

describe('every page', () => {
  test('runs, loads and frames nothing from elsewhere', async () => {
    const visitor = await visitByLink(await servePages())
    const { host, pathname } = new URL(visitor.base)
    for (const path of ['/', '/nowhere', '/search?q=x']) {
      const { headers } = await visitor.get(path)
      // A page that is there shows the PDF files of its space.
      const frames = path === '/nowhere' ? '' : `; frame-src ${host}${pathname}/files/`
      expect(headers.get('content-security-policy')?.replace(frames, '')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
  })

  test('has no inline styles or scripts', async () => {
    const visitor = await visitByLink(await servePages())
    const { text } = await visitor.get('/')
    expect(text).not.toMatch(/<style|<script(?! src=)| style=| on[a-z]+="/)
  })

  test('references its own files, which browsers cache', async () => {
    const serving = await servePages()
    const { text } = await (await visitByLink(serving)).get('/')
    const files = [...text.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(([, file]) => file ?? '')
    expect(files).toHaveLength(10)
    for (const file of files) {
      const response = await at(`${serving.server.origin}${file}`)
      expect([response.status, response.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
    }
    expect((await at(`${serving.server.origin}/page/page-0000000000.js`)).status).toBe(404)
  })
})

test('deep links lead to the page', async () => {
  const { server, space } = await servePages()
  const key = spaceKey(space.info.id)
  for (const link of [
    `/open?spaceId=${space.info.id}&documentId=100000000001`,
    `/open?spaceId=${space.info.id}&blockId=100000000001`,
    `/d/${space.info.id}/100000000001`,
  ]) {
    expect((await at(`${server.origin}${link}`)).headers.get('location')).toBe(`/view/${key}/d/100000000001`)
  }
})

test('page views do not count against the limits of agents, and have limits of their own', async () => {
  const serving = await servePages({
    limits: { requests: 5, blocks: 100, address: 5 },
    pageLimiter: new AddressRateLimiter(20),
  })
  const visitor = await visitByLink(serving)
  for (let time = 0; time < 10; time++) expect((await visitor.get('/')).status).toBe(200)
  const { ask } = await serving.link()
  expect((await ask('GET /connection')).headers.get('x-ratelimit-remaining')).toBe('4')
  const statuses = new Set<number>()
  for (let time = 0; time < 20; time++) statuses.add((await visitor.get('/nowhere')).status)
  expect([...statuses].sort()).toEqual([404, 429])
})

/** A document, and the call that added it. */
async function addDocument(serving: Awaited<ReturnType<typeof servePages>>): Promise<{ callId: string }> {
  const { ask } = await serving.link()
  await ask('POST /documents', { documents: [{ title: 'Plan' }] })
  const { json } = await ask('GET /history?ids=short')
  return json.items[0]
}
