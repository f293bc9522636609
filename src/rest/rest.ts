/** The REST interface: converts requests to calls of endpoints, and results to responses. */

import { HTTP_STATUS, invalid, ScriptoriumError } from '../base/errors.ts'
import { yieldToEventLoop } from '../base/scheduling.ts'
import { AuthChallenge } from '../call/auth-challenge.ts'
import type { Tool, ToolCatalog } from '../call/catalog/tool-catalog.ts'
import { toErrorBody } from '../call/error-body.ts'
import { rateLimitHeaders } from '../call/rate-limit-headers.ts'
import { type Remaining, remainingAfterFailure } from '../call/rate-limiter.ts'
import type { Endpoint, TextOutput } from '../endpoint.ts'
import { type IdSpelling, shortIds } from '../space/model/ids.ts'
import { createOpenApi } from './openapi.ts'
import { prefersMarkdown } from './rest-accept.ts'
import { type FileBody, openFileBody, readRequestFields } from './rest-body.ts'
import { answerFollowed, type FollowContext } from './rest-follow.ts'
import { extractIdSpelling, readQuery } from './rest-query.ts'
import {
  acceptsTextBody,
  allowedMethods,
  hasFormatChoice,
  MethodNotAllowed,
  matchRoute,
  type RouteMatch,
} from './rest-routes.ts'

/** The result of a call, and the remaining quota of the space. */
export type RestResult = ({ object: object } | { text: TextOutput }) & { note?: string; remaining?: Remaining }

/** The parts of a request that are not arguments. */
export interface RestRequest {
  idempotencyKey?: string
  /** True for a dry run: `Prefer: dry-run` (RFC 7240). */
  dryRun?: boolean
  /** The spelling of IDs in the response. */
  idSpelling: IdSpelling
  /** For endpoints with `rawBody`: the file, not yet read. */
  body?: FileBody
}

export interface RestContext {
  /** All endpoints, including those of other kinds of connections. */
  endpoints: readonly Endpoint[]
  /** The tools of this kind of connection. */
  catalog: ToolCatalog
  /** Runs the call. */
  call(tool: Tool, args: unknown, request: RestRequest): Promise<RestResult>
  /** Handles waiting calls and streams; without it, all calls are answered immediately. */
  follow?: FollowContext
  /** Reads the body directly, if possible. */
  readBytes?(): AsyncIterable<Uint8Array>
  /** Counts a request that does not become a call. @throws RATE_LIMITED */
  countRefused?(): Promise<Remaining | undefined>
  /** The program's version and the base URL, for `GET /openapi.json`. */
  version: string
  baseUrl(): string
  /** True if the changes of the connection wait for approval. */
  proposes?: boolean
  /** OpenAPI descriptions of further paths, which are not calls. */
  morePaths?: Readonly<Record<string, object>>
  /** Names of tools that the connection cannot use at the moment. They are not described. */
  unavailable?(): Promise<ReadonlySet<string>>
  log: (line: string) => void
}

/** Handles a request; never throws. @param path  the path after {base_url}, such as `/blocks/move` */
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
  // Serializing a long response takes a while, as does its COMMIT, so other calls run in between.
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

/** The status of a call that became a proposal. */
const ACCEPTED = 202

/** True if a `Prefer` header (RFC 7240) requests a dry run. Other preferences are ignored. */
const prefersDryRun = (prefer: string | null): boolean =>
  prefer?.split(',').some((one) => one.split(';')[0]?.trim().toLowerCase() === 'dry-run') ?? false

/** Rewords how to continue a response in terms of requests instead of tools. */
const asRequest = (sentence: string, { route }: Endpoint): string =>
  sentence.replace('repeat the call with', `send ${route} again with the same parameters and`)

/** For responses to a body that was not read: the server does not wait for the rest of it. */
export const CLOSE_CONNECTION = { Connection: 'close' }

const createResponse = (body: string | null, type: string, headers: Record<string, string>, status = 200) =>
  new Response(body, { status, headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers } })

interface ReadRequest extends RestRequest {
  tool: Tool
  args: Record<string, unknown>
}

/** A response that needs no call, without the headers of rate limits. */
interface PlainResponse {
  plain(headers: Record<string, string>): Response
}

/** The call of a request, or a response if no call is needed. */
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
    ...(context.proposes && { proposes: true }),
    ...(context.morePaths && { morePaths: context.morePaths }),
  }
  // Built after the request is counted, since it takes longer than most calls.
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
  const { search, idSpelling } = extractIdSpelling(new URL(request.url).search)
  const queryFields = readQuery(search, tool.schema, tool.endpoint.effect)
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
  // A stream that was cut off is opened again at the same address. Its last position takes precedence over the cursor
  // in the address.
  if (endpoint.follow !== undefined && lastEventId) args[endpoint.follow.cursorField] = lastEventId
  if (hasFormatChoice(tool) && args.format === undefined && prefersMarkdown(headers.get('accept'))) {
    args.format = 'markdown'
  }
  return { ...base, args }
}

/**
 * Merges the fields of all parts of a request. A field that occurs twice must have the same value.
 *
 * @throws VALIDATION_ERROR if it does not
 */
function mergeParameters(parts: Record<string, object>): Record<string, unknown> {
  // Without a prototype, so that keys of the caller have no special meaning.
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

/** Compares values; IDs may be spelled differently. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return one === other
  const [first, second] = shortIds([one, other])
  return first === second || one.toLowerCase() === other.toLowerCase()
}

/**
 * Converts an error to a response with its status, the common error body, and the required headers. Errors that are not
 * the caller's fault are logged.
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

/** Maximum length of a note in a header. Clients accept 16 KB of headers or less. */
const MAX_NOTE_LENGTH = 2_000

/**
 * Encodes a note for a header: ASCII, with JSON escapes for other characters. A long note is cut at its beginning,
 * since its end says how to continue.
 */
function encodeHeader(note: string): string {
  const text = note.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.length > MAX_NOTE_LENGTH ? `... ${text.slice(-MAX_NOTE_LENGTH)}` : text
}
