/**
 * The sessions of browsers on the pages: who visits, how a session begins and ends, and how one replaces another.
 *
 * A browser that opens the space with an address is offered a session, in a cookie of the page `/view/{key}/enter`
 * alone. That page sees the session that the browser has, too. It starts the offered one, or asks first by a form if the
 * space is open as somebody else. So following an address replaces no session, and its secret does not stay there.
 */

import type { Context } from 'hono'
import { spaceKey } from '../auth/access-links/access-links.ts'
import {
  type BrowserSession,
  formToken,
  keptName,
  OPERATOR,
  sessionOwner,
} from '../auth/browser-sessions/browser-session.ts'
import { getSessionLink } from '../auth/browser-sessions/session-link.ts'
import { LOGIN_SECONDS, VIEW_SECONDS } from '../base/limits.ts'
import { connectionNameOf } from '../call/connection-names.ts'
import { endSession, hasSessionEnded } from '../call/ended-sessions.ts'
import type { SessionChoice, SignedOut } from '../page/access-pages.ts'
import { guestAuthor } from '../space/model/names.ts'
import { type AccessLink, OPERATOR_LINK, type Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { PageOptions } from './http-options.ts'
import { ownPage, type PageAccess, redirect, type SessionCookie } from './page-access.ts'
import type { Env } from './request-lifecycle.ts'

/** A browser with a session. */
export interface Visitor {
  session: BrowserSession
  link: AccessLink
  /** Milliseconds since 1970. */
  now: number
}

/** What a browser may keep of the pages, for when there is no connection: by a name, and until a time. */
export interface KeptPages {
  name: string
  /** Milliseconds since 1970. */
  until: number
}

const CURRENT: SessionCookie = { name: 'scriptorium', page: '' }
/** Holds a session that the browser is offered. */
const OFFERED: SessionCookie = { name: 'scriptorium-offered', page: '/enter' }

export class PageVisitors {
  readonly #access: PageAccess
  readonly #admitsOperator: boolean

  constructor({ operatorSince }: PageOptions, access: PageAccess) {
    this.#access = access
    this.#admitsOperator = operatorSince !== undefined
  }

  /** The visitor whom a cookie identifies, if the session has not ended and its link still opens the space. */
  async visitor(context: Context<Env>, space: OpenSpace, cookie = CURRENT): Promise<Visitor | undefined> {
    const found = await space.read(OPERATOR_LINK, async (view) => {
      const session = this.#access.session(context, view, cookie)
      if (session === undefined || (await hasSessionEnded(view, session))) return undefined
      return { session, now: view.now, link: await this.#linkOf(view, session) }
    })
    if (found === undefined) return undefined
    const { session, now } = found
    const link = found.link === OPERATOR ? await space.createAccessLink('full', []) : found.link
    return (
      link && { session, now, link: { ...link, isPerson: true, connection: connectionNameOf(`page ${session.nonce}`) } }
    )
  }

  async #linkOf(view: Space, session: BrowserSession): Promise<AccessLink | typeof OPERATOR | undefined> {
    if (session.link !== OPERATOR) return getSessionLink(view, session)
    return this.#admitsOperator ? OPERATOR : undefined
  }

  /**
   * Nothing is kept for the person who runs the program, whose pages are served on the same machine: once the program has
   * ended, another one could be served at its address. And nothing over a link that is paused.
   */
  keptPages({ info }: OpenSpace, { session, link }: Visitor): KeptPages | undefined {
    if (session.link === OPERATOR || link.pausedAt !== undefined) return undefined
    const { kind, access, reachChanges = 0, expiresAt = Number.POSITIVE_INFINITY } = link
    const name = keptName(info, session, [kind, access, reachChanges].join(' '))
    return { name, until: Math.min(session.until, expiresAt) }
  }

  /** Offers a session to a browser. @param page  of the space, to show once it has started */
  offer(context: Context<Env>, space: OpenSpace, session: BrowserSession, page = '/'): Response {
    const response = redirect(this.#address(space, `${OFFERED.page}?${new URLSearchParams({ page })}`))
    const cookie = this.#access.sessionCookie(context, space, OFFERED, session, LOGIN_SECONDS)
    response.headers.append('Set-Cookie', cookie)
    return response
  }

  /** Starts the offered session. If the space is open as somebody else, a form asks first. @param ask  renders it */
  async enter(
    context: Context<Env>,
    space: OpenSpace,
    ask: (choice: Omit<SessionChoice, 'space'>) => Response,
  ): Promise<Response> {
    const { req } = context
    const page = ownPage(req.query('page'))
    const current = await this.visitor(context, space)
    const offered = await this.visitor(context, space, OFFERED)
    const isChoice = current !== undefined && offered !== undefined && current.session.link !== offered.session.link
    if (isChoice && req.method === 'GET') {
      return ask({
        action: this.#address(space, `${OFFERED.page}?${new URLSearchParams({ page })}`),
        token: formToken(space.info, current.session),
        current: accessDescription(current),
        offered: accessDescription(offered),
      })
    }
    const form = isChoice ? await this.#access.readOwnForm(context, space, current.session) : undefined
    const isAccepted = offered !== undefined && (!isChoice || form?.get('do') === 'change')
    const response = isAccepted
      ? await this.start(context, space, offered.session, page)
      : redirect(this.#address(space, page))
    response.headers.append('Set-Cookie', this.#access.sessionCookie(context, space, OFFERED))
    return response
  }

  /** Starts a session. The one of somebody else that the browser had ends. */
  async start(context: Context<Env>, space: OpenSpace, session: BrowserSession, page: string): Promise<Response> {
    const { session: before } = (await this.visitor(context, space)) ?? {}
    const isSame = before?.link === session.link
    if (before !== undefined && !isSame) await this.#end(space, before)
    const response = redirect(this.#address(space, page))
    const seconds = Math.floor((session.until - session.from) / 1000)
    // The forms of open tabs stay valid.
    const started = isSame ? { ...session, ...before, from: session.from, until: session.until } : session
    response.headers.append('Set-Cookie', this.#access.sessionCookie(context, space, CURRENT, started, seconds))
    return response
  }

  /** A cookie for a session that goes on after its password was changed, which ended it with all others. */
  renewed(context: Context<Env>, space: OpenSpace, { session }: Visitor, changedAt: number): string {
    const renewed = { ...session, from: changedAt, until: changedAt + VIEW_SECONDS * 1000 }
    return this.#access.sessionCookie(context, space, CURRENT, renewed, VIEW_SECONDS)
  }

  /** Gives the session of a guest the name under which it comments. @throws VALIDATION_ERROR */
  nameGuest(context: Context<Env>, space: OpenSpace, { session, now }: Visitor, form: URLSearchParams): Response {
    const guest = (form.get('name') ?? '').trim()
    guestAuthor(guest)
    const to = this.#address(space, ownPage(form.get('back')?.split(/[?#]/)[0]))
    // Scripts go there by themselves.
    const isFromScript = context.req.header('hx-request') !== undefined
    const response = isFromScript ? new Response(null, { status: 204, headers: { 'X-Leads-To': to } }) : redirect(to)
    const seconds = Math.floor((session.until - now) / 1000)
    const cookie = this.#access.sessionCookie(context, space, CURRENT, { ...session, guest }, seconds)
    response.headers.append('Set-Cookie', cookie)
    return response
  }

  /** @param answer  renders the page after it */
  async signOut(
    context: Context<Env>,
    space: OpenSpace,
    session: BrowserSession,
    answer: (about: Pick<SignedOut, 'owner' | 'isEnded'>) => Promise<Response>,
    log: (line: string) => void,
  ): Promise<Response> {
    // The browser loses its cookie even where nothing can be stored.
    const isEnded = await this.#end(space, session).then(
      () => true,
      (error) => {
        log(`a session could not be ended: ${error}`)
        return false
      },
    )
    const response = await answer({ owner: sessionOwner(space.info, session), isEnded })
    for (const cookie of [CURRENT, OFFERED]) {
      response.headers.append('Set-Cookie', this.#access.sessionCookie(context, space, cookie))
    }
    // Not "storage" or "cookies", which would delete what was not sent yet, and sessions of other spaces.
    response.headers.set('Clear-Site-Data', '"cache"')
    return response
  }

  #end(space: OpenSpace, session: BrowserSession): Promise<void> {
    return space.write(OPERATOR_LINK, (view) => endSession(view, session))
  }

  /** @param page  path of a page of the space, with or without a query */
  #address(space: OpenSpace, page: string): string {
    return `${this.#access.base(spaceKey(space.info.id))}${page}`
  }
}

/** How a visitor has opened the space, for the person at the browser: as a person, or with a link. */
export const accessDescription = ({ session, link }: Visitor): string =>
  session.link === OPERATOR || link.isSignedIn || session.guest !== undefined
    ? `as ${link.author}`
    : `with the link “${link.author}”`
