/**
 * An identity provider: where its keys are. Keys are fetched at the first token, kept, and
 * fetched again when a token names one that is not among them.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { ScriptoriumError } from '../../errors.ts'
import { ISSUER_BYTES, ISSUER_KEYS_SECONDS, ISSUER_PAUSE, ISSUER_SECONDS } from '../../limits.ts'
import { isLoopback } from '../loopback.ts'
import { SilentIssuer } from './challenge.ts'
import type { TokenIssuer } from './sign-in.ts'
import { readToken, type Token } from './token.ts'

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

/** An identity provider elsewhere, the same for all spaces. */
export class Issuer implements TokenIssuer {
  readonly name: string
  readonly #options: IssuerOptions
  #keys: Promise<JWTVerifyGetKey> | undefined
  #found = 0
  #failed = Number.NEGATIVE_INFINITY

  constructor(options: IssuerOptions) {
    this.name = options.issuer
    this.#options = options
  }

  nameAt(): string {
    return this.name
  }

  async verify(token: string, audiences: readonly string[]): Promise<Token> {
    const { clock = Date.now } = this.#options
    const keys = await this.#findKeys()
    try {
      return await readToken(token, keys, { issuer: this.name, audiences, now: clock() })
    } catch (error) {
      if (error instanceof ScriptoriumError) throw error
      // They may have moved.
      if (performance.now() - this.#found > ISSUER_KEYS_SECONDS * 1000) this.#keys = undefined
      throw this.#silent(error)
    }
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
