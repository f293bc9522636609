/** The interface as plain REST: a request becomes a call of the endpoint whose route it names, the answer a response. */

import { HTTP_STATUS, invalid, ScriptoriumError } from '../base/errors.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import { AuthChallenge } from '../call/auth-challenge.ts'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import { toErrorBody } from '../call/error-body.ts'
import { type Remaining, remainingAfterFailure } from '../call/rate-limiter.ts'
import type { Endpoint, TextOutput } from '../endpoint.ts'
import { type IdSpelling, shortIds } from '../space/model/ids.ts'
import { createOpenApi } from './openapi.ts'
import { prefersMarkdown } from './rest-accept.ts'
import { type FileBody, openFileBody, readRequestFields } from './rest-body.ts'
import { answerFollowed, type FollowContext } from './rest-follow.ts'
import { readQuery, takeIdSpelling } from './rest-query.ts'
import {
  acceptsTextBody,
  allowedMethods,
  hasFormatChoice,
  MethodNotAllowed,
  matchRoute,
  type RouteMatch,
} from './rest-routes.ts'

/** What a call answers, and what is left of the space's limits after it. */
export type RestResult = ({ object: object } | { text: TextOutput }) & { note?: string; remaining?: Remaining }

/** What of a request is no argument. */
export interface RestRequest {
  idempotencyKey?: string
  /** Whether the call is only to say what it would change: `Prefer: dry-run` (RFC 7240). */
  dryRun?: boolean
  /** How IDs are written in the answer. */
  idSpelling: IdSpelling
  /** Of an endpoint with `rawBody`: the file, not yet read. */
  body?: FileBody
}

export interface RestContext {
  /** All endpoints, those of other kinds included. */
  endpoints: readonly Endpoint[]
  /** The tools of this connection's kind. */
  catalog: ToolCatalog
  /** Runs the call. */
  call(tool: Tool, args: unknown, request: RestRequest): Promise<RestResult>
  /** For calls that wait and for streams; without it, all are answered at once. */
  follow?: FollowContext
  /** The body as it comes, where that is nearer at hand than the request's. */
  readBytes?(): AsyncIterable<Uint8Array>
  /** Counts a request that becomes no call: refused before, or answered without one. @throws RATE_LIMITED */
  countRefused?(): Promise<Remaining | undefined>
  /** Of this program, and where the connection's paths begin: for `GET /openapi.json`. */
  version: string
  baseUrl(): string
  /** Paths that become no calls, as OpenAPI describes them. */
  morePaths?: Readonly<Record<string, object>>
  /** Names of tools that the connection may not use as things stand, which are not described. */
  unavailable?(): Promise<ReadonlySet<string>>
  log: (line: string) => void
}

/** Answers a request; never throws. @param path  what follows {base_url}, such as `/blocks/move` */
export async function handleRest(request: Request, path: string, context: RestContext): Promise<Response> {
  let response: Response
  try {
    response = await respondTo(request, path, context)
  } catch (error) {
    response = errorResponse(error, context.log)
  }
  return request.method === 'HEAD' ? new Response(null, response) : response
}

async function respondTo(request: Request, path: string, context: RestContext): Promise<Response> {
  const readResult = await readRequest(request, path, context).catch((error: unknown) => ({ error }))
  if ('error' in readResult || 'plain' in readResult) {
    const quotaHeaders = rateLimitHeaders(await context.countRefused?.())
    return 'error' in readResult
      ? errorResponse(readResult.error, context.log, quotaHeaders)
      : readResult.plain(quotaHeaders)
  }
  const { tool, args, ...rest } = readResult
  if (tool.endpoint.follow !== undefined && context.follow !== undefined) {
    const accept = request.headers.get('accept')
    const { idSpelling } = rest
    return answerFollowed({ method: request.method, accept, tool, args, idSpelling }, context.follow, {
      log: context.log,
      headersOf: rateLimitHeaders,
      json: (object, headers) => createResponse(JSON.stringify(object), 'application/json', headers),
    })
  }
  const callResult = await context.call(tool, args, rest).catch((error: unknown) => ({ error }))
  if ('error' in callResult)
    return errorResponse(callResult.error, context.log, tool.endpoint.rawBody ? CLOSE_CONNECTION : {})
  const { remaining, ...result } = callResult
  const headers = rateLimitHeaders(remaining)
  // A long answer is written as JSON apart from its COMMIT: each takes a while.
  await yieldToEventLoop()
  if (result.note !== undefined) headers['X-Scriptorium-Note'] = encodeHeader(result.note)
  if (rest.dryRun) headers['Preference-Applied'] = 'dry-run'
  if ('object' in result) {
    const status = 'proposal' in result.object ? ACCEPTED : 200
    return createResponse(JSON.stringify(result.object), 'application/json', headers, status)
  }
  const { body, mediaType, note, rest: cut } = result.text
  if (note !== undefined) headers['X-Scriptorium-Note'] = encodeHeader(note)
  if (hasFormatChoice(tool)) headers.Vary = 'Accept'
  return createResponse(
    cut === undefined ? body : `${body}\n\n${asRequest(cut, tool.endpoint)}\n`,
    `${mediaType}; charset=utf-8`,
    headers,
  )
}

/** The status of a call that was proposed and not yet carried out. */
const ACCEPTED = 202

/** Whether a `Prefer` header (RFC 7240) asks for a dry run. Other preferences mean nothing here. */
const prefersDryRun = (prefer: string | null): boolean =>
  prefer?.split(',').some((one) => one.split(';')[0]?.trim().toLowerCase() === 'dry-run') ?? false

/** How an answer goes on, for those who make requests and know no tools. */
const asRequest = (sentence: string, { name, route }: Endpoint): string =>
  sentence.replace(`call ${name} again with the same arguments and`, `send ${route} again with the same parameters and`)

/** For a body that may not have been read: the server does not wait for the rest of it. */
export const CLOSE_CONNECTION = { Connection: 'close' }

const createResponse = (body: string | null, type: string, headers: Record<string, string>, status = 200) =>
  new Response(body, { status, headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers } })

interface ReadRequest extends RestRequest {
  tool: Tool
  args: Record<string, unknown>
}

/** An answer that needs no call, but for the headers of limits. */
interface PlainResponse {
  plain(headers: Record<string, string>): Response
}

/** The call that a request asks for, or the answer where that needs none. */
async function readRequest(request: Request, path: string, context: RestContext): Promise<ReadRequest | PlainResponse> {
  const { method } = request
  const { endpoints, catalog } = context
  const isOpenApi = path.replace(/\/$/, '') === OPENAPI_PATH
  if (method === 'OPTIONS') {
    const allow = isOpenApi ? OPENAPI_METHODS : allowedMethods(path, endpoints, catalog)
    return { plain: (headers) => new Response(null, { status: 204, headers: { Allow: allow, ...headers } }) }
  }
  if (!isOpenApi) return readEndpointCall(request, matchRoute(method, path, endpoints, catalog), context)
  if (method !== 'GET' && method !== 'HEAD') {
    throw new MethodNotAllowed(`Expected GET on ${OPENAPI_PATH}, found ${method}.`, OPENAPI_METHODS)
  }
  const { version } = context
  const unavailable = await context.unavailable?.()
  const openApiOptions = {
    title: 'Scriptorium',
    version,
    baseUrl: context.baseUrl(),
    ...(unavailable && { unavailable }),
    ...(context.morePaths && { morePaths: context.morePaths }),
  }
  // Made when the request is counted: it takes longer than most calls.
  return {
    plain: (headers) =>
      createResponse(JSON.stringify(createOpenApi(endpoints, catalog, openApiOptions)), 'application/json', headers),
  }
}

const OPENAPI_PATH = '/openapi.json'
const OPENAPI_METHODS = 'GET, HEAD, OPTIONS'

async function readEndpointCall(
  request: Request,
  { tool, pathParameters }: RouteMatch,
  { readBytes }: RestContext,
): Promise<ReadRequest> {
  const { method, headers } = request
  const { endpoint } = tool
  const { search, idSpelling } = takeIdSpelling(new URL(request.url).search)
  const queryFields = readQuery(search, tool.schema)
  const idempotencyKey = headers.get('idempotency-key')
  const dryRun = endpoint.effect !== 'read' && prefersDryRun(headers.get('prefer'))
  const base = { tool, idSpelling, ...(idempotencyKey !== null && { idempotencyKey }), ...(dryRun && { dryRun }) }
  if (endpoint.rawBody) {
    return {
      ...base,
      args: mergeParameters({ path: pathParameters, query: queryFields }),
      body: openFileBody(request, readBytes),
    }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const bodyFields = await readRequestFields(request, endpoint, acceptsTextBody(tool))
    return { ...base, args: mergeParameters({ path: pathParameters, body: bodyFields, query: queryFields }) }
  }
  const args = mergeParameters({ path: pathParameters, query: queryFields })
  const lastEventId = headers.get('last-event-id')
  // A stream that was cut off is opened at the same address: where it was counts more than where it began.
  if (endpoint.follow !== undefined && lastEventId) args[endpoint.follow.cursorField] = lastEventId
  if (hasFormatChoice(tool) && args.format === undefined && prefersMarkdown(headers.get('accept'))) {
    args.format = 'markdown'
  }
  return { ...base, args }
}

/**
 * The fields of all parts of a request in one object; a field that is given twice must have the same value.
 *
 * @throws VALIDATION_ERROR when it is not
 */
function mergeParameters(parts: Record<string, object>): Record<string, unknown> {
  // Without a prototype, so that no key of the caller's can mean anything but itself.
  const all: Record<string, unknown> = Object.create(null)
  const places: Record<string, string> = Object.create(null)
  for (const [place, fields] of Object.entries(parts)) {
    for (const [field, value] of Object.entries(fields)) {
      const firstPlace = places[field]
      if (firstPlace === undefined) {
        all[field] = value
        places[field] = place
      } else if (value !== null && !isSameValue(value, all[field])) {
        const shown = JSON.stringify(field)
        throw invalid(
          `Expected ${shown} once, found it in the ${firstPlace} and otherwise in the ${place}; leave it out of the ${place}.`,
        )
      }
    }
  }
  return all
}

/** IDs may be spelled differently. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return one === other
  const [first, second] = shortIds([one, other])
  return first === second || one.toLowerCase() === other.toLowerCase()
}

/** `X-RateLimit-*` and `X-BlockBudget-*`: what is left of the space's limits; none of a limit that is not known. */
export function rateLimitHeaders(remaining: Remaining | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [prefix, allowance] of [
    ['X-RateLimit', remaining?.requests],
    ['X-BlockBudget', remaining?.blocks],
  ] as const) {
    if (allowance === undefined) continue
    headers[`${prefix}-Limit`] = String(allowance.limit)
    headers[`${prefix}-Remaining`] = String(allowance.remaining)
    headers[`${prefix}-Reset`] = String(allowance.reset)
  }
  return headers
}

/**
 * An error as a response: its status, the one body of errors, and the headers that HTTP wants with it. What is no error
 * of the caller's goes to the log.
 */
export function errorResponse(
  error: unknown,
  log: (line: string) => void,
  headers: Record<string, string> = {},
): Response {
  const body = toErrorBody(error, log)
  const remaining = typeof error === 'object' && error !== null ? remainingAfterFailure.get(error) : undefined
  const more: Record<string, string> = { ...rateLimitHeaders(remaining), ...headers }
  const status = error instanceof ScriptoriumError ? error.status : HTTP_STATUS[body.code]
  if (error instanceof MethodNotAllowed) more.Allow = error.allow
  if (error instanceof ScriptoriumError && error.retryAfter !== undefined)
    more['Retry-After'] = String(error.retryAfter)
  if (status === 401) more['WWW-Authenticate'] = 'Bearer'
  if (error instanceof AuthChallenge) more['WWW-Authenticate'] = error.wwwAuthenticate
  return createResponse(JSON.stringify(body), 'application/json', more, status)
}

/** Characters of a note in a header: clients take 16 KB of headers and less. */
const MAX_NOTE_LENGTH = 2_000

/**
 * A note as a header can carry it: in ASCII, the rest as JSON escapes it. Of a long one its end, which says how the
 * answer goes on.
 */
function encodeHeader(note: string): string {
  const text = note.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.length > MAX_NOTE_LENGTH ? `... ${text.slice(-MAX_NOTE_LENGTH)}` : text
}
