/** The door of the pages: the cookie of a browser, what it opens, and forms that come from our own pages. */
import type { Context } from 'hono'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { type BrowserSession, openSession, sealSession } from '../auth/browser-sessions/browser-session.ts'
import { ScriptoriumError } from '../base/errors.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import type { ClosedDoor, ClosedOptions } from '../page/pages.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { HttpOptions } from './http-options.ts'
import type { Env } from './request-lifecycle.ts'
import type { RequestSource } from './request-source.ts'

const COOKIE = 'scriptorium'

/** Why somebody is not let in; it is answered as a page. */
export class DoorClosed extends Error {
  readonly why: ClosedDoor
  readonly options: ClosedOptions

  constructor(why: ClosedDoor, options: ClosedOptions = {}) {
    super(why)
    this.why = why
    this.options = options
  }
}

/** Whether a secret was refused. */
export const isRefusal = (error: unknown): boolean => error instanceof ScriptoriumError && error.status === 401

export const foreignForm = (): ScriptoriumError =>
  new ScriptoriumError(
    'FORBIDDEN',
    'Expected a form of this page, found one from elsewhere or from an earlier session; open the page again.',
  )

/** The address that one comes from may have a secret, which is passed on to no one. */
export const redirect = (to: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: to, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  })

export class PageDoor {
  readonly #options: HttpOptions
  readonly #source: RequestSource
  /** What the addresses of the server begin with, where a proxy puts it into a folder. */
  readonly root: string

  constructor(options: HttpOptions, source: RequestSource) {
    this.#options = options
    this.#source = source
    this.root = options.publicUrl === undefined ? '' : new URL(options.publicUrl).pathname.replace(/\/+$/, '')
  }

  /** The address of the pages of a space: `/view/0123456789`. */
  base(key: string): string {
    return `${this.root}/view/${key}`
  }

  /** The space of a key, until the answer is sent. */
  async lease(context: Context<Env>, key: string): Promise<SpaceLease | undefined> {
    const lease = await this.#options.spaces.acquire(key)
    if (lease !== undefined) context.get('requestContext').onFinish(() => lease.release())
    return lease
  }

  /** The session of the browser, where it has one of this space that has not ended. @param now  in milliseconds */
  session({ req }: Context<Env>, { info }: OpenSpace, now: number): BrowserSession | undefined {
    const cookie = readCookie(req.header('cookie'), COOKIE)
    return cookie === undefined ? undefined : openSession(info, cookie, now)
  }

  /** @param page  of the space, which is shown then */
  letIn(context: Context<Env>, { info }: OpenSpace, session: BrowserSession, page = '/'): Response {
    const base = this.base(spaceKey(info.id))
    const response = redirect(`${base}${page}`)
    const seconds = Math.floor((session.until - session.from) / 1000)
    const value = sealSession(info, session)
    response.headers.append('Set-Cookie', this.cookie(context, { name: COOKIE, path: base, value, seconds }))
    return response
  }

  /** The cookie is forgotten with this answer. */
  letOut(context: Context<Env>, base: string, answer: Response): Response {
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

  /** Browsers say from which page a form comes: one with this scheme, host and port, as the browser knows them. */
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
