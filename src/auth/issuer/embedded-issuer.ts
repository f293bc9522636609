/**
 * The embedded issuer, for servers without an identity provider. Each space has its own, which uses the passwords of
 * the space's participants.
 *
 *     /spaces/{key}/oauth/…                                      endpoints and pages
 *     /.well-known/oauth-authorization-server/spaces/{key}/oauth metadata (RFC 8414)
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import type Provider from 'oidc-provider'
import type { SignIns } from '../../../storage/sign-ins.ts'
import { invalid } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { readForm } from '../../call/input/request-form.ts'
import type { SpaceLease } from '../../call/space-registry.ts'
import type { AccessLevel } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { formatOrigin, invalidLink, spaceKey } from '../access-links/access-links.ts'
import { type AccessToken, verifyAccessToken } from '../resource-server/access-token.ts'
import { scopesForAccess } from '../resource-server/scopes.ts'
import type { ServerAddress, TokenIssuer } from '../resource-server/token-issuer.ts'
import { isLinkActive } from './consents.ts'
import { handleInteraction, type InteractionRequest } from './interactions.ts'
import { assertQueryFields, readIssuerBody } from './issuer-body.ts'
import { ISSUER_PATH } from './issuer-path.ts'
import { createProvider, getSigningKey } from './issuer-provider.ts'
import { requestAddress } from './oidc-adapter.ts'
import type { PublicFetchOptions } from './public-fetch.ts'

export interface EmbeddedIssuerOptions {
  acquireSpace(key: string): Promise<SpaceLease | undefined>
  /** The access that hosts request first, and that programs without a requested scope get. */
  initialAccess: AccessLevel
  /** How metadata documents are fetched. */
  metadataFetch?: PublicFetchOptions
  clock?: () => number
  /** Receives internal errors. */
  report?(sentence: string): void
}

/** A request to an issuer. */
export interface IssuerRequest {
  request: Request
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** The space of the issuer, open while the request lasts. */
  lease: SpaceLease
  address: ServerAddress
  /** The address of the client. */
  from: string
}

/** The state of a space's issuer while the space is open. */
interface SpaceIssuer {
  provider: Provider
  keys: JWTVerifyGetKey
}

const METADATA_PATH =
  /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/.*)?\/spaces\/[^/]+\/oauth$/
const DISCOVERY_PATH = '/.well-known/openid-configuration'

export class EmbeddedIssuer implements TokenIssuer {
  readonly #options: EmbeddedIssuerOptions
  readonly #issuers = new WeakMap<SignIns, Promise<SpaceIssuer>>()

  constructor(options: EmbeddedIssuerOptions) {
    this.#options = options
  }

  issuerUrl(key: string, address: ServerAddress): string {
    return `${issuerOrigin(address)}/spaces/${key}/oauth`
  }

  async verify(token: string, audiences: readonly string[], key: string, address: ServerAddress): Promise<AccessToken> {
    const { acquireSpace, clock = Date.now } = this.#options
    const lease = await acquireSpace(key)
    try {
      if (lease === undefined || !hasIssuer(lease, key)) throw invalid('one that the issuer has not signed')
      const issuer = this.issuerUrl(key, address)
      const { keys } = await this.#issuerFor(lease, key, address)
      const read = await verifyAccessToken(token, keys, { issuer, audiences, now: clock(), isOwn: true })
      if (await isLinkActive(lease.space, read.link)) return read
      throw invalid('one whose connection was ended')
    } finally {
      lease?.release()
    }
  }

  /**
   * Handles a request to the issuer of a space.
   *
   * @throws INVALID_AUTH_HEADER if there is none; VALIDATION_ERROR for too many fields
   */
  async handle({ request, incoming, outgoing, lease, address, from }: IssuerRequest): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const [whole = '', key = ''] = ISSUER_PATH.exec(pathname) ?? []
    const { signIns, space } = lease
    if (signIns === undefined || !hasIssuer(lease, key)) throw invalidLink()
    assertQueryFields(search)
    const { provider } = await this.#issuerFor(lease, key, address)
    const path = METADATA_PATH.test(pathname) ? DISCOVERY_PATH : pathname.slice(whole.length)
    if (path.startsWith('/interaction/')) {
      const rewritten = rewriteAddress(incoming, provider, `${path}${search}`)
      const standardResource = defaultResource(key, address)
      const { initialAccess } = this.#options
      const interactionRequest: Omit<InteractionRequest, 'form'> = {
        provider,
        space,
        signIns,
        incoming: rewritten,
        outgoing,
        from,
        initialAccess,
        defaultResource: standardResource,
      }
      // The form is read once it is known to belong to a pending request.
      const read = request.method === 'POST' ? () => readForm(request) : undefined
      return (await handleInteraction(interactionRequest, read)) ?? RESPONSE_ALREADY_SENT
    }
    const query = path === '/auth' ? this.#withDefaultScope(search) : search
    const body = request.method === 'POST' ? await readIssuerBody(request, path) : undefined
    if (body instanceof Response) return body
    outgoing.setHeader('X-Frame-Options', 'DENY')
    outgoing.setHeader('Referrer-Policy', 'same-origin')
    const rewritten = rewriteAddress(
      body === undefined ? incoming : withBody(incoming, body),
      provider,
      `${path}${query}`,
    )
    await requestAddress.run(from, () => provider.callback()(rewritten, outgoing))
    return RESPONSE_ALREADY_SENT
  }

  /** Adds the default scope to the request of a program that requests none. */
  #withDefaultScope(search: string): string {
    const params = new URLSearchParams(search)
    if ((params.get('scope') ?? '') === '') params.set('scope', scopesForAccess(this.#options.initialAccess).join(' '))
    return `?${params}`
  }

  #issuerFor({ signIns, space }: SpaceLease, key: string, address: ServerAddress): Promise<SpaceIssuer> {
    if (signIns === undefined) throw new Error('Expected a space that people sign in to.')
    const existing = this.#issuers.get(signIns)
    if (existing !== undefined) return existing
    const created = this.#createIssuer(signIns, space, key, address)
    this.#issuers.set(signIns, created)
    // After a failure, the next request tries again.
    created.catch(() => this.#issuers.delete(signIns))
    return created
  }

  async #createIssuer(signIns: SignIns, space: OpenSpace, key: string, address: ServerAddress): Promise<SpaceIssuer> {
    const issuer = this.issuerUrl(key, address)
    const origin = issuerOrigin(address)
    const { metadataFetch, report = () => {} } = this.#options
    const provider = await createProvider({
      issuer,
      space,
      signIns,
      defaultResource: defaultResource(key, address),
      isResource: (resource) => isSpaceResource(resource, origin, key),
      report,
      ...(metadataFetch && { metadataFetch }),
    })
    const { d: _, ...open } = await getSigningKey(signIns)
    return { provider, keys: createLocalJWKSet({ keys: [open as never] }) }
  }
}

/** A server with a single space ignores the key. */
const hasIssuer = ({ signIns, space }: SpaceLease, key: string): boolean =>
  signIns !== undefined && spaceKey(space.info.id) === key

/** Where the issuer is: one address, whatever name of this machine is asked for. */
const issuerOrigin = ({ host, port, isSecure, publicUrl }: ServerAddress): string =>
  publicUrl?.replace(/\/+$/, '') ?? formatOrigin({ host, port, isSecure })

/** What a token is for, where the host names nothing. */
const defaultResource = (key: string, address: ServerAddress): string => `${issuerOrigin(address)}/spaces/${key}/mcp`

/** Whether an address is one of the space: under the issuer's origin, or another name of this machine. */
function isSpaceResource(resource: string, origin: string, key: string): boolean {
  if (!URL.canParse(resource)) return false
  const [requested, own] = [new URL(resource), new URL(origin)]
  const isNear = isLoopbackHost(requested.hostname) && isLoopbackHost(own.hostname)
  const isHere =
    requested.protocol === own.protocol && (isNear ? requested.port === own.port : requested.host === own.host)
  const place = `${own.pathname.replace(/\/+$/, '')}/spaces/${key}`
  return (
    isHere &&
    [`${place}/mcp`, `${place}/api/v1`].includes(requested.pathname) &&
    requested.search === '' &&
    requested.hash === ''
  )
}

/** The request as the provider reads it: what it says of where the server is, is not believed. */
function rewriteAddress(incoming: IncomingMessage, provider: Provider, path: string): IncomingMessage {
  const { host, protocol, pathname } = new URL(provider.issuer)
  const { headers } = incoming
  headers.host = host
  headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
  return Object.assign(incoming, { url: path, originalUrl: `${pathname}${path}` })
}

/** The same request with another body. */
function withBody(incoming: IncomingMessage, body: Uint8Array): IncomingMessage {
  const { headers, method, socket, httpVersion } = incoming
  const stream = Readable.from([Buffer.from(body)], { objectMode: false })
  const { 'transfer-encoding': _, ...others } = headers
  const newHeaders = { ...others, 'content-length': String(body.length) }
  return Object.assign(stream, { headers: newHeaders, method, socket, httpVersion }) as unknown as IncomingMessage
}
