/**
 * Spaces for those who sign in at an issuer, each at addresses of its own:
 *
 *     /spaces/{key}/api/v1/…    the REST interface
 *     /spaces/{key}/mcp         the Model Context Protocol over Streamable HTTP
 *     /.well-known/oauth-protected-resource/spaces/{key}/…    what each of them asks for (RFC 9728)
 */
import type { Effect } from '../../endpoint.ts'
import { ScriptoriumError } from '../../errors.ts'
import type { Access } from '../../space/space.ts'
import type { EmbeddedIssuer } from '../issuer/issuer.ts'
import { originOf, spaceKey } from '../links.ts'
import { isLoopback } from '../loopback.ts'
import type { Held } from '../spaces.ts'
import { Challenge } from './challenge.ts'
import { type Connection, connect, unknown } from './connections.ts'
import { accessOf, SCOPES, scopesFor, scopesOf } from './scopes.ts'
import type { Token } from './token.ts'

/** Who signs tokens, and tells what they say. */
export interface TokenIssuer {
  /** As tokens and metadata name it, for the space of a key. */
  nameAt(key: string, place: Place): string
  /**
   * @param audiences  of which the token must be for one
   * @throws VALIDATION_ERROR, with what is wrong with the token; SilentIssuer
   */
  verify(token: string, audiences: readonly string[], key: string, place: Place): Promise<Token>
}

/** How those who sign in are let in. */
export interface SignInOptions {
  issuer: TokenIssuer
  /** The issuer too, where it is our own: it is served as well. */
  embedded?: EmbeddedIssuer
  /** An audience of tokens that is taken for every space, besides the space's own addresses. */
  audience?: string
  /** What a host is asked to sign in for at first: all but delete when absent, since to delete can be asked for later. */
  first?: Access
}

/** Where the server is reached. */
export interface Place {
  host: string
  port: number
  isSecure: boolean
  publicUrl?: string
}

/** A connection that was let in. */
export interface Admitted extends Connection {
  held: Held
  /** What is told when it may not do something. */
  lacks(effect: Effect, sentence?: string): ScriptoriumError
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const DOORS = ['/mcp', '/api/v1'] as const
const RESOURCE = /\/spaces\/([^/]+)(\/mcp|\/api\/v1)(?:\/.*)?$/

export class SignIn {
  readonly #options: SignInOptions

  constructor(options: SignInOptions) {
    this.#options = options
  }

  /**
   * @param url  of the request
   * @param hold  of the space of a key; none where there is no such space
   * @throws INVALID_AUTH_HEADER without a token that is right; FORBIDDEN for scopes or a subject that do not let in;
   *   SilentIssuer
   */
  async admit(
    url: string,
    bearer: string | undefined,
    place: Place,
    hold: (key: string) => Promise<Held | undefined>,
  ): Promise<Admitted> {
    const { key, origin, metadata } = locate(url, place)
    const token = await this.#token(bearer, { key, origin, metadata, place })
    const lacks = (effect: Effect, sentence?: string) => insufficient(scopesFor(effect), metadata, sentence)
    const access = accessOf(token.scopes)
    if (access === undefined) throw lacks('read')
    const held = await hold(key)
    try {
      if (held === undefined || spaceKey(held.space.info.id) !== key) throw unknown(token)
      return { ...(await connect(held.space, token, access)), held, lacks }
    } catch (error) {
      held?.release()
      throw error
    }
  }

  async #token(
    bearer: string | undefined,
    { key, origin, metadata, place }: { key: string; origin: string; metadata: string; place: Place },
  ): Promise<Token> {
    const { issuer, audience, first = 'no-delete' } = this.#options
    const params = { scope: scopesOf(first).join(' '), resource_metadata: metadata }
    const expected = `Expected a token of ${issuer.nameAt(key, place)} as Authorization: Bearer`
    if (bearer === undefined) {
      throw new Challenge('INVALID_AUTH_HEADER', `${expected}, found none; sign in there.`, params)
    }
    const audiences = DOORS.map((door) => `${origin}/spaces/${key}${door}`)
    if (audience !== undefined) audiences.push(audience)
    try {
      return await issuer.verify(bearer, audiences, key, place)
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.code !== 'VALIDATION_ERROR') throw error
      const said = { error: 'invalid_token', ...params }
      throw new Challenge('INVALID_AUTH_HEADER', `${expected}, found ${error.message}; sign in again.`, said)
    }
  }

  /** What an address asks for, the same for spaces that there are not; none for what is no such address. */
  metadata(url: string, place: Place): Response | undefined {
    const path = new URL(url).pathname.slice(WELL_KNOWN.length)
    const [, key, door] = RESOURCE.exec(path) ?? []
    if (key === undefined || !path.endsWith(`/spaces/${key}${door}`)) return undefined
    const { origin } = locate(url, place)
    return Response.json(
      {
        resource: `${origin}/spaces/${key}${door}`,
        authorization_servers: [this.#options.issuer.nameAt(key, place)],
        scopes_supported: SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Scriptorium',
      },
      { headers: { 'Cache-Control': 'max-age=300' } },
    )
  }
}

function insufficient(scopes: readonly string[], metadata: string, sentence?: string): Challenge {
  const params = { error: 'insufficient_scope', scope: scopes.join(' '), resource_metadata: metadata }
  const fewer = `Expected a token with the scopes ${scopes.join(', ')}, found one with fewer`
  return new Challenge('FORBIDDEN', sentence ?? `${fewer}; sign in again and ask for these.`, params)
}

function locate(url: string, place: Place) {
  const [, key = '', door = ''] = RESOURCE.exec(new URL(url).pathname) ?? []
  const origin = ownOrigin(url, place)
  const { origin: root, pathname } = new URL(`${origin}/spaces/${key}${door}`)
  return { key, origin, metadata: `${root}${WELL_KNOWN}${pathname}` }
}

/**
 * Where this server is, as tokens may name it. What the request says of that is believed only as to the names of this
 * machine: a server elsewhere could pass on the tokens that were made for it, with its own name as Host.
 */
function ownOrigin(url: string, { host, port, isSecure, publicUrl }: Place): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const { hostname } = new URL(url)
  const asked = isLoopback(hostname) && isLoopback(host) ? hostname.replace(/^\[|\]$/g, '') : host
  return originOf({ host: asked, port, isSecure })
}
