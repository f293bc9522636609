import { CompactSign, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { listAccessLinkInfos } from '../../../src/auth/access-links/access-links.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { NOW } from '../../build.ts'
import { signingKey } from './identity-provider.ts'
import { type SigningIn, serveSigningIn } from './signing-in.ts'

const S = NOW / 1000

/** The part of the message between "found" and what to do. */
const found = ({ json }: { json: { error: string } }) => /found (.*?);/.exec(json.error)?.[1]

describe('a token opens the space for its subject', () => {
  test('at REST, with either address as audience, as text or in a list', async () => {
    const { token, askAs, mcp, rest } = await serveSigningIn()
    for (const aud of [mcp, rest, ['elsewhere', mcp]]) {
      const response = await askAs(await token({ claims: { aud } }), 'GET /connection')
      expect([aud, response.status, response.json.space?.name]).toEqual([aud, 200, 'Test'])
    }
  })

  test.each(['RS256', 'PS384', 'ES512', 'EdDSA'])('signed by %s', async (alg) => {
    const { token, askAs, provider } = await serveSigningIn()
    provider.keys = [await signingKey('other', alg)]
    expect((await askAs(await token(), 'GET /connection')).status).toBe(200)
  })

  test('with scopes and clients as issuers write them: scope, or scp as text or list; client_id, azp or appid', async () => {
    const { token, askAs, space } = await serveSigningIn()
    const claims = [
      { scope: 'openid space:read', client_id: 'a' },
      { scope: undefined, scp: 'space:read', client_id: undefined, azp: 'b' },
      { scope: undefined, scp: ['space:read', 'profile'], client_id: undefined, appid: 'c' },
      { scope: 'space:read', client_id: undefined },
      { scope: 'space:read', client_id: `d\n\u202e${'x'.repeat(200)}` },
    ]
    for (const one of claims) {
      expect((await askAs(await token({ claims: one }), 'GET /connection')).status).toBe(200)
    }
    const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    expect(links.map(({ name, participant }) => [name, participant])).toEqual([
      ['signed in with a', 'Anna'],
      ['signed in with b', 'Anna'],
      ['signed in with c', 'Anna'],
      ['signed in with a program', 'Anna'],
      [`signed in with d??${'x'.repeat(97)}`, 'Anna'],
    ])
  })

  test('with the typ of access tokens in its header, or none', async () => {
    const { token, askAs } = await serveSigningIn()
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', undefined]) {
      expect((await askAs(await token({ header: { typ } }), 'GET /connection')).status).toBe(200)
    }
  })
})

describe('an invalid token is rejected', () => {
  const refused: [what: string, make: (serving: SigningIn) => Promise<string> | string, says: string][] = [
    ['no token at all', () => 'abc', 'one that the issuer has not signed'],
    ['half a token', async ({ token }) => (await token()).slice(0, -20), 'one that the issuer has not signed'],
    ['changed claims', async ({ token }) => changed(await token()), 'one that the issuer has not signed'],
    ['expired', ({ token }) => token({ claims: { exp: S - 31 } }), 'one that has expired'],
    ['without an end', ({ token }) => token({ claims: { exp: undefined } }), 'one whose claim exp is wrong'],
    ['with an end that is no date', (serving) => endless(serving), 'one whose claim exp is wrong'],
    ['with an end as text', ({ token }) => token({ claims: { exp: `${S + 60}` } }), 'one whose claim exp is wrong'],
    ['not yet', ({ token }) => token({ claims: { nbf: S + 31 } }), 'one whose claim nbf is wrong'],
    ['not yet issued', ({ token }) => token({ claims: { iat: S + 31 } }), 'one whose claim iat is wrong'],
    ['issued at a text', ({ token }) => token({ claims: { iat: 'now' } }), 'one whose claim iat is wrong'],
    [
      'with scope as a list',
      ({ token }) => token({ claims: { scope: ['space:read'] } }),
      'one whose claim scope is wrong',
    ],
    [
      'with something else among its scopes',
      ({ token }) => token({ claims: { scope: undefined, scp: ['space:read', 1] } }),
      'one whose claim scp is wrong',
    ],
    [
      'with a client that is no text',
      ({ token }) => token({ claims: { client_id: 7 } }),
      'one whose claim client_id is wrong',
    ],
    ['with a subject that is no text', ({ token }) => token({ claims: { sub: ['anna'] } }), 'one without a subject'],
    [
      'with something else among its audiences',
      ({ token, mcp }) => token({ claims: { aud: [mcp, { x: 1 }] } }),
      'one whose claim aud is wrong',
    ],
    [
      'another issuer',
      ({ token }) => token({ claims: { iss: 'https://evil.example' } }),
      'one whose claim iss is wrong',
    ],
    [
      'another audience',
      ({ token }) => token({ claims: { aud: 'https://other.example/mcp' } }),
      'one for another audience',
    ],
    [
      'a server that took our path, at another port',
      ({ token, mcp }) => token({ claims: { aud: mcp.replace(/:\d+/, ':1') } }),
      'one for another audience',
    ],
    ['the root', ({ token, mcp }) => token({ claims: { aud: new URL(mcp).origin } }), 'one for another audience'],
    ['without audience', ({ token }) => token({ claims: { aud: undefined } }), 'one for another audience'],
    ['without subject', ({ token }) => token({ claims: { sub: undefined } }), 'one whose claim sub is wrong'],
    ['an empty subject', ({ token }) => token({ claims: { sub: '' } }), 'one without a subject'],
    ['of another type', ({ token }) => token({ header: { typ: 'logout+jwt' } }), 'one of another type'],
    ['bound to a key', ({ token }) => token({ claims: { cnf: { jkt: 'x' } } }), 'one bound to a key'],
    [
      'a foreign key',
      async ({ token }) => token({ key: await signingKey('foreign') }),
      'one that the issuer has not signed',
    ],
    [
      'a foreign key under the ID of the right one',
      async ({ token }) => token({ key: await signingKey('first') }),
      'one that the issuer has not signed',
    ],
    [
      'a key that came along',
      async ({ token }) => {
        const key = await signingKey('first')
        return token({ key, header: { jwk: key.jwk } })
      },
      'one that the issuer has not signed',
    ],
    ['alg none', async ({ token }) => withoutSignature(await token()), 'one that the issuer has not signed'],
    ['the public key as a secret', (serving) => byPublicKey(serving), 'one that the issuer has not signed'],
    ['critical headers', ({ token }) => critical(token), 'one that the issuer has not signed'],
  ]

  test.each(refused)('%s', async (_, make, expected) => {
    const serving = await serveSigningIn()
    const { askAs, ask, key, server } = serving
    const bad = await make(serving)
    const response = await askAs(bad, 'GET /connection')
    expect([response.status, found(response)]).toEqual([401, expected])
    expect(response.json.code).toBe('INVALID_AUTH_HEADER')
    const challenge =
      `Bearer error="invalid_token", scope="space:read space:write", ` +
      `resource_metadata="${server.origin.replace(/:\d+$/, '')}:${serving.port}/.well-known/oauth-protected-resource/spaces/${key}`
    expect(response.headers.get('www-authenticate')).toBe(`${challenge}/api/v1"`)
    const atMcp = await ask(`POST /spaces/${key}/mcp`, {}, { authorization: `Bearer ${bad}` })
    expect([atMcp.status, atMcp.headers.get('www-authenticate')]).toEqual([401, `${challenge}/mcp"`])
  })

  test('clocks may differ by half a minute', async () => {
    const { token, askAs } = await serveSigningIn()
    expect((await askAs(await token({ claims: { exp: S - 29 } }), 'GET /connection')).status).toBe(200)
    expect((await askAs(await token({ claims: { nbf: S + 29 } }), 'GET /connection')).status).toBe(200)
    expect((await askAs(await token({ claims: { iat: S + 29 } }), 'GET /connection')).status).toBe(200)
    expect((await askAs(await token({ claims: { iat: undefined } }), 'GET /connection')).status).toBe(200)
  })

  test('a claim that names a link counts for nothing: each subject has links of its own', async () => {
    const serving = await serveSigningIn()
    const { askAs, token, space } = serving
    const { info } = await serving.link({ participant: 'Anna', name: 'another' })
    const claims = { scriptorium_link: info.id, sub: 'stranger' }
    expect((await askAs(await token({ claims }), 'GET /connection')).status).toBe(403)
    expect((await askAs(await token({ claims: { ...claims, sub: 'anna' } }), 'GET /connection')).status).toBe(200)
    const links = await space.read(OPERATOR_LINK, listAccessLinkInfos)
    expect(links.map(({ name }) => name)).toEqual(['another', expect.stringContaining('signed in with')])
  })

  test('it is not read from anywhere but the header', async () => {
    const { token, ask, key } = await serveSigningIn()
    const good = await token()
    for (const [line, headers] of [
      [`GET /spaces/${key}/api/v1/connection?access_token=${good}`, {}],
      [`GET /spaces/${key}/api/v1/connection`, { authorization: good }],
      [`GET /spaces/${key}/api/v1/connection`, { authorization: `Basic ${good}` }],
      [`GET /spaces/${key}/api/v1/connection`, { cookie: `access_token=${good}` }],
    ] as const) {
      expect((await ask(line, undefined, { ...headers })).status).toBe(401)
    }
  })

  test('a token opens no link, and a secret opens no space', async () => {
    const serving = await serveSigningIn()
    const { ask, askAs, token, mcp } = serving
    const link = await serving.link({ isBearer: true, participant: 'Anna' })
    const { status } = await ask(`GET /links/${link.info.id}/api/v1/connection`, undefined, {
      authorization: `Bearer ${await token()}`,
    })
    expect(status).toBe(401)
    expect((await askAs(link.secret, 'GET /connection')).status).toBe(401)
    expect(mcp).toContain(link.info.id.slice(0, 10))
  })
})

/** A token whose end is a number of JSON that is larger than any of JavaScript. */
async function endless({ provider, mcp }: SigningIn): Promise<string> {
  const [key] = provider.keys
  if (key === undefined) throw new Error('Expected a key.')
  const claims = { iss: provider.issuer, sub: 'anna', aud: mcp, exp: 0, scope: 'space:read' }
  const payload = JSON.stringify(claims).replace('"exp":0', '"exp":1e999')
  return new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: key.alg, kid: key.id, typ: 'at+jwt' })
    .sign(key.privateKey)
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function changed(token: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return [header, encoded({ ...claims, sub: 'bob' }), signature].join('.')
}

function withoutSignature(token: string): string {
  return `${encoded({ alg: 'none', typ: 'at+jwt' })}.${token.split('.')[1]}.`
}

async function byPublicKey({ provider, mcp }: SigningIn): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(provider.keys[0]?.jwk))
  const claims = { iss: provider.issuer, sub: 'anna', aud: mcp, exp: S + 60, scope: 'space:read' }
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret)
}

async function critical(token: SigningIn['token']): Promise<string> {
  const [, payload, signature] = (await token()).split('.')
  return [encoded({ alg: 'ES256', kid: 'first', crit: ['b64'], b64: false }), payload, signature].join('.')
}
