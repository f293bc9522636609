/**
 * Browser sessions on the pages of a space. A session is a cookie that contains the ID of a link and an expiry time,
 * authenticated with the secret of the space. The server looks up the link with each request, so that revoking a link
 * ends all of its sessions, and stores only which sessions were signed out (src/call/ended-sessions.ts).
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ACCESS_LEVELS, type AccessLevel, type SpaceInfo } from '../../space/model/space.ts'

/** Stands for the person who runs the program. No link has this ID. */
export const OPERATOR = 'operator'

export interface BrowserSession {
  /** The ID of a link, or {@link OPERATOR}. */
  link: string
  /** The maximum access of the session, if it is less than that of the link. */
  access: AccessLevel
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** Distinguishes sessions of the same link. */
  nonce: string
  /** The name that a guest gave. */
  guest?: string
}

/** @param access  the maximum access of the session */
export const newSession = (
  link: string,
  from: number,
  milliseconds: number,
  access: AccessLevel = 'full',
): BrowserSession => ({
  link,
  access,
  from,
  until: from + milliseconds,
  nonce: randomBytes(12).toString('base64url'),
})

/** `{link}.{access}.{from}.{until}.{nonce}.{seal}`, for a guest with the name before the seal */
export function sealSession(info: SpaceInfo, { link, access, from, until, nonce, guest }: BrowserSession): string {
  const name = guest === undefined ? [] : [Buffer.from(guest).toString('base64url')]
  const text = [link, access, from, until, nonce, ...name].join('.')
  return `${text}.${seal(info, 'session', text)}`
}

/** @returns undefined for a value that was modified, belongs to another space, or has expired */
export function openSession(info: SpaceInfo, value: string, now: number): BrowserSession | undefined {
  const [, text = '', mac = ''] = SEALED.exec(value) ?? []
  if (!isEqual(mac, seal(info, 'session', text))) return undefined
  const [link = '', level, from, until, nonce = '', name] = text.split('.')
  const access = ACCESS_LEVELS.find((one) => one === level)
  if (access === undefined) return undefined
  const guest = name === undefined ? {} : { guest: Buffer.from(name, 'base64url').toString() }
  const session = { link, access, from: Number(from), until: Number(until), nonce, ...guest }
  return session.from <= now && now < session.until ? session : undefined
}

const SEALED = /^([a-z0-9]{1,40}\.[a-z-]{1,20}\.\d{1,16}\.\d{1,16}\.[\w-]{16}(?:\.[\w-]{1,640})?)\.([\w-]{43})$/

/** The token in each form of a session's pages. Other sites cannot know it. */
export const formToken = (info: SpaceInfo, { nonce }: BrowserSession): string => seal(info, 'form', nonce)

export const isFormToken = (info: SpaceInfo, session: BrowserSession, token: string): boolean =>
  isEqual(token, formToken(info, session))

/**
 * Identifies the link, the person or the guest of a session: the same for all sessions of a link. Under this name, a browser
 * stores what they wrote and did not send yet, so that it is not sent as somebody else. It is no secret. A restore does
 * not change it, since what was not sent would be lost with it.
 */
export const sessionOwner = ({ addressKey }: SpaceInfo, { link, guest }: BrowserSession): string =>
  createHash('sha256')
    .update(seal({ secret: addressKey.fileKey }, 'owner', guest === undefined ? link : `${link} ${guest}`))
    .digest('hex')
    .slice(0, OWNER_LENGTH)

const OWNER_LENGTH = 16

/**
 * Names what a browser keeps of the pages of a session: each session has another name, and a session whose link reaches or
 * may do something else gets another one. It is no secret.
 */
export const keptName = (info: SpaceInfo, { nonce }: BrowserSession, reach: string): string =>
  seal(info, 'kept', `${nonce} ${reach}`).slice(0, KEPT_LENGTH)

const KEPT_LENGTH = 22

/**
 * Creates an address that opens the operator's session once. Any program that can read the file of the space can create
 * one, so that `scriptorium open` needs no channel to a running server.
 */
export function createEntryToken(info: SpaceInfo, now: number, milliseconds: number): string {
  const text = [now, now + milliseconds, randomBytes(12).toString('base64url')].join('.')
  return `${text}.${seal(info, 'entry', text)}`
}

/** The entry tokens that one server has accepted. */
export class EntryTokens {
  readonly #startedAt: number
  /** When each token would expire, by its nonce. */
  readonly #used = new Map<string, number>()

  /** @param startedAt  older tokens are refused: they may have been used with the previous server process */
  constructor(startedAt: number) {
    this.#startedAt = startedAt
  }

  /** Returns true if the token opens the operator's session, which works once. */
  redeem(info: SpaceInfo, token: string, now: number): boolean {
    const [, text = '', mac = ''] = /^(\d{1,16}\.\d{1,16}\.[\w-]{16})\.([\w-]{43})$/.exec(token) ?? []
    if (!isEqual(mac, seal(info, 'entry', text))) return false
    const [from, until, nonce = ''] = text.split('.')
    for (const [known, end] of this.#used) if (end <= now) this.#used.delete(known)
    if (Number(from) < this.#startedAt || Number(until) <= now || this.#used.has(nonce)) return false
    this.#used.set(nonce, Number(until))
    return true
  }
}

const seal = ({ secret }: Pick<SpaceInfo, 'secret'>, purpose: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(`page ${purpose} ${text}`).digest('base64url')

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
