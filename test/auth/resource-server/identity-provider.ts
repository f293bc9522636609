/** An identity provider on this machine: metadata, keys, registration, authorization code with PKCE, and refresh. */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import { NOW } from '../../build.ts'

export interface SigningKey {
  id: string
  alg: string
  privateKey: CryptoKey
  jwk: JWK
}

export async function signingKey(id: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { id, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid: id, alg, use: 'sig' } }
}

export interface TokenOptions {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  key?: SigningKey
}

export interface IdentityProvider {
  issuer: string
  keys: SigningKey[]
  /** The user who currently signs in. */
  subject: string
  /** Seconds for which a token is valid. */
  lifetime: number
  /** Responses that replace those of a path. */
  answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  /** Requested paths, in order. */
  requests: string[]
  /** The parameters of the last authorization request. */
  authorized: URLSearchParams
  /** Issues a token with these claims in addition, or instead. */
  token(options?: TokenOptions): Promise<string>
}

/** @param clock  the current time, in milliseconds since 1970 */
export async function identityProvider(clock: () => number = () => NOW, path = ''): Promise<IdentityProvider> {
  const codes = new Map<string, URLSearchParams>()
  // These stay valid: a client may refresh twice at once.
  const refreshes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', provider.issuer)
    provider.requests.push(url.pathname)
    const other = provider.answers.get(url.pathname)
    if (other !== undefined) return other(request, response)
    route(url, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => void server.close(() => resolve()))
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const seconds = () => Math.floor(clock() / 1000)
  const provider: IdentityProvider = {
    issuer,
    keys: [await signingKey('first')],
    subject: 'anna',
    lifetime: 3600,
    answers: new Map(),
    requests: [],
    authorized: new URLSearchParams(),
    async token({ claims = {}, header = {}, key = provider.keys[0] } = {}) {
      if (key === undefined) throw new Error('Expected a key.')
      const all = { iss: issuer, sub: provider.subject, iat: seconds(), exp: seconds() + provider.lifetime, ...claims }
      const signing = new SignJWT(all).setProtectedHeader({ alg: key.alg, kid: key.id, typ: 'at+jwt', ...header })
      return signing.sign(key.privateKey)
    },
  }

  async function route(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const form = new URLSearchParams(await bodyOf(request))
    switch (url.pathname) {
      case `/.well-known/openid-configuration${path}`:
        return void json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/register`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
          authorization_response_iss_parameter_supported: true,
        })
      case `${path}/keys`:
        return void json({ keys: provider.keys.map(({ jwk }) => jwk) })
      case `${path}/register`:
        return void json({ redirect_uris: ['http://127.0.0.1:1/callback'], client_id: 'the-host' }, 201)
      case `${path}/authorize`: {
        provider.authorized = url.searchParams
        const code = randomUUID()
        codes.set(code, url.searchParams)
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', code)
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        back.searchParams.set('iss', issuer)
        return void response.writeHead(302, { location: back.href }).end()
      }
      case `${path}/token`: {
        const isFirst = form.get('grant_type') === 'authorization_code'
        const given = form.get(isFirst ? 'code' : 'refresh_token') ?? ''
        const grant = (isFirst ? codes : refreshes).get(given)
        codes.delete(given)
        const verifier = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url')
        if (grant === undefined || (isFirst && verifier !== grant.get('code_challenge'))) {
          return void json({ error: 'invalid_grant' }, 400)
        }
        const scope = grant.get('scope') ?? ''
        const claims = { aud: form.get('resource'), client_id: grant.get('client_id'), scope }
        const refresh = randomUUID()
        refreshes.set(refresh, grant)
        return void json({
          access_token: await provider.token({ claims }),
          token_type: 'Bearer',
          expires_in: provider.lifetime,
          refresh_token: refresh,
          scope,
        })
      }
      default:
        return void json({ error: 'not_found' }, 404)
    }
  }
  return provider
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  return body
}
