/**
 * An identity provider: where its keys are, and what its tokens say. Keys are fetched at the first token, kept, and
 * fetched again when a token names one that is not among them.
 */
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { invalid, ScriptoriumError } from '../../errors.ts'
import { ISSUER_BYTES, ISSUER_KEYS_SECONDS, ISSUER_PAUSE, ISSUER_SECONDS, TOKEN_TOLERANCE } from '../../limits.ts'
import { isLoopback } from '../loopback.ts'
import { SilentIssuer } from './challenge.ts'

/** What a token says that is right in itself. */
export interface Token {
  issuer: string
  subject: string
  /** The program that was signed in with; '' where the issuer does not say. */
  client: string
  scopes: string[]
  /** Milliseconds since 1970: until when it is taken. */
  expiresAt: number
}

export interface IssuerOptions {
  /** As tokens name it. */
  issuer: string
  /** Told why the issuer could not be asked. */
  report?(sentence: string): void
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Seconds for an answer, and between attempts to get keys. */
  patience?: { answer?: number; pause?: number }
}

/** Signed by the issuer's own key: with a shared secret, or none, anyone could have made them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** What `typ` says of an access token; without it nothing is said. */
const TYPES = /^(?:application\/)?(?:at\+)?jwt$/i

export class Issuer {
  readonly name: string
  readonly #options: IssuerOptions
  #keys: Promise<JWTVerifyGetKey> | undefined
  #found = 0
  #failed = Number.NEGATIVE_INFINITY

  constructor(options: IssuerOptions) {
    this.name = options.issuer
    this.#options = options
  }

  /**
   * @param audiences  of which the token must be for one
   * @throws VALIDATION_ERROR, with what is wrong with the token; SilentIssuer
   */
  async verify(token: string, audiences: readonly string[]): Promise<Token> {
    const { clock = Date.now } = this.#options
    const keys = await this.#findKeys()
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: this.name,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: TOKEN_TOLERANCE,
        currentDate: new Date(clock()),
      })
      if (protectedHeader.typ !== undefined && !TYPES.test(protectedHeader.typ)) throw wrong('one of another type')
      // Whoever bears it would have to prove a key of theirs besides.
      if (payload.cnf !== undefined) throw wrong('one bound to a key')
      return this.#read(payload)
    } catch (error) {
      throw this.#judge(error)
    }
  }

  #read(payload: JWTPayload): Token {
    const { sub, exp } = payload
    if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') throw wrong('one without a subject')
    const client = [payload.client_id, payload.azp, payload.appid].find((one) => typeof one === 'string') as
      | string
      | undefined
    const scopes = [payload.scope, payload.scp].flatMap(wordsOf)
    return { issuer: this.name, subject: sub, client: client ?? '', scopes, expiresAt: (exp + TOKEN_TOLERANCE) * 1000 }
  }

  #judge(error: unknown): unknown {
    if (error instanceof ScriptoriumError) return error
    const { JWKSInvalid, JWKSTimeout, JOSEError, JWTExpired, JWTClaimValidationFailed } = errors
    if (error instanceof JWTExpired) return wrong('one that has expired')
    if (error instanceof JWTClaimValidationFailed) {
      return wrong(error.claim === 'aud' ? 'one for another audience' : `one whose claim ${error.claim} is wrong`)
    }
    const isOfKeys = error instanceof JWKSInvalid || error instanceof JWKSTimeout || isNoAnswer(error)
    if (error instanceof JOSEError && !isOfKeys) return wrong('one that the issuer has not signed')
    // They may have moved.
    if (performance.now() - this.#found > ISSUER_KEYS_SECONDS * 1000) this.#keys = undefined
    return this.#silent(error)
  }

  #silent(cause: unknown): SilentIssuer {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#options.report?.(`Expected keys of ${this.name}, found this: ${reason}`)
    return new SilentIssuer(this.name, cause)
  }

  /** Asked for once by all who wait, and after a failure not at once again. */
  #findKeys(): Promise<JWTVerifyGetKey> {
    const { patience } = this.#options
    if (this.#keys !== undefined) return this.#keys
    const pause = (patience?.pause ?? ISSUER_PAUSE) * 1000
    if (performance.now() - this.#failed < pause) return Promise.reject(new SilentIssuer(this.name))
    const finding = this.#discover().catch((error: unknown) => {
      this.#failed = performance.now()
      this.#keys = undefined
      throw this.#silent(error)
    })
    this.#keys = finding
    return finding
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const fetchSoon = (url: string) => fetchBounded(url, this.#signal())
    for (const place of metadataPlaces(this.name)) {
      const response = await fetchSoon(place)
      if (response.status !== 200) continue
      const { issuer, jwks_uri: keys } = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
      if (issuer !== this.name) throw new Error(`${place} is about another issuer.`)
      const address = keysAddress(keys, this.name)
      this.#found = performance.now()
      return createRemoteJWKSet(address, {
        cooldownDuration: (this.#options.patience?.pause ?? ISSUER_PAUSE) * 1000,
        cacheMaxAge: ISSUER_KEYS_SECONDS * 1000,
        [customFetch]: fetchSoon,
      })
    }
    throw new Error('it has no metadata at its well-known addresses.')
  }

  #signal(): AbortSignal {
    return AbortSignal.timeout((this.#options.patience?.answer ?? ISSUER_SECONDS) * 1000)
  }
}

/** What is answered in place of keys. */
const isNoAnswer = (error: unknown): boolean => error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'

const wrong = (found: string) => invalid(found)

const wordsOf = (claim: unknown): string[] =>
  typeof claim === 'string'
    ? claim.split(' ').filter((word) => word !== '')
    : Array.isArray(claim)
      ? claim.filter((word) => typeof word === 'string')
      : []

/** Where an issuer's metadata can stand: that of OAuth, then that of OpenID Connect, in its two places. */
export function metadataPlaces(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  return [...new Set(places)]
}

/** Encrypted, but for an issuer on this machine: who could change the keys could let anyone in. */
function keysAddress(given: unknown, issuer: string): URL {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
  const isNear = isLoopback(new URL(issuer).hostname)
  if (url?.protocol === 'https:' || (isNear && url?.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw new Error('its metadata names no address of keys with https.')
}

/** Follows nobody elsewhere, and takes no more than metadata and keys have. */
async function fetchBounded(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the stream.
    if (length > ISSUER_BYTES) throw new Error(`${url} answers more than ${ISSUER_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return response.status === 200 ? new Response(Buffer.concat(chunks)) : new Response(null, { status: 404 })
}
