/** Access to the pages: the browser's cookie, the session that it opens, and protection against forged forms. */
import type { Context } from 'hono'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { type BrowserSession, openSession, sealSession } from '../auth/browser-sessions/browser-session.ts'
import { ScriptoriumError } from '../base/errors.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import type { DenialOptions, DenialReason } from '../page/pages.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { HttpOptions } from './http-options.ts'
import type { Env } from './request-lifecycle.ts'
import type { RequestSource } from './request-source.ts'

const COOKIE = 'scriptorium'

/** Access was denied. The error is shown as a page. */
export class PageAccessDenied extends Error {
  readonly why: DenialReason
  readonly options: DenialOptions

  constructor(why: DenialReason, options: DenialOptions = {}) {
    super(why)
    this.why = why
    this.options = options
  }
}

/** True if a secret was rejected. */
export const isRefusal = (error: unknown): boolean => error instanceof ScriptoriumError && error.status === 401

export const foreignForm = (): ScriptoriumError =>
  new ScriptoriumError(
    'FORBIDDEN',
    'Expected a form of this page, found one from elsewhere or from an earlier session; open the page again.',
  )

/** The previous address may contain a secret, so no referrer is sent. */
export const redirect = (to: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: to, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  })

export class PageAccess {
  readonly #options: HttpOptions
  readonly #source: RequestSource
  /** A path prefix, if a proxy serves the pages in a folder. */
  readonly root: string

  constructor(options: HttpOptions, source: RequestSource) {
    this.#options = options
    this.#source = source
    this.root = options.publicUrl === undefined ? '' : new URL(options.publicUrl).pathname.replace(/\/+$/, '')
  }

  /** The base address of a space's pages: `/view/0123456789`. */
  base(key: string): string {
    return `${this.root}/view/${key}`
  }

  /** Opens the space of a key until the response has been sent. */
  async lease(context: Context<Env>, key: string): Promise<SpaceLease | undefined> {
    const lease = await this.#options.spaces.acquire(key)
    if (lease !== undefined) context.get('requestContext').onFinish(() => lease.release())
    return lease
  }

  /** The browser's session for this space, if there is an active one. @param now  in milliseconds */
  session({ req }: Context<Env>, { info }: OpenSpace, now: number): BrowserSession | undefined {
    const cookie = readCookie(req.header('cookie'), COOKIE)
    return cookie === undefined ? undefined : openSession(info, cookie, now)
  }

  /** Sets the cookie and redirects. @param page  of the space, to show afterwards */
  startSession(context: Context<Env>, { info }: OpenSpace, session: BrowserSession, page = '/'): Response {
    const base = this.base(spaceKey(info.id))
    const response = redirect(`${base}${page}`)
    const seconds = Math.floor((session.until - session.from) / 1000)
    const value = sealSession(info, session)
    response.headers.append('Set-Cookie', this.cookie(context, { name: COOKIE, path: base, value, seconds }))
    return response
  }

  /** Deletes the cookie with this response. */
  endSession(context: Context<Env>, base: string, answer: Response): Response {
    answer.headers.append('Set-Cookie', this.cookie(context, { name: COOKIE, path: base, value: '', seconds: 0 }))
    return answer
  }

  cookie(
    { req }: Context<Env>,
    { name, path, value, seconds }: { name: string; path: string; value: string; seconds: number },
  ): string {
    const isSecure = this.#options.tls !== undefined || this.#source.publicOrigin(req.url).startsWith('https:')
    return [
      `${name}=${value}`,
      `Path=${path}`,
      `Max-Age=${seconds}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(isSecure ? ['Secure'] : []),
    ].join('; ')
  }

  /** Checks the Origin header: it must have the scheme, host and port under which the browser knows this server. */
  isOwnForm({ req }: Context<Env>): boolean {
    const origin = req.header('origin')
    if (origin === undefined || !URL.canParse(origin)) return false
    const { origin: own } = new URL(this.#source.publicOrigin(req.url))
    return origin === own || new URL(origin).host === req.header('host')
  }
}

export function readCookie(header = '', wanted: string): string | undefined {
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === wanted && value !== undefined) return value
  }
  return undefined
}
