/** Access to the pages: the browser's cookie, the session that it opens, and protection against forged forms. */
import type { Context } from 'hono'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { type BrowserSession, isFormToken, openSession, sealSession } from '../auth/browser-sessions/browser-session.ts'
import { HTTP_STATUS, ScriptoriumError } from '../base/errors.ts'
import { readCookie } from '../base/read-cookie.ts'
import { readForm } from '../call/input/request-form.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import type { DenialOptions, DenialReason } from '../page/access-pages.ts'
import { FORM_TOKEN_HEADER } from '../page/page-call.ts'
import type { Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { EarlyRefusal } from './early-refusal.ts'
import type { HttpOptions } from './http-options.ts'
import type { Env } from './request-lifecycle.ts'
import type { RequestSource } from './request-source.ts'

/** A cookie that holds a session of a space. */
export interface SessionCookie {
  name: string
  /** The page below the base address that gets the cookie, with those below it; empty for all. */
  page: string
}

/** A page of the space that addresses may name. */
const OWN_PAGE = /^\/(?!\/)[\w/.-]{0,200}$/

/** The page to show after something, or the first page if the address names none of the space. */
export const ownPage = (page = '/'): string => (OWN_PAGE.test(page) ? page : '/')

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

/** The fields of a form. @throws PAYLOAD_TOO_LARGE; VALIDATION_ERROR for a body that was cut off, or too many fields */
export async function readPageForm(request: Request): Promise<URLSearchParams> {
  const form = await readForm(request)
  if (form instanceof URLSearchParams) return form
  if (form.status !== HTTP_STATUS.PAYLOAD_TOO_LARGE) throw await EarlyRefusal.of(form)
  throw new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    'Expected a form of this page, found one that is too large; shorten what you typed, or add it in parts.',
  )
}

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

  /** The session in a cookie of this browser, if it is one of this space that has not expired. */
  session({ req }: Context<Env>, { info, now }: Pick<Space, 'info' | 'now'>, { name }: SessionCookie) {
    const value = readCookie(req.header('cookie'), name)
    return value === undefined ? undefined : openSession(info, value, now)
  }

  /** Sets a cookie of a space to a session for some seconds; deletes it without one. */
  sessionCookie(
    context: Context<Env>,
    { info }: OpenSpace,
    { name, page }: SessionCookie,
    session?: BrowserSession,
    seconds = 0,
  ): string {
    const value = session === undefined ? '' : sealSession(info, session)
    return this.cookie(context, { name, path: `${this.base(spaceKey(info.id))}${page}`, value, seconds })
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

  /**
   * The fields of a POST from a form of this session; empty for requests of page scripts.
   *
   * @param hasFile  true for a form with a file, which is not read yet
   * @throws FORBIDDEN for any other POST
   */
  async readOwnForm(
    context: Context<Env>,
    space: OpenSpace,
    session: BrowserSession,
    hasFile = false,
  ): Promise<URLSearchParams> {
    const { req } = context
    if (req.method === 'GET' || req.method === 'HEAD') return new URLSearchParams()
    if (req.method !== 'POST') {
      throw new ScriptoriumError('METHOD_NOT_ALLOWED', `Expected GET or POST of a page, found ${req.method}.`)
    }
    if (!this.isOwnForm(context)) throw foreignForm()
    // Scripts send the token in a header, since the page reads the body itself. Other sites cannot add this header.
    const token = req.header(FORM_TOKEN_HEADER)
    if (token !== undefined) {
      if (!isFormToken(space.info, session, token)) throw foreignForm()
      return new URLSearchParams()
    }
    // The page of such a form reads it, and checks its token: see page-transfer-routes.ts.
    if (hasFile) return new URLSearchParams()
    const form = await readPageForm(req.raw)
    if (!isFormToken(space.info, session, form.get('token') ?? '')) throw foreignForm()
    return form
  }

  /** Checks the Origin header: it must have the scheme, host and port under which the browser knows this server. */
  isOwnForm({ req }: Context<Env>): boolean {
    const origin = req.header('origin')
    if (origin === undefined || !URL.canParse(origin)) return false
    const { origin: own } = new URL(this.#source.publicOrigin(req.url))
    return origin === own || new URL(origin).host === req.header('host')
  }
}
