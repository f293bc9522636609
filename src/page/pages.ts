/** Handles requests for the pages of a space. */

import { groupEndpoints } from '../auth/access-links/group-endpoints.ts'
import { linkEndpoints } from '../auth/access-links/link-endpoints.ts'
import { managementOf } from '../auth/access-links/link-managers.ts'
import { lockEndpoints } from '../auth/access-links/lock-endpoints.ts'
import { memberEndpoints } from '../auth/access-links/member-endpoints.ts'
import { participantEndpoints } from '../auth/access-links/participant-endpoints.ts'
import { settingsEndpoints } from '../auth/access-links/settings-endpoints.ts'
import { HTTP_STATUS, ScriptoriumError } from '../base/errors.ts'
import { forOwner } from '../base/fair-queue.ts'
import { workOwner } from '../call/caller.ts'
import type { AppViews } from '../call/catalog/app-views.ts'
import { toErrorBody } from '../call/error-body.ts'
import type { Endpoint } from '../endpoint.ts'
import { memberPictures } from '../space/members/members.ts'
import { isFullLink } from '../space/model/access.ts'
import { PAGE_CLIENT } from '../space/model/space.ts'
import { systemDocumentIds } from '../space/model/system-documents.ts'
import { webhookEndpoints } from '../webhooks/webhook-endpoints.ts'
import {
  type DenialOptions,
  type DenialReason,
  denialPage,
  type SessionChoice,
  type SignedOut,
  type SignInForm,
  sessionChoicePage,
  signedOutPage,
  signInPage,
} from './access-pages.ts'
import { type AssetEncoding, assetResponse, workerResponse } from './assets.ts'
import { backOf } from './form-page.ts'
import { frameOf, plainPage } from './frame/layout.ts'
import { type Html, html, NOTHING } from './html.ts'
import { storeNotes } from './kept-notes.ts'
import { manifestResponse } from './manifest.ts'
import { isForLater, PageCall, type PageRequest } from './page-call.ts'
import { type PageAnswer, routePages, type ShownPage } from './page-declaration.ts'
import { PageRefusal } from './page-refusal.ts'
import { DATA_IMAGES, framedFiles, htmlResponse, PAGE_HEADERS, refusalHeaders, retryHeader } from './page-response.ts'
import { pages } from './page-table.ts'
import { refusalText } from './refusal-text.ts'
import { createAppViews } from './render-views.ts'
import { inLocale, localeOf, pageLocale } from './texts/language.ts'
import { type TextKey, text, textKey } from './texts/text.ts'
import { addressIn, waysOn } from './ways-on.ts'

export interface Pages {
  /** Views of tool responses within conversations. */
  views: AppViews
  handle(request: PageRequest): Promise<Response>
  /** Makes a response in the language of a request. */
  inLanguageOf(headers: Headers, work: () => Promise<Response>): Promise<Response>
  /** What installs the pages of a space as an app. @param name  of the space, where everybody may know it */
  manifest(base: string, root: string, name?: string): Response
  /** The service worker of a space's pages. */
  worker(): Response
  /** A stylesheet or script by file name; undefined if there is none. */
  asset(file: string, encoding: AssetEncoding | undefined): Promise<Response | undefined>
  /** The page for people without access. */
  denied(why: DenialReason, root: string, options?: DenialOptions): Promise<Response>
  signIn(form: SignInForm, root: string): Response
  signedOut(about: SignedOut, root: string): Promise<Response>
  chooseSession(choice: SessionChoice, root: string): Response
  /** The page for errors that occur before a page is started. */
  failed(error: unknown, request: FailedRequest): Response
}

const match = routePages(pages)

/** @param endpoints  the tools that pages call */
export function createPages(endpoints: readonly Endpoint[]): Pages {
  const pageEndpoints = [...endpoints, ...memberEndpoints, ...lockEndpoints]
  const peopleEndpoints = [...pageEndpoints, ...linkEndpoints, ...participantEndpoints, ...settingsEndpoints]
  const operatorEndpoints = [...peopleEndpoints, ...groupEndpoints, ...webhookEndpoints]
  const endpointsFor = ({ isOperator, caller: { link } }: PageRequest) =>
    isOperator ? operatorEndpoints : managementOf(link) === undefined ? pageEndpoints : peopleEndpoints
  return {
    views: createAppViews(endpoints),
    handle: (request) => handlePage(request, endpointsFor(request)),
    inLanguageOf: (headers, work) => inLocale(localeOf(headers), work),
    manifest: manifestResponse,
    worker: workerResponse,
    asset: assetResponse,
    denied: denialPage,
    signIn: signInPage,
    signedOut: signedOutPage,
    chooseSession: sessionChoicePage,
    failed: errorPage,
  }
}

const handlePage = (asked: PageRequest, endpoints: readonly Endpoint[]): Promise<Response> =>
  forOwner(workOwner(asked.caller), () => answerPage(asked, endpoints))

async function answerPage(asked: PageRequest, endpoints: readonly Endpoint[]): Promise<Response> {
  const { caller } = asked
  // Before a form is carried out, it is compared with what is there now. Its person has seen what the form showed.
  const isUnseen = asked.request.method === 'POST' || isForLater(asked.request)
  const link = { ...caller.link, client: PAGE_CLIENT, ...(isUnseen && { isUnseen: true as const }) }
  const request = { ...asked, caller: { ...caller, link } }
  const call = new PageCall(request, endpoints)
  try {
    const answer = await answerOf(call)
    return await respond(call, answer)
  } catch (error) {
    return errorPage(error, request, call)
  }
}

async function answerOf(call: PageCall): Promise<PageAnswer> {
  const { request } = call
  const found = match(request.request.method, request.path)
  const isThere =
    found !== undefined &&
    (found.page.needs ?? []).every((tool) => call.has(tool)) &&
    (found.page.effect === undefined || call.may(found.page.effect)) &&
    (!found.page.isOperatorOnly || request.isOperator) &&
    (found.page.isFor === undefined || found.page.isFor.some((one) => one === call.management)) &&
    (!found.page.isFullOnly || isFullLink(request.caller.link))
  if (!isThere) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such page here.')
  call.params = found.params
  // A script sends a form again if it got no answer.
  if (await call.wasCarriedOut()) return { redirect: backOf(call, '/') }
  if (request.request.method === 'GET' && !isPartOfPage(call)) {
    call.feedCursor = (await call.find('changes_list', { limit: 1 }))?.cursor
  }
  const { space, link } = request.caller
  if (request.request.method === 'GET') {
    await space.read(link, async (view) => {
      call.pictures = await memberPictures(view)
      call.links.taskLists = await systemDocumentIds(view)
    })
  }
  return found.page.handle(call)
}

/** True if a script requests a part of the current page. */
const isPartOfPage = (call: PageCall): boolean => call.request.request.headers.has('hx-request')

async function respond(call: PageCall, answer: PageAnswer): Promise<Response> {
  if (answer instanceof Response) return answer
  if ('redirect' in answer) {
    if (call.notes.length > 0) storeNotes(call.session, call.notes)
    const to = `${call.request.base}${answer.redirect}`
    // A script that submitted a form usually stays on its page, so rendering the target would be wasted.
    const isFromScript = isPartOfPage(call) && call.request.request.method === 'POST'
    return new Response(null, {
      status: isFromScript ? 204 : 303,
      headers: { [isFromScript ? 'X-Leads-To' : 'Location']: to, ...PAGE_HEADERS, ...cookieHeader(answer) },
    })
  }
  if ('fragment' in answer) return htmlResponse(await withFormulas(call, answer.fragment))
  return shownResponse(call, answer)
}

const cookieHeader = ({ setCookie }: { setCookie?: string }): Record<string, string> =>
  setCookie === undefined ? {} : { 'Set-Cookie': setCookie }

/** The first part is rendered before the response begins, so that its errors get their own page. */
async function shownResponse(call: PageCall, page: ShownPage): Promise<Response> {
  const { main, status = 200, fault } = page
  const { before, after } = isPartOfPage(call)
    ? { before: NOTHING, after: page.side?.content ?? NOTHING }
    : await frameOf(call, page)
  const { origin, base, request } = call.request
  const hosts = [new URL(origin).host, request.headers.get('host') ?? '']
  const more = {
    ...framedFiles(hosts, base, { ...(page.showsDataImages && DATA_IMAGES) }),
    ...cookieHeader(page),
    ...(status >= 400 && refusalHeaders(fault ?? page.title, 'VALIDATION_ERROR')),
  }
  if (!(Symbol.asyncIterator in main)) {
    return htmlResponse(await withFormulas(call, html`${before}${main}${after}`), status, more)
  }
  const parts = filledParts(call, main)
  const first = await parts.next()
  if (first.done === true) return htmlResponse(html`${before}${after}`, status, more)
  return htmlResponse(streamOf(call, html`${before}${first.value}`, parts, after), status, more)
}

async function withFormulas(call: PageCall, part: Html): Promise<Html> {
  const [filled = part] = await call.formulas.fill([part])
  return filled
}

async function* filledParts(call: PageCall, parts: AsyncIterable<Html>): AsyncGenerator<Html> {
  for await (const part of parts) yield await withFormulas(call, part)
}

/**
 * Streams parts as they are rendered. An error is shown at the end, since the page has begun already. The parts are
 * rendered when the browser takes them, which is no longer a part of handling the request.
 */
function streamOf(call: PageCall, first: Html, parts: AsyncIterator<Html>, after: Html): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const locale = pageLocale()
  let [begun, isLeft] = [false, false]
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (!begun) {
          begun = true
          controller.enqueue(encoder.encode(String(first)))
          return
        }
        const { done, value } = await inLocale(locale, () =>
          forOwner(workOwner(call.request.caller), () => parts.next()),
        )
        // The browser may have disconnected in the meantime.
        if (isLeft) return
        if (done === true) {
          controller.enqueue(encoder.encode(String(after)))
          controller.close()
        } else controller.enqueue(encoder.encode(String(value)))
      } catch (error) {
        const sentence = refusalText(error instanceof PageRefusal ? error : toErrorBody(error, call.request.log))
        if (isLeft) return
        controller.enqueue(encoder.encode(String(html`<p class="notice" role="alert">${sentence}</p>${after}`)))
        controller.close()
      }
    },
    async cancel() {
      isLeft = true
      await parts.return?.()
    },
  })
}

const TITLES: Readonly<Record<number, TextKey>> = {
  403: textKey('Not allowed'),
  404: textKey('Nothing here'),
  408: textKey('Too slow'),
  409: textKey('Changed meanwhile'),
  413: textKey('Too large'),
  429: textKey('Too many requests'),
  503: textKey('Not available now'),
  507: textKey('No room left'),
}
const NOT_FOUND = textKey(
  'There is no such page, or this link does not reach it. What was deleted is in the trash or in the history.',
)

/** A request that failed, and whose page says how to go on. */
export interface FailedRequest {
  request: Request
  root: string
  /** The base address of the space's pages; undefined for addresses outside of a space. */
  base?: string | undefined
  log(line: string): void
}

function errorPage(error: unknown, { request, root, base, log }: FailedRequest, call?: PageCall): Response {
  const body = toErrorBody(error, log)
  const status = error instanceof ScriptoriumError ? error.status : HTTP_STATUS[body.code]
  const title = TITLES[status] ?? (status >= 500 ? text('Something went wrong') : text('That did not work'))
  const reason = refusalText(error instanceof PageRefusal ? error : body)
  const sentence = status === 404 ? NOT_FOUND : reason
  // Over another page, which is still there behind it, or in place of one.
  const isOver = call !== undefined && isPartOfPage(call) && call.request.request.method === 'GET'
  const retryAfter = error instanceof ScriptoriumError ? error.retryAfter : undefined
  const isPassing = status === 429 || status >= 500
  const content = html`<p role="alert">${sentence}</p>
${request.method === 'POST' && !isOver && html`<p>What you typed is still there if you go back in the browser.</p>`}${waysOn(
  {
    again: isPassing && request.method === 'GET' && !isOver ? addressIn(request, root) : undefined,
    home: base === undefined ? undefined : `${base}/`,
    isOver,
  },
)}`
  // Without a call, the request was not let in, and a script sends it again later.
  const headers = call === undefined ? {} : refusalHeaders(reason, body.code)
  return htmlResponse(plainPage(title, content, root), status, { ...headers, ...retryHeader(retryAfter) })
}
