/**
 * IDs of the sessions of 2025 clients. An ID carries what a server must know to serve the session, authenticated with
 * the secret of the space: any process of the space can go on with it, also after a restart. It opens nothing by itself,
 * since each request is authenticated with the credentials of its link.
 *
 * Most clients do not recover from the 404 that the protocol asks for when a session is unknown.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CLIENT_NAME_LENGTH, SESSION_ID_LENGTH, SESSION_LIFETIME_SECONDS } from '../base/limits.ts'
import type { SpaceInfo } from '../space/model/space.ts'

export interface SessionFacts {
  /** The ID of the link. The session cannot be used over another one. */
  link: string
  /** When it was opened, in milliseconds since 1970. */
  from: number
  /** Distinguishes sessions of the same link. */
  nonce: string
  /** What the client sent when it opened the session, as far as the server uses it. */
  client: ClientFacts
}

export interface ClientFacts {
  protocolVersion: string
  name: string
  capabilities: object
}

/** The longest name of a revision of the protocol, such as 2025-11-25. */
const VERSION_LENGTH = 20

/** @param params  of the request `initialize`, with cleaned capabilities */
export function newSession(link: string, from: number, params: Record<string, unknown>): SessionFacts {
  const { protocolVersion, capabilities, clientInfo } = params
  const { name } = clientInfo as { name?: unknown }
  return {
    link,
    from,
    nonce: randomBytes(12).toString('base64url'),
    client: {
      protocolVersion: String(protocolVersion).slice(0, VERSION_LENGTH),
      name: String(name).slice(0, CLIENT_NAME_LENGTH),
      capabilities: capabilities as object,
    },
  }
}

/** `{seal}.{facts}`, both in base64url. Proxies that remember only the beginning of an ID can tell sessions apart. */
export function sealSessionId({ secret }: Pick<SpaceInfo, 'secret'>, { link, from, nonce, client }: SessionFacts) {
  const { protocolVersion, name, capabilities } = client
  const facts = JSON.stringify([link, from, nonce, protocolVersion, name, capabilities])
  const text = Buffer.from(facts, 'utf8').toString('base64url')
  return `${seal(secret, text)}.${text}`
}

/**
 * @param linkId  the link of the request
 * @returns undefined for an ID that was changed or made up, of another link or space, or that has expired
 */
export function openSessionId(
  { secret }: Pick<SpaceInfo, 'secret'>,
  id: string,
  linkId: string,
  now: number,
): SessionFacts | undefined {
  if (id.length > SESSION_ID_LENGTH) return undefined
  const [mac = '', text = ''] = id.split('.')
  const expected = Buffer.from(seal(secret, text))
  const given = Buffer.from(mac)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const [link, from, nonce, protocolVersion, name, capabilities] = JSON.parse(
    Buffer.from(text, 'base64url').toString('utf8'),
  )
  if (link !== linkId || now >= sessionExpiry(from)) return undefined
  return { link, from, nonce, client: { protocolVersion, name, capabilities } }
}

/** In milliseconds since 1970. */
export const sessionExpiry = (from: number): number => from + SESSION_LIFETIME_SECONDS * 1000

const seal = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(`mcp session ${text}`).digest('base64url')
