/**
 * An issuer of our own for those who have none: each space its own, with the passwords of its participants.
 *
 *     /spaces/{key}/oauth/…                                      its endpoints and pages
 *     /.well-known/oauth-authorization-server/spaces/{key}/oauth what they are (RFC 8414)
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import type Provider from 'oidc-provider'
import { invalid } from '../../errors.ts'
import type { Access } from '../../space/space.ts'
import { originOf, spaceKey, wrongSecret } from '../links.ts'
import { isLoopback } from '../loopback.ts'
import { scopesOf } from '../oauth/scopes.ts'
import type { Place, TokenIssuer } from '../oauth/sign-in.ts'
import { readToken, type Token } from '../oauth/token.ts'
import type { Held } from '../spaces.ts'
import { requestFrom, type SignIns } from './adapter.ts'
import { ISSUER_PATH } from './address.ts'
import { assertQuery, readForm, readIssuerBody } from './bodies.ts'
import { linkStands } from './consents.ts'
import { type Asked, answerInteraction } from './interactions.ts'
import { makeProvider, signingKey } from './provider.ts'
import type { PublicFetch } from './public-fetch.ts'

export interface EmbeddedOptions {
  hold(key: string): Promise<Held | undefined>
  /** What a host is asked to sign in for at first, and one that asks for nothing gets. */
  first: Access
  /** How metadata documents are fetched. */
  documents?: PublicFetch
  clock?: () => number
  /** Told of faults of ours. */
  report?(sentence: string): void
}

/** A request to an issuer. */
export interface IssuerCall {
  request: Request
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** The space that it is of, while the request lasts. */
  held: Held
  place: Place
  /** The address that it comes from. */
  from: string
}

/** What a space has while it is open. */
interface Made {
  provider: Provider
  keys: JWTVerifyGetKey
}

const WELL_KNOWN =
  /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/.*)?\/spaces\/[^/]+\/oauth$/
const DISCOVERY = '/.well-known/openid-configuration'

export class EmbeddedIssuer implements TokenIssuer {
  readonly #options: EmbeddedOptions
  readonly #made = new WeakMap<SignIns, Made>()

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  nameAt(key: string, place: Place): string {
    return `${issuerOrigin(place)}/spaces/${key}/oauth`
  }

  async verify(token: string, audiences: readonly string[], key: string, place: Place): Promise<Token> {
    const { hold, clock = Date.now } = this.#options
    const held = await hold(key)
    try {
      if (held === undefined || !hasIssuer(held, key)) throw invalid('one that the issuer has not signed')
      const issuer = this.nameAt(key, place)
      const { keys } = this.#madeFor(held, key, place)
      const read = await readToken(token, keys, { issuer, audiences, now: clock() })
      if (await linkStands(held.space, read.link)) return read
      throw invalid('one whose connection was ended')
    } finally {
      held?.release()
    }
  }

  /**
   * Answers what is asked of the issuer of a space.
   *
   * @throws INVALID_AUTH_HEADER where there is none; VALIDATION_ERROR for too many fields
   */
  async answer({ request, incoming, outgoing, held, place, from }: IssuerCall): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const [whole = '', key = ''] = ISSUER_PATH.exec(pathname) ?? []
    const { signIns, space } = held
    if (signIns === undefined || !hasIssuer(held, key)) throw wrongSecret()
    assertQuery(search)
    const { provider } = this.#madeFor(held, key, place)
    const path = WELL_KNOWN.test(pathname) ? DISCOVERY : pathname.slice(whole.length)
    if (path.startsWith('/interaction/')) {
      const named = addressed(incoming, provider, `${path}${search}`)
      const standardResource = standardOf(key, place)
      const { first } = this.#options
      const asked: Omit<Asked, 'form'> = {
        provider,
        space,
        signIns,
        incoming: named,
        outgoing,
        from,
        first,
        standardResource,
      }
      // Read once it is known that the form belongs to somebody who was asked.
      const read = request.method === 'POST' ? () => readForm(request) : undefined
      return (await answerInteraction(asked, read)) ?? RESPONSE_ALREADY_SENT
    }
    const standing = path === '/auth' ? this.#withScope(search) : search
    const body = request.method === 'POST' ? await readIssuerBody(request, path) : undefined
    if (body instanceof Response) return body
    outgoing.setHeader('X-Frame-Options', 'DENY')
    outgoing.setHeader('Referrer-Policy', 'same-origin')
    const told = addressed(body === undefined ? incoming : withBody(incoming, body), provider, `${path}${standing}`)
    await requestFrom.run(from, () => provider.callback()(told, outgoing))
    return RESPONSE_ALREADY_SENT
  }

  /** A program that asks for nothing is asked to be let do what programs are at first. */
  #withScope(search: string): string {
    const params = new URLSearchParams(search)
    if ((params.get('scope') ?? '') === '') params.set('scope', scopesOf(this.#options.first).join(' '))
    return `?${params}`
  }

  #madeFor({ signIns, space }: Held, key: string, place: Place): Made {
    if (signIns === undefined) throw new Error('Expected a space that people sign in to.')
    const known = this.#made.get(signIns)
    if (known !== undefined) return known
    const issuer = this.nameAt(key, place)
    const origin = issuerOrigin(place)
    const { documents, report = () => {} } = this.#options
    const provider = makeProvider({
      issuer,
      space,
      signIns,
      standardResource: standardOf(key, place),
      isResource: (resource) => isResource(resource, origin, key),
      report,
      ...(documents && { documents }),
    })
    const { d: _, ...open } = signingKey(signIns)
    const made = { provider, keys: createLocalJWKSet({ keys: [open as never] }) }
    this.#made.set(signIns, made)
    return made
  }
}

/** A server of one space has it whatever the key. */
const hasIssuer = ({ signIns, space }: Held, key: string): boolean =>
  signIns !== undefined && spaceKey(space.info.id) === key

/** Where the issuer is: one address, whatever name of this machine is asked for. */
const issuerOrigin = ({ host, port, isSecure, publicUrl }: Place): string =>
  publicUrl?.replace(/\/+$/, '') ?? originOf({ host, port, isSecure })

/** What a token is for, where the host names nothing. */
const standardOf = (key: string, place: Place): string => `${issuerOrigin(place)}/spaces/${key}/mcp`

/** Whether an address is one of the space: under the issuer's origin, or another name of this machine. */
function isResource(resource: string, origin: string, key: string): boolean {
  if (!URL.canParse(resource)) return false
  const [asked, own] = [new URL(resource), new URL(origin)]
  const isNear = isLoopback(asked.hostname) && isLoopback(own.hostname)
  const isHere = asked.protocol === own.protocol && (isNear ? asked.port === own.port : asked.host === own.host)
  const place = `${own.pathname.replace(/\/+$/, '')}/spaces/${key}`
  return (
    isHere && [`${place}/mcp`, `${place}/api/v1`].includes(asked.pathname) && asked.search === '' && asked.hash === ''
  )
}

/** The request as the provider reads it: what it says of where the server is, is not believed. */
function addressed(incoming: IncomingMessage, provider: Provider, path: string): IncomingMessage {
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
  const said = { ...others, 'content-length': String(body.length) }
  return Object.assign(stream, { headers: said, method, socket, httpVersion }) as unknown as IncomingMessage
}
