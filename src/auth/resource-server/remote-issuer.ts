/**
 * An identity provider: its keys, and the addresses for signing in. Keys are fetched with the first token and cached.
 * They are fetched again when a token names an unknown key.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { invalid, messageOf, ScriptoriumError } from '../../base/errors.ts'
import { ISSUER_BYTES, ISSUER_KEYS_SECONDS, ISSUER_RETRY_SECONDS, ISSUER_SECONDS } from '../../base/limits.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { IssuerUnavailable } from '../../call/auth-challenge.ts'
import { type AccessToken, verifyAccessToken } from './access-token.ts'
import type { TokenIssuer } from './token-issuer.ts'

export interface RemoteIssuerOptions {
  /** The issuer's identifier, as in tokens. */
  issuer: string
  /** Receives the reason why the issuer could not be reached. */
  report?(sentence: string): void
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Seconds to wait for a response, and between attempts to fetch keys. */
  timeouts?: { answer?: number; pause?: number }
}

/** Where people sign in, for programs that are clients of the issuer. */
export interface SignInEndpoints {
  authorization: URL
  token: URL
  /** True if its responses contain its identifier (RFC 9207). */
  namesItself: boolean
}

/** The cached data of an issuer. */
interface FoundIssuer {
  keys: JWTVerifyGetKey
  /** Undefined if the metadata does not contain them. */
  signIn: SignInEndpoints | undefined
}

/** An external identity provider, the same for all spaces. */
export class RemoteIssuer implements TokenIssuer {
  readonly name: string
  readonly #options: RemoteIssuerOptions
  #found: Promise<FoundIssuer> | undefined
  #foundAt = 0
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(options: RemoteIssuerOptions) {
    this.name = options.issuer
    this.#options = options
  }

  issuerUrl(): string {
    return this.name
  }

  async verify(token: string, audiences: readonly string[]): Promise<AccessToken> {
    const { clock = Date.now } = this.#options
    const { keys } = await this.#find()
    try {
      return await verifyAccessToken(token, keys, { issuer: this.name, audiences, now: clock() })
    } catch (error) {
      if (error instanceof ScriptoriumError) throw error
      // The addresses may have changed.
      if (performance.now() - this.#foundAt > ISSUER_KEYS_SECONDS * 1000) this.#found = undefined
      throw this.#unavailable(error)
    }
  }

  /** @throws IssuerUnavailable, also if the metadata does not contain the addresses */
  async signInEndpoints(): Promise<SignInEndpoints> {
    const { signIn } = await this.#find()
    if (signIn === undefined) throw this.#unavailable('its metadata name no addresses for signing in with https.')
    return signIn
  }

  /**
   * Requests a token from the issuer (RFC 6749, 4.1.3).
   *
   * @returns the access token
   * @throws IssuerUnavailable; VALIDATION_ERROR with the error that the issuer reports
   */
  async exchangeCode(form: URLSearchParams): Promise<string> {
    const { token: url } = await this.signInEndpoints()
    const init = { method: 'POST', body: form }
    const response = await fetchLimited(url.href, this.#signal(), init).catch((error: unknown) => {
      throw this.#unavailable(error)
    })
    const answer = (await response.json().catch(() => ({}))) as { access_token?: unknown; error?: unknown }
    if (typeof answer.access_token === 'string') return answer.access_token
    throw invalid(typeof answer.error === 'string' ? answer.error.slice(0, ERROR_LENGTH) : 'no token')
  }

  #unavailable(cause: unknown): IssuerUnavailable {
    const reason = messageOf(cause)
    this.#options.report?.(`Expected keys of ${this.name}, found this: ${reason}`)
    return new IssuerUnavailable(this.name, cause)
  }

  /** Concurrent callers share one fetch. After a failure, the next attempt has to wait. */
  #find(): Promise<FoundIssuer> {
    const { timeouts } = this.#options
    if (this.#found !== undefined) return this.#found
    const pause = (timeouts?.pause ?? ISSUER_RETRY_SECONDS) * 1000
    if (performance.now() - this.#failedAt < pause) return Promise.reject(new IssuerUnavailable(this.name))
    const discovery = this.#discover().catch((error: unknown) => {
      this.#failedAt = performance.now()
      this.#found = undefined
      throw this.#unavailable(error)
    })
    this.#found = discovery
    return discovery
  }

  async #discover(): Promise<FoundIssuer> {
    const fetchWithTimeout = (url: string) => fetchLimited(url, this.#signal())
    for (const place of metadataUrls(this.name)) {
      const response = await fetchWithTimeout(place)
      if (response.status !== 200) continue
      const metadata = (await response.json()) as Record<string, unknown>
      if (metadata.issuer !== this.name) throw new Error(`${place} is about another issuer.`)
      const address = parseEndpoint(metadata.jwks_uri, this.name)
      if (address === undefined) throw new Error('its metadata names no address of keys with https.')
      this.#foundAt = performance.now()
      const keys = createRemoteJWKSet(address, {
        cooldownDuration: (this.#options.timeouts?.pause ?? ISSUER_RETRY_SECONDS) * 1000,
        cacheMaxAge: ISSUER_KEYS_SECONDS * 1000,
        [customFetch]: fetchWithTimeout,
      })
      return { keys, signIn: parseSignIn(metadata, this.name) }
    }
    throw new Error('it has no metadata at its well-known addresses.')
  }

  #signal(): AbortSignal {
    return AbortSignal.timeout((this.#options.timeouts?.answer ?? ISSUER_SECONDS) * 1000)
  }
}

/** Possible addresses of an issuer's metadata: OAuth first, then the two places of OpenID Connect. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  return [...new Set(urls)]
}

/** Requires https, except for issuers on this machine: an attacker who can replace keys can sign in as anyone. */
function parseEndpoint(uri: unknown, issuer: string): URL | undefined {
  const url = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : undefined
  const isLocal = isLoopbackHost(new URL(issuer).hostname)
  const isSafe = url?.protocol === 'https:' || (isLocal && url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  return isSafe ? url : undefined
}

function parseSignIn(metadata: Record<string, unknown>, issuer: string): SignInEndpoints | undefined {
  const authorization = parseEndpoint(metadata.authorization_endpoint, issuer)
  const token = parseEndpoint(metadata.token_endpoint, issuer)
  const namesItself = metadata.authorization_response_iss_parameter_supported === true
  return authorization && token && { authorization, token, namesItself }
}

/** Maximum length of an issuer's error in messages. */
const ERROR_LENGTH = 100

/** Fetches without following redirects, and with a size limit that suffices for metadata, keys and tokens. */
async function fetchLimited(url: string, signal: AbortSignal, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, signal, redirect: 'error', headers: { accept: 'application/json' } })
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
