/**
 * The pages for people:
 *
 *     /view/{key}/…             the pages of a space, with a session cookie: see page-sign-in.ts and page-visitors.ts
 *     /open?spaceId=…           redirects deep links, as does /d/{spaceId}/{documentId}
 *     /page/{file}              styles and scripts
 */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { resolveReachedFile, spaceKey } from '../auth/access-links/access-links.ts'
import { formToken, OPERATOR, sessionOwner } from '../auth/browser-sessions/browser-session.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { BODY_SECONDS } from '../base/limits.ts'
import type { Caller } from '../call/caller.ts'
import { toolCatalogFor } from '../call/catalog/tool-catalog.ts'
import { noteCutOff } from '../call/error-body.ts'
import { StreamLimit } from '../call/stream-limit.ts'
import type { SessionChoice, SignedOut } from '../page/access-pages.ts'
import { ASSET_ENCODINGS } from '../page/assets.ts'
import { SHOW_PDF } from '../page/page-links.ts'
import { GUEST_PATH } from '../page/pages/guest-page.ts'
import type { Pages } from '../page/pages.ts'
import { takesFile } from '../page/transfers/page-transfers.ts'
import { addressIn } from '../page/ways-on.ts'
import { EVENT_STREAM } from '../rest/event-stream.ts'
import { answerFollowed } from '../rest/rest-follow.ts'
import { GivenId } from '../space/model/ids.ts'
import type { Space } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { getProposedFile } from '../space/proposals/proposed-files.ts'
import type { Archives } from './archives/archives.ts'
import { bodyTooSlow, readBodyChunks, withBodyTimeout } from './body-timeout.ts'
import { EarlyRefusal } from './early-refusal.ts'
import { createFileResponse } from './file-response.ts'
import { type FollowRequest, followContext } from './follow-context.ts'
import type { HttpOptions, PageOptions } from './http-options.ts'
import { isMultipart } from './multipart-form.ts'
import { PageAccess, PageAccessDenied, redirect } from './page-access.ts'
import { PageLimits } from './page-limits.ts'
import { PageSignIn } from './page-sign-in.ts'
import { PageTransferRoutes } from './page-transfer-routes.ts'
import { PageVisitors, type Visitor } from './page-visitors.ts'
import type { Env } from './request-lifecycle.ts'
import { RequestSource } from './request-source.ts'

/** A file that a proposal would add, by the proposal and the number of the call: `/waiting/{id}/files/{step}/{name}`. */
const PROPOSED_FILE = /^\/waiting\/(\d{12})\/files\/(\d{1,4})(?:\/[^/]*)?$/

/** Addresses that browsers show. */
const PAGES = /^\/(?:view|enter)\/|^\/links\/[^/]+\/view$|^\/(?:open|signed-in)$/

export class PageRoutes {
  readonly #options: HttpOptions
  readonly #pages: PageOptions
  readonly #source: RequestSource
  readonly #limits = new PageLimits()
  readonly #streams = new StreamLimit()
  /** Aborted when the server shuts down. */
  readonly #ending = new AbortController()
  readonly #access: PageAccess
  readonly #visitors: PageVisitors
  readonly #signIn: PageSignIn
  readonly #transfers: PageTransferRoutes

  constructor(options: HttpOptions, pages: PageOptions, archives: Archives) {
    this.#transfers = new PageTransferRoutes(archives)
    this.#options = options
    this.#pages = pages
    this.#source = new RequestSource(options)
    this.#access = new PageAccess(options, this.#source)
    this.#visitors = new PageVisitors(pages, this.#access)
    this.#signIn = new PageSignIn(options, pages, this.#source, this.#access, this.#visitors)
  }

  enterByLink(context: Context<Env>): Promise<Response> {
    return this.#answer(context, () => this.#signIn.byLink(context))
  }

  enterByToken(context: Context<Env>): Promise<Response> {
    return this.#answer(context, () => this.#signIn.byToken(context))
  }

  signIn(context: Context<Env>): Promise<Response> {
    return this.#answer(context, async (pages) => {
      const seconds = this.#options.timeouts?.body ?? BODY_SECONDS
      const work = () => this.#signIn.signIn(context, pages)
      return (await withBodyTimeout(context.env.incoming, seconds, work)) ?? this.#tooSlow()
    })
  }

  signedIn(context: Context<Env>): Promise<Response> {
    return this.#answer(context, () => this.#signIn.signedIn(context))
  }

  /** What installs the pages as an app. The name of the space is in it where its page for signing in shows it. */
  manifest(context: Context<Env>): Promise<Response> {
    return this.#answer(context, async (pages) => {
      const key = context.req.param('key') ?? ''
      const name = await this.#signIn.publicName(context, key)
      return pages.manifest(this.#access.base(key), this.#access.root, name)
    })
  }

  /** What runs beside the pages: see src/page/assets/offline-worker.js. Anybody may read it. */
  worker(context: Context<Env>): Promise<Response> {
    return this.#answer(context, async (pages) => pages.worker())
  }

  /** Starts the session that a browser was offered. */
  enter(context: Context<Env>): Promise<Response> {
    return this.#answer(context, async (pages) => {
      const key = context.req.param('key') ?? ''
      const lease = await this.#access.lease(context, key)
      if (lease === undefined || spaceKey(lease.space.info.id) !== key) throw new PageAccessDenied('no-session')
      const { space } = lease
      const ask = (choice: Omit<SessionChoice, 'space'>) =>
        pages.chooseSession({ space: space.info.name, ...choice }, this.#access.root)
      const seconds = this.#options.timeouts?.body ?? BODY_SECONDS
      const work = () => this.#visitors.enter(context, space, ask)
      return (await withBodyTimeout(context.env.incoming, seconds, work)) ?? this.#tooSlow()
    })
  }

  /**
   * Redirects an address that clients derive from a deep link to its page. Reveals nothing, since the key follows from
   * the ID.
   */
  followDeepLink(context: Context<Env>): Response {
    const { req } = context
    const id = req.param('id') ?? req.query('blockId') ?? req.query('documentId') ?? ''
    const key = spaceKey(req.param('space') ?? req.query('spaceId') ?? '')
    return redirect(`${this.#access.base(key)}/${id === '' ? '' : `d/${encodeURIComponent(id)}`}`)
  }

  /** Not counted: without one of its styles or scripts a page is broken, and all in an office may have one address. */
  async asset(context: Context<Env>): Promise<Response> {
    const pages = await this.#pages.load()
    const work = async () => {
      const isAccepted = (one: string) =>
        accepts(context, { header: 'Accept-Encoding', supports: [one], default: '' }) === one
      const encoding = ASSET_ENCODINGS.find(isAccepted)
      const found = await pages.asset(context.req.param('file') ?? '', encoding)
      return found ?? new Response(null, { status: 404 })
    }
    return pages.inLanguageOf(context.req.raw.headers, () => this.#withFaults(pages, context, work))
  }

  /** Serves the pages of a space, and its files. */
  view(context: Context<Env>): Promise<Response> {
    return this.#answer(context, async (pages, log) => {
      const { req, env } = context
      const key = req.param('key') ?? ''
      const base = this.#access.base(key)
      const url = new URL(req.url)
      const path = url.pathname.slice(`/view/${key}`.length) || '/'
      const lease = await this.#access.lease(context, key)
      const visitor = lease && (await this.#visitor(context, lease.space, key))
      const signIn = () => this.#signIn.signInAddress(key, path)
      if (lease === undefined || visitor === undefined)
        throw new PageAccessDenied('no-session', { signIn: signIn(), base })
      const { space } = lease
      const { session, link, now } = visitor
      const requestContext = context.get('requestContext')
      requestContext.link = link.id
      if (link.id !== undefined) lease.rateLimiter.noteUse(link.id)
      const [, id = '', step = ''] = PROPOSED_FILE.exec(path) ?? []
      if (id !== '') {
        const find = (view: Space) => getProposedFile(view.withLink(link), new GivenId(id), Number(step))
        return this.#file(context, space, find, log)
      }
      if (path.startsWith('/files/')) {
        const [, , id = ''] = path.split('/')
        const mayShowPdf = url.searchParams.has(SHOW_PDF)
        return this.#file(context, space, (view) => resolveReachedFile(view, link, id), log, mayShowPdf)
      }
      const caller: Caller = {
        space,
        link,
        rateLimiter: this.#limits.limiterFor(`${key} ${session.link}`),
        currentLink: async () => (await this.#visitor(context, space, key))?.link,
        ...(this.#options.fileLimit !== undefined && { fileLimit: this.#options.fileLimit }),
      }
      if (path === '/changes' && req.method === 'GET')
        return this.#changes(context, { caller, lease, key, lifetime: session.until - now }, log)
      const kept = this.#visitors.keptPages(space, visitor)
      const work = async () => {
        const hasFile = takesFile(path) && isMultipart(req.raw.headers)
        const form = await this.#access.readOwnForm(context, space, session, hasFile)
        if (path === '/sign-out' && req.method === 'POST') {
          const address = this.#signIn.signInAddress(key, '/')
          const answer = (about: Pick<SignedOut, 'owner' | 'isEnded'>) =>
            pages.signedOut({ ...about, base, signIn: address }, this.#access.root)
          return this.#visitors.signOut(context, space, session, answer, log)
        }
        if (path === GUEST_PATH && req.method === 'POST' && link.isGuest) {
          return this.#visitors.nameGuest(context, space, visitor, form)
        }
        const answer = await pages.handle({
          request: req.raw,
          url,
          path,
          base,
          root: this.#access.root,
          caller,
          isOperator: session.link === OPERATOR,
          formToken: formToken(space.info, session),
          isKept: kept !== undefined,
          owner: sessionOwner(space.info, session),
          form,
          now,
          log,
          markLongLived: () => requestContext.finish(),
          origin: this.#source.publicOrigin(req.url),
          agentLimits: lease.rateLimiter,
          isAllowed: this.#pages.isAllowed,
          backupsOf: this.#pages.backupsOf,
          changePassword: this.#signIn.passwordChange(context, lease, visitor),
          transfers: this.#transfers.of({
            request: req.raw,
            session,
            log,
            // Imports take their share of the limit of agents, as those over REST do.
            caller: { ...caller, rateLimiter: lease.rateLimiter },
            acquireLease: () => this.#options.spaces.acquire(key),
            readBytes: () => readBodyChunks(env.incoming),
            onFinish: (listener) => requestContext.onFinish(listener),
          }),
        })
        if (kept !== undefined) answer.headers.set('X-Page-Session', `${kept.name}; until=${kept.until}`)
        return answer
      }
      const seconds = this.#options.timeouts?.body ?? BODY_SECONDS
      return (await withBodyTimeout(env.incoming, seconds, work)) ?? this.#tooSlow()
    })
  }

  /** @throws always */
  async #tooSlow(): Promise<never> {
    throw await EarlyRefusal.of(bodyTooSlow())
  }

  /**
   * A refusal that was made before the request came here, as a page.
   *
   * @returns undefined for addresses of programs, and for programs
   */
  async refused(context: Context<Env>, refusal: Response): Promise<Response | undefined> {
    const { req } = context
    if (!PAGES.test(req.path) || !(req.header('accept') ?? '').includes('text/html')) return undefined
    const pages = await this.#pages.load()
    const work = async () => {
      throw await EarlyRefusal.of(refusal)
    }
    return pages.inLanguageOf(req.raw.headers, () => this.#withFaults(pages, context, work))
  }

  /** Counts the request, and shows errors as pages. */
  async #answer(
    context: Context<Env>,
    work: (pages: Pages, log: (line: string) => void) => Promise<Response>,
  ): Promise<Response> {
    const pages = await this.#pages.load()
    const counted = async () => {
      await this.#pages.addressLimiter.acquire(this.#source.clientAddress(context))
      return work(pages, context.get('requestContext').log)
    }
    return pages.inLanguageOf(context.req.raw.headers, () => this.#withFaults(pages, context, counted))
  }

  async #withFaults(pages: Pages, context: Context<Env>, work: () => Promise<Response>): Promise<Response> {
    try {
      return await work()
    } catch (error) {
      const page = await this.#faultPage(pages, context, error)
      // The rest of the body is not read.
      if (error instanceof EarlyRefusal) page.headers.set('Connection', 'close')
      return page
    }
  }

  async #faultPage(pages: Pages, context: Context<Env>, error: unknown): Promise<Response> {
    const { log } = context.get('requestContext')
    const { raw: request } = context.req
    const { root } = this.#access
    if (error instanceof PageAccessDenied) return pages.denied(error.why, root, error.options)
    if (error instanceof ScriptoriumError && error.code === 'RATE_LIMITED') {
      return pages.denied('too-many', root, {
        ...(error.retryAfter && { retryAfter: error.retryAfter }),
        ...(request.method === 'GET' && { again: addressIn(request, root) }),
      })
    }
    const key = context.req.param('key') ?? /^\/view\/([^/]+)/.exec(context.req.path)?.[1]
    return pages.failed(error, { request, root, base: key && this.#access.base(key), log })
  }

  /** The visitor, if the space has this key. */
  async #visitor(context: Context<Env>, space: OpenSpace, key: string): Promise<Visitor | undefined> {
    return spaceKey(space.info.id) === key ? this.#visitors.visitor(context, space) : undefined
  }

  /** Streams the feed of changes within the reach of the visitor. Each browser has one stream. */
  async #changes(
    context: Context<Env>,
    { caller, lease, key, lifetime }: Pick<FollowRequest, 'caller' | 'lease' | 'key' | 'lifetime'>,
    log: (line: string) => void,
  ): Promise<Response> {
    const { endpoints, spaces, metrics } = this.#options
    const { req } = context
    const tool = toolCatalogFor(endpoints, caller.link.kind).find('changes_list')
    if (tool === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There are no changes to follow here.')
    const requestContext = context.get('requestContext')
    const following = followContext(
      { spaces, metrics, streams: this.#streams, ending: this.#ending.signal },
      {
        ...{ caller, lease, key, lifetime, holder: `${key} ${caller.link.id ?? OPERATOR}` },
        onFinish: (listener) => requestContext.onFinish(listener),
        markLongLived: () => requestContext.finish(),
      },
    )
    const cursor = req.header('last-event-id') || req.query('cursor')
    const args = cursor === undefined ? {} : { cursor }
    return answerFollowed({ method: 'GET', accept: EVENT_STREAM, tool, args, idSpelling: 'short' }, following, {
      log,
      headersOf: () => ({ 'Cross-Origin-Resource-Policy': 'same-origin' }),
      json: (object, headers) => Response.json(object, { headers }),
    })
  }

  /** How many pages follow the changes. */
  get openStreams(): number {
    return this.#streams.count
  }

  /** Ends the streams. */
  endWaiting(): void {
    this.#ending.abort()
  }

  /** Forgets files that wait to be imported. */
  close(): Promise<void> {
    return this.#transfers.close()
  }

  /** Serves a file of the space within the reach of the link. */
  #file(
    { req, env }: Context<Env>,
    space: OpenSpace,
    find: Parameters<typeof createFileResponse>[1],
    log: (line: string) => void,
    mayShowPdf = false,
  ): Promise<Response> {
    const cutOff = (error: unknown, what: string) => {
      noteCutOff(error, what, log)
      env.outgoing.destroy()
    }
    return createFileResponse(req.raw, find, space, cutOff, mayShowPdf)
  }
}
