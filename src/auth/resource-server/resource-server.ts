/**
 * Addresses of spaces for people who sign in with an issuer:
 *
 *     /spaces/{key}/api/v1/…    the REST interface
 *     /spaces/{key}/mcp         the Model Context Protocol over Streamable HTTP
 *     /.well-known/oauth-protected-resource/spaces/{key}/…    metadata of both (RFC 9728)
 */

import { ScriptoriumError } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { AuthChallenge } from '../../call/auth-challenge.ts'
import type { SpaceLease } from '../../call/space-registry.ts'
import type { Effect } from '../../endpoint.ts'
import type { AccessLevel } from '../../space/model/space.ts'
import { formatOrigin, spaceKey } from '../access-links/access-links.ts'
import type { AccessToken } from './access-token.ts'
import { openGrant, type SignInGrant, unknownSubject } from './grants.ts'
import { accessForScopes, SCOPES, scopesForAccess, scopesForEffect } from './scopes.ts'
import type { ServerAddress, TokenIssuer } from './token-issuer.ts'

/** How people who sign in get access. */
export interface ResourceServerOptions {
  issuer: TokenIssuer
  /** An audience that tokens for any space may have, in addition to the space's own addresses. */
  audience?: string
  /** The access that hosts request first; by default everything except delete, since that can be requested later. */
  initialAccess?: AccessLevel
}

/** An authenticated connection. */
export interface AuthenticatedGrant extends SignInGrant {
  lease: SpaceLease
  /** The error if the grant does not allow an effect. */
  scopeError(effect: Effect, sentence?: string): ScriptoriumError
}

const METADATA_PREFIX = '/.well-known/oauth-protected-resource'
const RESOURCE_PATHS = ['/mcp', '/api/v1'] as const
const RESOURCE_PATTERN = /\/spaces\/([^/]+)(\/mcp|\/api\/v1)(?:\/.*)?$/

export class ResourceServer {
  readonly #options: ResourceServerOptions

  constructor(options: ResourceServerOptions) {
    this.#options = options
  }

  /**
   * @param url  of the request
   * @param acquireSpace  opens the space of a key; returns undefined if there is none
   * @throws INVALID_AUTH_HEADER without a valid token; FORBIDDEN for insufficient scopes or an unknown subject;
   *   IssuerUnavailable
   */
  async authenticate(
    url: string,
    bearer: string | undefined,
    address: ServerAddress,
    acquireSpace: (key: string) => Promise<SpaceLease | undefined>,
  ): Promise<AuthenticatedGrant> {
    const { key, origin, metadata } = locateResource(url, address)
    const token = await this.#verifyToken(bearer, { key, origin, metadata, place: address })
    const scopeError = (effect: Effect, sentence?: string) =>
      insufficientScope(scopesForEffect(effect), metadata, sentence)
    const access = accessForScopes(token.scopes)
    if (access === undefined) throw scopeError('read')
    const lease = await acquireSpace(key)
    try {
      if (lease === undefined || spaceKey(lease.space.info.id) !== key) throw unknownSubject(token)
      return { ...(await openGrant(lease.space, token, access)), lease, scopeError }
    } catch (error) {
      lease?.release()
      throw error
    }
  }

  /** The address of a space's REST interface, as tokens name it. @param url  of a request to this server */
  resource(url: string, key: string, address: ServerAddress): string {
    return `${ownOrigin(url, address)}/spaces/${key}/api/v1`
  }

  async #verifyToken(
    bearer: string | undefined,
    { key, origin, metadata, place: address }: { key: string; origin: string; metadata: string; place: ServerAddress },
  ): Promise<AccessToken> {
    const { issuer, audience, initialAccess = 'no-delete' } = this.#options
    const params = { scope: scopesForAccess(initialAccess).join(' '), resource_metadata: metadata }
    const expected = `Expected a token of ${issuer.issuerUrl(key, address)} as Authorization: Bearer`
    if (bearer === undefined) {
      throw new AuthChallenge('INVALID_AUTH_HEADER', `${expected}, found none; sign in there.`, params)
    }
    const audiences = RESOURCE_PATHS.map((resourcePath) => `${origin}/spaces/${key}${resourcePath}`)
    if (audience !== undefined) audiences.push(audience)
    try {
      return await issuer.verify(bearer, audiences, key, address)
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.code !== 'VALIDATION_ERROR') throw error
      const challengeParams = { error: 'invalid_token', ...params }
      throw new AuthChallenge(
        'INVALID_AUTH_HEADER',
        `${expected}, found ${error.message}; sign in again.`,
        challengeParams,
      )
    }
  }

  /** The metadata of a protected resource, the same whether or not the space exists; undefined for other addresses. */
  metadata(url: string, address: ServerAddress): Response | undefined {
    const path = new URL(url).pathname.slice(METADATA_PREFIX.length)
    const [, key, resourcePath] = RESOURCE_PATTERN.exec(path) ?? []
    if (key === undefined || !path.endsWith(`/spaces/${key}${resourcePath}`)) return undefined
    const { origin } = locateResource(url, address)
    return Response.json(
      {
        resource: `${origin}/spaces/${key}${resourcePath}`,
        authorization_servers: [this.#options.issuer.issuerUrl(key, address)],
        scopes_supported: SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Scriptorium',
      },
      { headers: { 'Cache-Control': 'max-age=300' } },
    )
  }
}

function insufficientScope(scopes: readonly string[], metadata: string, sentence?: string): AuthChallenge {
  const params = { error: 'insufficient_scope', scope: scopes.join(' '), resource_metadata: metadata }
  const explanation = `Expected a token with the scopes ${scopes.join(', ')}, found one with fewer`
  return new AuthChallenge('FORBIDDEN', sentence ?? `${explanation}; sign in again and ask for these.`, params)
}

function locateResource(url: string, address: ServerAddress) {
  const [, key = '', resourcePath = ''] = RESOURCE_PATTERN.exec(new URL(url).pathname) ?? []
  const origin = ownOrigin(url, address)
  const { origin: root, pathname } = new URL(`${origin}/spaces/${key}${resourcePath}`)
  return { key, origin, metadata: `${root}${METADATA_PREFIX}${pathname}` }
}

/**
 * The address of this server, as tokens name it. The Host header is only trusted for names of this machine: otherwise
 * another server could forward the tokens that were issued for it, with its own name as Host.
 */
function ownOrigin(url: string, { host, port, isSecure, publicUrl }: ServerAddress): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const { hostname } = new URL(url)
  const effectiveHost = isLoopbackHost(hostname) && isLoopbackHost(host) ? hostname.replace(/^\[|\]$/g, '') : host
  return formatOrigin({ host: effectiveHost, port, isSecure })
}
