/** Invalid sign-ins at the embedded issuer are rejected, each for its own reason. */
import { createHmac } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { listAccessLinkInfos } from '../../../src/auth/access-links/access-links.ts'
import { getSigningKey } from '../../../src/auth/issuer/issuer-provider.ts'
import { decryptSuccessor } from '../../../src/auth/issuer/refresh-rotation.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { addParticipant, removeParticipant } from '../../../src/space/participants/participants.ts'
import { hashPassword } from '../../../src/space/participants/passwords.ts'
import { askAt } from '../../http/serving.ts'
import { Browser } from './browser.ts'
import { plainHost } from './plain-host.ts'
import { PASSWORDS, person, type ServingIssuer, serveIssuer } from './serving-issuer.ts'

/** Whether a token opens the space: the status and the error. */
async function openedWith({ mcp }: ServingIssuer, token: string | undefined) {
  const { status, json } = await askAt(mcp.replace('/mcp', '/api/v1'))('GET /connection', undefined, {
    authorization: `Bearer ${token}`,
  })
  return { status, error: json?.error as string }
}

/** A host that was admitted, and its tokens. */
async function letIn(serving: ServingIssuer) {
  const host = await plainHost(serving.mcp)
  const back = await person()(host.authorization())
  const code = back.get('code') ?? ''
  return { host, code, tokens: await host.token(code) }
}

const secondsLater = async <T>(seconds: number, work: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

describe('no redirect or registration', () => {
  test.each([
    ['another page', { redirect_uri: 'https://evil.example/' }],
    ['a page that begins alike', { redirect_uri: 'http://127.0.0.1:1/callback/../evil' }],
    ['another machine', { redirect_uri: 'http://127.0.0.1.evil.example:1/callback' }],
  ])('goes to %s than the client registered', async (_, wrong) => {
    const host = await plainHost((await serveIssuer()).mcp)
    const { status, headers, html } = await new Browser().open(host.authorization(wrong))
    expect([status, headers.get('location')]).toEqual([400, null])
    expect(html).toContain('redirect_uri did not match')
  })

  test('goes anywhere for an unknown client', async () => {
    const host = await plainHost((await serveIssuer()).mcp)
    const { status, html } = await new Browser().open(host.authorization({ client_id: 'nobody' }))
    expect(status).toBe(400)
    expect(html).toContain('This sign-in cannot go on')
  })

  test.each([
    ['without a challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for another kind of answer', { response_type: 'token' }, 'unsupported_response_type'],
    ['for a server elsewhere', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['for another space', { resource: 'http://127.0.0.1/spaces/0123456789/mcp' }, 'invalid_target'],
  ])('leads to a sign-in %s', async (_, wrong, error) => {
    const host = await plainHost((await serveIssuer()).mcp)
    const { url } = await new Browser().open(host.authorization(wrong))
    const back = new URLSearchParams(url.search || url.hash.slice(1))
    expect([url.host, back.get('error')]).toEqual(['127.0.0.1:1', error])
  })

  test.each([
    ['http elsewhere', 'http://evil.example/callback'],
    ['a script', 'javascript:alert(1)'],
    ['a fragment', 'https://host.example/callback#x'],
  ])('is accepted for a URI that no one may register: %s', async (_, uri) => {
    const { mcp } = await serveIssuer()
    await expect(plainHost(mcp, { redirect_uris: [uri] })).rejects.toThrow('invalid_redirect_uri')
  })
})

describe('an authorization code', () => {
  test('is accepted once; a second use revokes what the first one issued', async () => {
    const serving = await serveIssuer()
    const { host, code, tokens } = await letIn(serving)
    expect((await openedWith(serving, tokens.access_token)).status).toBe(200)
    expect(await host.token(code)).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await openedWith(serving, tokens.access_token)).toEqual({
      status: 401,
      error: `Expected a token of ${serving.issuer} as Authorization: Bearer, found one whose connection was ended; sign in again.`,
    })
    expect(await serving.space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([
      { revokedAt: expect.any(String) },
    ])
    expect(await host.refresh(tokens.refresh_token ?? '')).toMatchObject({ error: 'invalid_grant' })
  })

  test('is valid only for the requesting client, its verifier and redirect URI, within a minute', async () => {
    const serving = await serveIssuer()
    const host = await plainHost(serving.mcp)
    const other = await plainHost(serving.mcp)
    const codeOf = async () => (await person()(host.authorization())).get('code') ?? ''
    const wrong = { status: 400, error: 'invalid_grant' }
    expect(await other.token(await codeOf())).toMatchObject(wrong)
    expect(await host.token(await codeOf(), { code_verifier: 'x'.repeat(43) })).toMatchObject(wrong)
    expect(await host.token(await codeOf(), { redirect_uri: 'http://127.0.0.1:1/other' })).toMatchObject(wrong)
    const late = await codeOf()
    expect(await secondsLater(61, () => host.token(late))).toMatchObject(wrong)
  })
})

describe('a refresh token', () => {
  test('returns the same successor again within seconds, since responses get lost and hosts have several windows', async () => {
    const serving = await serveIssuer()
    const { host, tokens } = await letIn(serving)
    const both = await Promise.all([1, 2].map(() => host.refresh(tokens.refresh_token ?? '')))
    both.push(await secondsLater(5, () => host.refresh(tokens.refresh_token ?? '')))
    for (const { access_token: token } of both) expect((await openedWith(serving, token)).status).toBe(200)
    expect(new Set(both.map((one) => one.refresh_token)).size).toBe(1)
    // Both windows continue with the same rights.
    const later = await secondsLater(3_600, () => host.refresh(both[1]?.refresh_token ?? ''))
    const again = await secondsLater(3_605, () => host.refresh(both[2]?.refresh_token ?? ''))
    expect([again.status, again.refresh_token]).toEqual([200, later.refresh_token])
  })

  test('is not accepted again once its successor was used: the whole family is revoked', async () => {
    const serving = await serveIssuer()
    const { host, tokens } = await letIn(serving)
    const next = await host.refresh(tokens.refresh_token ?? '')
    const last = await host.refresh(next.refresh_token ?? '')
    expect(await host.refresh(tokens.refresh_token ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' })
    for (const token of [tokens, next, last]) {
      expect(await host.refresh(token.refresh_token ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' })
      expect((await openedWith(serving, token.access_token)).status).toBe(401)
    }
  })

  test('has a successor that cannot be guessed from it', async () => {
    const serving = await serveIssuer()
    const saved = vi.spyOn(serving.signIns, 'addSuccessor')
    const { host, tokens } = await letIn(serving)
    const next = await host.refresh(tokens.refresh_token ?? '')
    const [model, id, sealed = ''] = saved.mock.calls[0] ?? []
    expect([model, id === tokens.refresh_token, sealed.includes(next.refresh_token ?? '')]).toEqual([
      'RefreshToken',
      false,
      false,
    ])
    expect(decryptSuccessor(sealed, tokens.refresh_token ?? '')).toBe(next.refresh_token)
    expect(() => decryptSuccessor(sealed, next.refresh_token ?? '')).toThrow()
  })

  test('that was used and comes again later revokes the whole family, whoever stole it', async () => {
    const serving = await serveIssuer()
    const { host, tokens } = await letIn(serving)
    const next = await host.refresh(tokens.refresh_token ?? '')
    const reused = await secondsLater(60, () => host.refresh(tokens.refresh_token ?? ''))
    expect(reused).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await host.refresh(next.refresh_token ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect((await openedWith(serving, next.access_token)).status).toBe(401)
  })

  test('expires after thirty days without use', async () => {
    const { host, tokens } = await letIn(await serveIssuer())
    const late = await secondsLater(31 * 86_400, () => host.refresh(tokens.refresh_token ?? ''))
    expect(late).toMatchObject({ status: 400, error: 'invalid_grant' })
  })
})

describe('an access token', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claimsOf = (token: string | undefined) =>
    JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
  const found = ({ issuer }: ServingIssuer, what: string) => ({
    status: 401,
    error: `Expected a token of ${issuer} as Authorization: Bearer, found ${what}; sign in again.`,
  })

  test('without a signature, with a shared one, or signed by another key is invalid', async () => {
    const serving = await serveIssuer()
    const claims = claimsOf((await letIn(serving)).tokens.access_token)
    const { kid, d: _, ...open } = await getSigningKey(serving.signIns)
    const none = `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`
    const head = `${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${part(claims)}`
    const shared = `${head}.${createHmac('sha256', JSON.stringify(open)).update(head).digest('base64url')}`
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    expect(await exportJWK(privateKey)).toHaveProperty('d')
    const other = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
    for (const token of [none, shared, other]) {
      expect(await openedWith(serving, token)).toEqual(found(serving, 'one that the issuer has not signed'))
    }
  })

  test('that has expired or belongs to another space is invalid', async () => {
    const [serving, elsewhere] = [await serveIssuer(), await serveIssuer()]
    const { tokens } = await letIn(serving)
    const late = await secondsLater(3_700, () => openedWith(serving, tokens.access_token))
    expect(late).toEqual(found(serving, 'one that has expired'))
    expect(await openedWith(elsewhere, tokens.access_token)).toEqual(
      found(elsewhere, 'one that the issuer has not signed'),
    )
  })

  test('for REST or for MCP opens both, since they are one space', async () => {
    const serving = await serveIssuer()
    const { tokens } = await letIn(serving)
    expect(claimsOf(tokens.access_token)).toMatchObject({
      aud: serving.mcp,
      iss: serving.issuer,
      scope: 'space:read space:write',
    })
    expect((await openedWith(serving, tokens.access_token)).status).toBe(200)
  })
})

describe('a form', () => {
  const opened = async () => {
    const serving = await serveIssuer()
    const browser = new Browser()
    await browser.open((await plainHost(serving.mcp)).authorization())
    return { serving, browser, url: browser.seen.url }
  }
  const filled = { name: 'Anna', password: PASSWORDS.Anna, do: 'sign-in' }

  test('that does not come from the page is rejected, with another token or none', async () => {
    const { browser, url } = await opened()
    for (const token of ['', 'x'.repeat(43)]) {
      const { status, html } = await browser.open(url, new URLSearchParams({ ...filled, token }))
      expect([status, html.includes('The form was not one of this page.')]).toEqual([403, true])
    }
  })

  test('that is sent by a page elsewhere is rejected', async () => {
    const { browser, url } = await opened()
    const body = new URLSearchParams({ ...filled, token: browser.hidden('token') })
    const answer = await fetch(url, { method: 'POST', body, headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(403)
  })

  test('that is sent by another browser is rejected', async () => {
    const { browser, url } = await opened()
    const form = new URLSearchParams({ ...filled, token: browser.hidden('token') })
    const { status, html } = await new Browser().open(url, form)
    expect([status, html.includes('begun in another browser')]).toEqual([400, true])
  })

  test('cannot be framed, loads nothing, and is sent to the client only', async () => {
    const { headers } = (await opened()).browser.seen
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' http:\/\/127\.0\.0\.1:1$/,
    )
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
  })

  test('shows what a client says about itself as text', async () => {
    const { mcp } = await serveIssuer()
    const host = await plainHost(mcp, { client_name: '<img src=x onerror=alert(1)>' })
    const { html } = await new Browser().open(host.authorization())
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; asks to be let into this space')
    expect(html).not.toContain('<img')
  })

  test('that exposes no document says so, and grants no more than was requested', async () => {
    const serving = await serveIssuer()
    const browser = new Browser()
    await browser.open((await plainHost(serving.mcp)).authorization({ scope: 'space:read' }))
    await browser.submit(filled)
    const none = await browser.submit({ kind: 'selected', access: 'read', do: 'allow' })
    expect([none.status, none.html.includes('Choose the documents that it reaches.')]).toEqual([400, true])
    expect(none.html).not.toContain('value="no-delete"')
    await browser.submit({ kind: 'full', access: 'full', do: 'allow' })
    expect(await serving.space.read(OPERATOR_LINK, listAccessLinkInfos)).toMatchObject([{ access: 'read' }])
  })
})

describe('a password', () => {
  const WRONG = 'That name and that password do not go together. Try again.'

  test('that is wrong returns the same error as a name that does not exist', async () => {
    const browser = new Browser()
    await browser.open((await plainHost((await serveIssuer()).mcp)).authorization())
    for (const name of ['Anna', 'Nobody', 'Owner']) {
      const { status, html } = await browser.submit({ name, password: 'wrong', do: 'sign-in' })
      expect([status, html.includes(WRONG)]).toEqual([401, true])
    }
  })

  test.each([
    ['ten times from one address', 'address 127.0.0.1', 9],
    ['twenty times for one name', 'name anna', 19],
  ])('may be tried %s, right or wrong, within a quarter of an hour', async (_, key, before) => {
    const serving = await serveIssuer()
    const browser = new Browser()
    await browser.open((await plainHost(serving.mcp)).authorization())
    for (let time = 0; time < before; time++) await serving.signIns.count(key, 900, Math.floor(Date.now() / 1000))
    const trying = async (password: string) => (await browser.submit({ name: 'Anna', password, do: 'sign-in' })).status
    expect(await trying('wrong')).toBe(401)
    expect(await trying(PASSWORDS.Anna)).toBe(429)
    expect(browser.seen.html).toContain('Too many wrong passwords. Try again in 15 minutes.')
    await secondsLater(15 * 60 + 1, () => trying(PASSWORDS.Anna))
    expect(browser.seen.html).toContain('You are Anna.')
  })

  test('that was changed ends sessions of browsers; hosts stay signed in', async () => {
    const serving = await serveIssuer()
    const browser = new Browser()
    const host = await plainHost(serving.mcp)
    const back = await person({}, browser)(host.authorization())
    const tokens = await host.token(back.get('code') ?? '')
    expect((await browser.open(host.authorization())).html).toContain('You are Anna.')
    const password = await hashPassword('a new password')
    await secondsLater(5, async () => {
      await serving.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna', { password }))
      expect((await browser.open(host.authorization())).html).toContain('Your password')
    })
    expect((await openedWith(serving, tokens.access_token)).status).toBe(200)
  })

  test('of a participant who left is invalid, and so are their grants', async () => {
    const serving = await serveIssuer()
    const { host, tokens } = await letIn(serving)
    await serving.space.write(OPERATOR_LINK, (view) => removeParticipant(view, 'Anna', { password: true }))
    expect((await openedWith(serving, tokens.access_token)).status).toBe(401)
    expect(await host.refresh(tokens.refresh_token ?? '')).toMatchObject({ error: 'invalid_grant' })
    const browser = new Browser()
    await browser.open(host.authorization())
    expect((await browser.submit({ name: 'Anna', password: PASSWORDS.Anna, do: 'sign-in' })).status).toBe(401)
  })
})

test('there is no issuer at the address of another space, and none is created', async () => {
  const { server, key, mcp } = await serveIssuer()
  const at = async (path: string) => {
    const { status, json } = await askAt(server.origin)(`GET ${path}`)
    return [status, json.code]
  }
  expect(await at('/spaces/0123456789/oauth/jwks')).toEqual([401, 'INVALID_AUTH_HEADER'])
  const metadata = '/.well-known/oauth-authorization-server/spaces/0123456789/oauth'
  expect(await at(metadata)).toEqual([404, 'NOT_FOUND_ERROR'])
  expect((await plainHost(mcp)).endpoints.issuer).toMatch(new RegExp(`/spaces/${key}/oauth$`))
})

test('an internal error is reported to the operator and to no one else', async () => {
  const { mcp, signIns, faults } = await serveIssuer()
  const host = await plainHost(mcp)
  signIns.close()
  const { status, html } = await new Browser().open(host.authorization())
  expect([status, html.includes('This sign-in cannot go on')]).toEqual([500, true])
  expect(html).not.toContain('database')
  expect(faults.join()).toContain('The database connection is not open')
})
