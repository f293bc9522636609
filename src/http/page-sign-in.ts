/**
 * Ways in which a browser gets the session cookie for the pages of a space:
 *
 *     /links/{secret}/view      with a link
 *     /enter/{token}            for the person who runs the program, see `scriptorium open`
 *     /view/{key}/sign-in       for people who sign in here, or with an identity provider
 *     /signed-in                the redirect URI for identity providers
 */
import type { Context } from 'hono'
import { authenticateAccessLink, spaceKey, spaceKeyOf } from '../auth/access-links/access-links.ts'
import { EntryTokens, newSession, OPERATOR } from '../auth/browser-sessions/browser-session.ts'
import { beginLogin, finishLogin, openPending, sealPending } from '../auth/browser-sessions/issuer-login.ts'
import { pageLinkOf } from '../auth/browser-sessions/session-link.ts'
import { ResourceServer } from '../auth/resource-server/resource-server.ts'
import { tryAndLog } from '../base/background.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { LOGIN_SECONDS, SIGN_IN_NAME_LENGTH, VIEW_SECONDS } from '../base/limits.ts'
import { readCookie } from '../base/read-cookie.ts'
import type { SpaceLease } from '../call/space-registry.ts'
import type { PageRequest } from '../page/page-call.ts'
import type { Pages } from '../page/pages.ts'
import { logOccurrence } from '../space/model/audit-log.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { HttpOptions, PageOptions } from './http-options.ts'
import {
  foreignForm,
  isRefusal,
  ownPage,
  type PageAccess,
  PageAccessDenied,
  readPageForm,
  redirect,
} from './page-access.ts'
import { accessDescription, type PageVisitors, type Visitor } from './page-visitors.ts'
import type { Env } from './request-lifecycle.ts'
import type { RequestSource } from './request-source.ts'

/** Stores the state of a sign-in that was started. */
const LOGIN_COOKIE = 'scriptorium-sign-in'
const LOGIN_PATH = '/signed-in'

export class PageSignIn {
  readonly #options: HttpOptions
  readonly #source: RequestSource
  readonly #access: PageAccess
  readonly #visitors: PageVisitors
  readonly #entries: EntryTokens | undefined
  readonly #resourceServer: ResourceServer | undefined

  constructor(
    options: HttpOptions,
    { operatorSince }: PageOptions,
    source: RequestSource,
    access: PageAccess,
    visitors: PageVisitors,
  ) {
    this.#options = options
    this.#source = source
    this.#access = access
    this.#visitors = visitors
    this.#entries = operatorSince === undefined ? undefined : new EntryTokens(operatorSince)
    this.#resourceServer = options.signIn && new ResourceServer(options.signIn)
  }

  /** The address for signing in to see a page; undefined if no one can sign in. */
  signInAddress(key: string, page: string): string | undefined {
    const { signIn } = this.#options
    if (signIn?.embedded === undefined && signIn?.client === undefined) return undefined
    const query = ownPage(page) === '/' ? '' : `?${new URLSearchParams({ page })}`
    return `${this.#access.base(key)}/sign-in${query}`
  }

  /** The name of a space for everybody: that on its page for signing in; undefined if there is no such page. */
  async publicName(context: Context<Env>, key: string): Promise<string | undefined> {
    if (this.#options.signIn?.embedded === undefined) return undefined
    const lease = await this.#access.lease(context, key)
    const isHere = lease !== undefined && spaceKey(lease.space.info.id) === key && lease.signIns !== undefined
    return isHere ? lease.space.info.name : undefined
  }

  /** Exchanges the secret of a link for a cookie, so that the secret does not stay in the address. */
  async byLink(context: Context<Env>): Promise<Response> {
    const address = context.req.param('address') ?? ''
    const lease = await this.#access.lease(context, spaceKeyOf(address))
    if (lease === undefined) throw new PageAccessDenied('invalid-link')
    const open = () =>
      lease.space.read(OPERATOR_LINK, async (view) => {
        const link = await authenticateAccessLink(view, address, undefined)
        return { link, session: newSession(link.id ?? '', view.now, VIEW_SECONDS * 1000) }
      })
    const remoteAddress = this.#source.clientAddress(context)
    const failed = () => lease.space.failedSignIns.note(remoteAddress, 'link')
    const { link, session } = await this.#source.countFailures(remoteAddress, open, failed).catch((error: unknown) => {
      if (isRefusal(error)) throw new PageAccessDenied('invalid-link')
      throw error
    })
    await logSignIn(lease.space, link, 'link')
    return this.#visitors.offer(context, lease.space, session)
  }

  /** Exchanges a token of `scriptorium open` for the operator's cookie. Works once. */
  async byToken(context: Context<Env>): Promise<Response> {
    const lease = await this.#access.lease(context, '')
    if (lease === undefined || this.#entries === undefined) throw new PageAccessDenied('invalid-entry')
    const entries = this.#entries
    const { space } = lease
    const remoteAddress = this.#source.clientAddress(context)
    const open = async () => {
      const now = await currentTime(lease)
      if (!entries.redeem(space.info, context.req.param('token') ?? '', now)) {
        space.failedSignIns.note(remoteAddress, 'token')
        throw new PageAccessDenied('invalid-entry')
      }
      return newSession(OPERATOR, now, VIEW_SECONDS * 1000)
    }
    const session = await this.#source.countFailures(remoteAddress, open)
    await logSignIn(space, OPERATOR_LINK, 'token')
    return this.#visitors.offer(context, space, session)
  }

  /** Shows the sign-in page, or redirects to the identity provider. */
  async signIn(context: Context<Env>, pages: Pages): Promise<Response> {
    const key = context.req.param('key') ?? ''
    const page = ownPage(context.req.query('page'))
    const lease = await this.#access.lease(context, key)
    const isHere = lease !== undefined && spaceKey(lease.space.info.id) === key
    const { signIn } = this.#options
    if (isHere && signIn?.embedded !== undefined && lease.signIns !== undefined)
      return this.#byPassword(context, pages, lease, page)
    if (isHere && signIn?.client !== undefined) return this.#leaveForIssuer(context, key, page)
    throw new PageAccessDenied('no-session')
  }

  async #byPassword(context: Context<Env>, pages: Pages, lease: SpaceLease, page: string): Promise<Response> {
    const { req } = context
    const { space, signIns } = lease
    const current = await this.#visitors.visitor(context, space)
    const action = this.signInAddress(spaceKey(space.info.id), page) ?? ''
    const shown = { space: space.info.name, action, current: current && accessDescription(current) }
    if (req.method !== 'POST') return pages.signIn(shown, this.#access.root)
    if (!this.#access.isOwnForm(context)) throw foreignForm()
    const form = await readPageForm(req.raw)
    if (signIns === undefined) throw new PageAccessDenied('no-session')
    const { signInWithPassword } = await import('../auth/issuer/password-sign-in.ts')
    const name = form.get('name') ?? ''
    const from = this.#source.clientAddress(context)
    const result = await signInWithPassword(space, signIns, { name, password: form.get('password') ?? '', from })
    if ('fault' in result) {
      return pages.signIn({ ...shown, ...result, name: name.slice(0, SIGN_IN_NAME_LENGTH) }, this.#access.root)
    }
    const { id } = result.account
    const session = await space.write(OPERATOR_LINK, async (view) =>
      newSession(await pageLinkOf(view, id), view.now, VIEW_SECONDS * 1000),
    )
    return this.#visitors.start(context, space, session, page)
  }

  /** Changes the password of a visitor; undefined for one who did not sign in with a password here. */
  passwordChange(
    context: Context<Env>,
    { space, signIns }: SpaceLease,
    visitor: Visitor,
  ): PageRequest['changePassword'] {
    const { link } = visitor
    if (!link.isSignedIn || signIns === undefined || this.#options.signIn?.embedded === undefined) return undefined
    return async (old, next) => {
      const { changePassword } = await import('../auth/issuer/password-change.ts')
      const from = this.#source.clientAddress(context)
      const result = await changePassword(space, signIns, { link, old, next, from })
      if ('fault' in result) return result
      return { setCookie: this.#visitors.renewed(context, space, visitor, result.changedAt) }
    }
  }

  async #leaveForIssuer(context: Context<Env>, key: string, page: string): Promise<Response> {
    const client = this.#options.signIn?.client
    if (client === undefined) throw new PageAccessDenied('no-session')
    const { location, pending } = await beginLogin(client, { key, page }, this.#loginPlace(context, key))
    const response = redirect(location)
    response.headers.append('Set-Cookie', this.#loginCookie(context, sealPending(pending), LOGIN_SECONDS))
    return response
  }

  /** Handles the redirect from an identity provider. */
  async signedIn(context: Context<Env>): Promise<Response> {
    const { req, env } = context
    const client = this.#options.signIn?.client
    const pending = openPending(readCookie(req.header('cookie'), LOGIN_COOKIE) ?? '')
    const server = this.#resourceServer
    if (client === undefined || server === undefined || pending === undefined) throw new PageAccessDenied('no-session')
    const { key, page } = pending
    const place = this.#loginPlace(context, key)
    const again = { signIn: this.signInAddress(key, page) ?? '' }
    try {
      const answer = new URL(req.url).searchParams
      const remoteAddress = this.#source.clientAddress(context)
      const { space, session } = await this.#source.countFailures(remoteAddress, async () => {
        const token = await finishLogin(client, answer, pending, place)
        const acquire = (spaceKey: string) => this.#options.spaces.acquire(spaceKey)
        const address = this.#source.serverAddress(env)
        const { lease, link, lifetime } = await server.authenticate(place.request, token, address, acquire)
        context.get('requestContext').onFinish(() => lease.release())
        const milliseconds = Math.min(lifetime, VIEW_SECONDS * 1000)
        const session = newSession(link.id ?? '', await currentTime(lease), milliseconds, link.access)
        await logSignIn(lease.space, link, 'issuer')
        return { space: lease.space, session }
      })
      const response = this.#visitors.offer(context, space, session, ownPage(page))
      response.headers.append('Set-Cookie', this.#loginCookie(context, '', 0))
      return response
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || !error.isRefusal) throw error
      throw new PageAccessDenied('not-signed-in', { ...again, reason: error.message })
    }
  }

  /** The resource that tokens are for, the redirect URI, and an address of this server that accepts such tokens. */
  #loginPlace({ req, env }: Context<Env>, key: string): { resource: string; redirect: string; request: string } {
    const resource = this.#resourceServer?.resource(req.url, key, this.#source.serverAddress(env)) ?? ''
    const root = resource.slice(0, -`/spaces/${key}/api/v1`.length)
    const request = new URL(`/spaces/${key}/api/v1`, req.url).href
    return { resource, redirect: `${root}${LOGIN_PATH}`, request }
  }

  #loginCookie(context: Context<Env>, value: string, seconds: number): string {
    return this.#access.cookie(context, {
      name: LOGIN_COOKIE,
      path: `${this.#access.root}${LOGIN_PATH}`,
      value,
      seconds,
    })
  }
}

/** Logs that somebody opened the pages. From a full disk they are read all the same. */
const logSignIn = (space: OpenSpace, link: AccessLink, way: 'link' | 'token' | 'issuer'): Promise<void> =>
  tryAndLog('log a sign-in', () =>
    space.write(link, (view) => logOccurrence(view, 'sign_in', { about: { with: way } })),
  )

const currentTime = ({ space }: SpaceLease): Promise<number> => space.read(OPERATOR_LINK, async (view) => view.now)
