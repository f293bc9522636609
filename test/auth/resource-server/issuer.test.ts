import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metadataUrls } from '../../../src/auth/resource-server/remote-issuer.ts'
import { accessForScopes, SCOPES, scopesForEffect } from '../../../src/auth/resource-server/scopes.ts'
import { isEffectAllowed } from '../../../src/call/catalog/tool-list.ts'
import type { Effect } from '../../../src/endpoint.ts'
import type { AccessLevel } from '../../../src/space/model/space.ts'
import { runs } from '../../support/runs.ts'
import { identityProvider } from './identity-provider.ts'
import { serveSigningIn } from './signing-in.ts'

const METADATA = '/.well-known/openid-configuration'

test('the scopes that a call needs are sufficient, and one fewer is not', () => {
  for (const effect of ['read', 'add', 'change', 'delete'] as const) {
    const needed = scopesForEffect(effect)
    const access = accessForScopes(needed)
    expect(access !== undefined && isEffectAllowed(effect, access)).toBe(true)
    const less = accessForScopes(needed.slice(0, -1))
    expect(less !== undefined && isEffectAllowed(effect, less)).toBe(false)
  }
  fc.assert(
    fc.property(fc.subarray([...SCOPES, 'openid', '']), fc.constantFrom(...SCOPES), (scopes, more) => {
      // More scopes never allow less. A proposal is not an action.
      const effects = ['read', 'add', 'change', 'delete'] as const
      const does = (effect: Effect, access: AccessLevel | undefined) =>
        access !== undefined && isEffectAllowed(effect, access) && (effect === 'read' || access !== 'propose')
      const before = accessForScopes(scopes)
      const after = accessForScopes([...scopes, more])
      return effects.every((effect) => !does(effect, before) || does(effect, after))
    }),
  )
})

test('metadata is fetched from where issuers publish it', () => {
  expect(metadataUrls('https://id.example')).toEqual([
    'https://id.example/.well-known/oauth-authorization-server',
    'https://id.example/.well-known/openid-configuration',
  ])
  expect(metadataUrls('https://id.example/')).toEqual(metadataUrls('https://id.example'))
  expect(metadataUrls('https://id.example/realms/one')).toEqual([
    'https://id.example/.well-known/oauth-authorization-server/realms/one',
    'https://id.example/.well-known/openid-configuration/realms/one',
    'https://id.example/realms/one/.well-known/openid-configuration',
  ])
})

describe('keys are fetched when needed', () => {
  test('once for many concurrent requests', async () => {
    const { askAs, token, provider } = await serveSigningIn()
    expect(provider.requests).toEqual([])
    const bearer = await token()
    const responses = await Promise.all(Array.from({ length: 10 }, () => askAs(bearer, 'GET /connection')))
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(provider.requests).toEqual(['/.well-known/oauth-authorization-server', METADATA, '/keys'])
  })

  test('from an issuer with a path', async () => {
    const provider = await identityProvider(undefined, '/realms/one')
    const { askAs, token } = await serveSigningIn({ provider })
    expect((await askAs(await token(), 'GET /connection')).status).toBe(200)
    expect(provider.requests.at(-1)).toBe('/realms/one/keys')
  })
})

describe('an issuer with invalid responses admits no one', () => {
  const json = (body: object) => JSON.stringify(body)
  const cases: [what: string, path: string, status: number, body: string, headers?: Record<string, string>][] = [
    ['no metadata', METADATA, 404, ''],
    ['metadata that are no JSON', METADATA, 200, '<html>'],
    ['metadata of another issuer', METADATA, 200, json({ issuer: 'https://evil.example', jwks_uri: 'https://x' })],
    ['metadata of more bytes than any has', METADATA, 200, json({ issuer: 'x'.repeat(300_000) })],
    ['metadata elsewhere', METADATA, 302, '', { location: 'https://evil.example/' }],
    ['an error for keys', '/keys', 500, 'no'],
    ['keys that are none', '/keys', 200, json({ keys: 'none' })],
    ['keys elsewhere', '/keys', 302, '', { location: '/.well-known/openid-configuration' }],
    ['keys of more bytes than any has', '/keys', 200, json({ keys: [], x: 'x'.repeat(300_000) })],
  ]
  test.each(cases)('%s', async (_, path, status, body, headers = {}) => {
    const { askAs, token, provider, noted } = await serveSigningIn()
    provider.answers.set(path, (_request, response) => void response.writeHead(status, headers).end(body))
    const result = await askAs(await token(), 'GET /connection')
    expect([result.status, result.json, result.headers.get('retry-after')]).toEqual([
      503,
      {
        error: `Expected an answer of ${provider.issuer}, found none that can be used; try again soon.`,
        code: 'INTERNAL_ERROR',
      },
      '10',
    ])
    expect(noted.join()).toContain(`Expected keys of ${provider.issuer}, found this: `)
  })

  test.each(['http://192.0.2.1/keys', 'ftp://127.0.0.1/keys', 'file:///etc/passwd', '/keys', '', 5, undefined])(
    'keys at %s',
    async (keys) => {
      const { askAs, token, provider, noted } = await serveSigningIn()
      const { issuer } = provider
      provider.answers.set(METADATA, (_, response) => void response.end(json({ issuer, jwks_uri: keys })))
      expect((await askAs(await token(), 'GET /connection')).status).toBe(503)
      expect(noted.join()).toContain('its metadata names no address of keys with https.')
    },
  )

  test('a request without a token is still told where to get one', async () => {
    const { askAs, provider } = await serveSigningIn()
    provider.answers.set(METADATA, (_, response) => void response.writeHead(500).end())
    expect((await askAs(undefined, 'GET /connection')).status).toBe(401)
    expect(provider.requests).toEqual([])
  })
})

test('any malformed token is rejected without an internal error', async () => {
  const { ask, key, token } = await serveSigningIn()
  const [head = '', body = '', end = ''] = (await token()).split('.')
  const part = fc.oneof(
    fc.constantFrom(head, body, end, '', 'e30', 'bnVsbA', 'W10'),
    fc.base64String().map((text) => text.replace(/=/g, '')),
    fc
      .dictionary(fc.constantFrom('alg', 'kid', 'typ', 'jku', 'x5u', 'crit', 'b64', 'exp', 'iss'), fc.jsonValue())
      .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const text = parts.join('.')
      fc.pre(text !== `${head}.${body}.${end}`)
      const headers = { authorization: `Bearer ${text}` }
      const { status } = await ask(`GET /spaces/${key}/api/v1/connection`, undefined, headers)
      expect([text, status]).toEqual([text, 401])
    }),
    { numRuns: runs(30, 200) },
  )
})
