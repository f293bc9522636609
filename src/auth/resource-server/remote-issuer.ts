/**
 * An identity provider: where its keys are. Keys are fetched at the first token, kept, and
 * fetched again when a token names one that is not among them.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { ScriptoriumError } from '../../base/errors.ts'
import { ISSUER_BYTES, ISSUER_KEYS_SECONDS, ISSUER_RETRY_SECONDS, ISSUER_SECONDS } from '../../base/limits.ts'
import { IssuerUnavailable } from '../../call/auth-challenge.ts'
import { isLoopbackHost } from '../loopback.ts'
import { type AccessToken, verifyAccessToken } from './access-token.ts'
import type { TokenIssuer } from './token-issuer.ts'

export interface RemoteIssuerOptions {
  /** As tokens name it. */
  issuer: string
  /** Receives the reason why the issuer could not be reached. */
  report?(sentence: string): void
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Seconds for an answer, and between attempts to get keys. */
  timeouts?: { answer?: number; pause?: number }
}

/** An identity provider elsewhere, the same for all spaces. */
export class RemoteIssuer implements TokenIssuer {
  readonly name: string
  readonly #options: RemoteIssuerOptions
  #keys: Promise<JWTVerifyGetKey> | undefined
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
    const keys = await this.#getKeys()
    try {
      return await verifyAccessToken(token, keys, { issuer: this.name, audiences, now: clock() })
    } catch (error) {
      if (error instanceof ScriptoriumError) throw error
      // They may have moved.
      if (performance.now() - this.#foundAt > ISSUER_KEYS_SECONDS * 1000) this.#keys = undefined
      throw this.#unavailable(error)
    }
  }

  #unavailable(cause: unknown): IssuerUnavailable {
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#options.report?.(`Expected keys of ${this.name}, found this: ${reason}`)
    return new IssuerUnavailable(this.name, cause)
  }

  /** Asked for once by all who wait, and after a failure not at once again. */
  #getKeys(): Promise<JWTVerifyGetKey> {
    const { timeouts } = this.#options
    if (this.#keys !== undefined) return this.#keys
    const pause = (timeouts?.pause ?? ISSUER_RETRY_SECONDS) * 1000
    if (performance.now() - this.#failedAt < pause) return Promise.reject(new IssuerUnavailable(this.name))
    const discovery = this.#discover().catch((error: unknown) => {
      this.#failedAt = performance.now()
      this.#keys = undefined
      throw this.#unavailable(error)
    })
    this.#keys = discovery
    return discovery
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const fetchWithTimeout = (url: string) => fetchLimited(url, this.#signal())
    for (const place of metadataUrls(this.name)) {
      const response = await fetchWithTimeout(place)
      if (response.status !== 200) continue
      const { issuer, jwks_uri: keys } = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
      if (issuer !== this.name) throw new Error(`${place} is about another issuer.`)
      const address = parseJwksUri(keys, this.name)
      this.#foundAt = performance.now()
      return createRemoteJWKSet(address, {
        cooldownDuration: (this.#options.timeouts?.pause ?? ISSUER_RETRY_SECONDS) * 1000,
        cacheMaxAge: ISSUER_KEYS_SECONDS * 1000,
        [customFetch]: fetchWithTimeout,
      })
    }
    throw new Error('it has no metadata at its well-known addresses.')
  }

  #signal(): AbortSignal {
    return AbortSignal.timeout((this.#options.timeouts?.answer ?? ISSUER_SECONDS) * 1000)
  }
}

/** Where an issuer's metadata can stand: that of OAuth, then that of OpenID Connect, in its two places. */
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

/** Encrypted, but for an issuer on this machine: who could change the keys could let anyone in. */
function parseJwksUri(uri: unknown, issuer: string): URL {
  const url = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri) : undefined
  const isLocal = isLoopbackHost(new URL(issuer).hostname)
  if (url?.protocol === 'https:' || (isLocal && url?.protocol === 'http:' && isLoopbackHost(url.hostname))) return url
  throw new Error('its metadata names no address of keys with https.')
}

/** Follows no redirects, and reads no more than metadata and keys need. */
async function fetchLimited(url: string, signal: AbortSignal): Promise<Response> {
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
