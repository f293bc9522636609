/** The interface as plain REST: a request becomes a call of the endpoint whose route it names, the answer a response. */
import { breathe } from '../breathe.ts'
import type { Endpoint, Rendered } from '../endpoint.ts'
import { invalid, ScriptoriumError, STATUS } from '../errors.ts'
import { type Left, leftAfter } from './budget.ts'
import { Challenge } from './oauth/challenge.ts'
import { openApi } from './openapi.ts'
import { prefersMarkdown } from './rest-accept.ts'
import { type FileBody, fileBody, readBody } from './rest-body.ts'
import { readQuery } from './rest-query.ts'
import { choosesFormat, type Found, findTool, methodsOf, takesText, WrongMethod } from './rest-routes.ts'
import { errorBody } from './run.ts'
import type { Tool, ToolTable } from './table.ts'

/** What a call answers, and what is left of the space's limits after it. */
export type RestAnswer = ({ object: object } | { text: Rendered }) & { left?: Left }

/** What of a request is no argument. */
export interface RestRequest {
  idempotencyKey?: string
  /** Of an endpoint with `rawBody`: the file, not yet read. */
  body?: FileBody
}

export interface RestContext {
  /** All endpoints, those of other kinds included. */
  endpoints: readonly Endpoint[]
  /** The tools of this connection's kind. */
  table: ToolTable
  /** Runs the call. */
  call(tool: Tool, args: unknown, request: RestRequest): Promise<RestAnswer>
  /** The body as it comes, where that is nearer at hand than the request's. */
  bytes?(): AsyncIterable<Uint8Array>
  /** Counts a request that becomes no call: refused before, or answered without one. @throws RATE_LIMITED */
  refused?(): Promise<Left | undefined>
  /** Of this program, and where the connection's paths begin: for `GET /openapi.json`. */
  version: string
  baseUrl(): string
  /** Names of tools that the connection may not use as things stand, which are not described. */
  unavailable?(): Promise<ReadonlySet<string>>
  log: (line: string) => void
}

/** Answers a request; never throws. @param path  what follows {base_url}, such as `/blocks/move` */
export async function answerRest(request: Request, path: string, context: RestContext): Promise<Response> {
  let response: Response
  try {
    response = await answer(request, path, context)
  } catch (error) {
    response = errorResponse(error, context.log)
  }
  return request.method === 'HEAD' ? new Response(null, response) : response
}

async function answer(request: Request, path: string, context: RestContext): Promise<Response> {
  const read = await readRequest(request, path, context).catch((error: unknown) => ({ error }))
  if ('error' in read || 'plain' in read) {
    const counted = limitHeaders(await context.refused?.())
    return 'error' in read ? errorResponse(read.error, context.log, counted) : read.plain(counted)
  }
  const { tool, args, ...rest } = read
  const called = await context.call(tool, args, rest).catch((error: unknown) => ({ error }))
  if ('error' in called) return errorResponse(called.error, context.log, tool.endpoint.rawBody ? CLOSING : {})
  const { left, ...answer } = called
  const headers = limitHeaders(left)
  // A long answer is written as JSON apart from its COMMIT: each takes a while.
  await breathe()
  if ('object' in answer) return respond(JSON.stringify(answer.object), 'application/json', headers)
  const { body, mediaType, note } = answer.text
  if (note !== undefined) headers['X-Scriptorium-Note'] = headerText(note)
  if (choosesFormat(tool)) headers.Vary = 'Accept'
  return respond(body, `${mediaType}; charset=utf-8`, headers)
}

/** Of a body that may not have been read: what still comes of it is waited for by nobody. */
export const CLOSING = { Connection: 'close' }

const respond = (body: string | null, type: string, headers: Record<string, string>, status = 200) =>
  new Response(body, { status, headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers } })

interface ReadRequest extends RestRequest {
  tool: Tool
  args: Record<string, unknown>
}

/** An answer that needs no call, but for the headers of limits. */
interface PlainAnswer {
  plain(headers: Record<string, string>): Response
}

/** The call that a request asks for, or the answer where that needs none. */
async function readRequest(request: Request, path: string, context: RestContext): Promise<ReadRequest | PlainAnswer> {
  const { method } = request
  const { endpoints, table } = context
  const isReference = path.replace(/\/$/, '') === REFERENCE_PATH
  if (method === 'OPTIONS') {
    const allow = isReference ? REFERENCE_METHODS : methodsOf(path, endpoints, table)
    return { plain: (headers) => new Response(null, { status: 204, headers: { Allow: allow, ...headers } }) }
  }
  if (!isReference) return readCall(request, findTool(method, path, endpoints, table), context)
  if (method !== 'GET' && method !== 'HEAD') {
    throw new WrongMethod(`Expected GET on ${REFERENCE_PATH}, found ${method}.`, REFERENCE_METHODS)
  }
  const { version } = context
  const unavailable = await context.unavailable?.()
  const reference = { title: 'Scriptorium', version, baseUrl: context.baseUrl(), ...(unavailable && { unavailable }) }
  // Made when the request is counted: it takes longer than most calls.
  return {
    plain: (headers) => respond(JSON.stringify(openApi(endpoints, table, reference)), 'application/json', headers),
  }
}

const REFERENCE_PATH = '/openapi.json'
const REFERENCE_METHODS = 'GET, HEAD, OPTIONS'

async function readCall(request: Request, { tool, inPath }: Found, { bytes }: RestContext): Promise<ReadRequest> {
  const { method, headers } = request
  const { endpoint } = tool
  const inQuery = readQuery(new URL(request.url).search, tool.schema)
  const key = headers.get('idempotency-key')
  const read = { tool, ...(key !== null && { idempotencyKey: key }) }
  if (endpoint.rawBody) {
    return { ...read, args: together({ path: inPath, query: inQuery }), body: fileBody(request, bytes) }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    const inBody = await readBody(request, endpoint, takesText(tool))
    return { ...read, args: together({ path: inPath, body: inBody, query: inQuery }) }
  }
  const args = together({ path: inPath, query: inQuery })
  if (choosesFormat(tool) && args.format === undefined && prefersMarkdown(headers.get('accept'))) {
    args.format = 'markdown'
  }
  return { ...read, args }
}

/**
 * The fields of all parts of a request in one object; what is said twice must be the same.
 *
 * @throws VALIDATION_ERROR when it is not
 */
function together(parts: Record<string, object>): Record<string, unknown> {
  // Without a prototype, so that no key of the caller's can mean anything but itself.
  const all: Record<string, unknown> = Object.create(null)
  const places: Record<string, string> = Object.create(null)
  for (const [place, fields] of Object.entries(parts)) {
    for (const [field, value] of Object.entries(fields)) {
      const before = places[field]
      if (before === undefined) {
        all[field] = value
        places[field] = place
      } else if (value !== null && !isSame(value, all[field])) {
        const shown = JSON.stringify(field)
        throw invalid(
          `Expected ${shown} once, found it in the ${before} and otherwise in the ${place}; leave it out of the ${place}.`,
        )
      }
    }
  }
  return all
}

/** IDs are found however their letters are spelled. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase())

/** `X-RateLimit-*` and `X-BlockBudget-*`: what is left of the space's limits; none of a limit that is not known. */
export function limitHeaders(left: Left | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [prefix, allowance] of [
    ['X-RateLimit', left?.requests],
    ['X-BlockBudget', left?.blocks],
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
  const body = errorBody(error, log)
  const left = typeof error === 'object' && error !== null ? leftAfter.get(error) : undefined
  const more: Record<string, string> = { ...limitHeaders(left), ...headers }
  const status = error instanceof ScriptoriumError ? error.status : STATUS[body.code]
  if (error instanceof WrongMethod) more.Allow = error.allow
  if (error instanceof ScriptoriumError && error.retryAfter !== undefined)
    more['Retry-After'] = String(error.retryAfter)
  if (status === 401) more['WWW-Authenticate'] = 'Bearer'
  if (error instanceof Challenge) more['WWW-Authenticate'] = error.authenticate
  return respond(JSON.stringify(body), 'application/json', more, status)
}

/** Characters of a note in a header: clients take 16 KB of headers and less. */
const NOTE_LENGTH = 2_000

/**
 * A note as a header can carry it: in ASCII, the rest as JSON escapes it. Of a long one its end, which says how the
 * answer goes on.
 */
function headerText(note: string): string {
  const text = note.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.length > NOTE_LENGTH ? `... ${text.slice(-NOTE_LENGTH)}` : text
}
