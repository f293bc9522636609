/**
 * The first step for messages on every transport: counts requests, and limits the data that a session would keep of
 * them.
 *
 * Every request counts toward the limits, whatever its method, even unknown ones. Notifications and responses do not,
 * since they cause no work. Requests that open a connection or check that it is alive count, but are not refused when
 * the limit of the space is used up: a host would otherwise give up on a healthy server.
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  isJSONRPCNotification,
  isJSONRPCResponse,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  ProtocolError,
} from '@modelcontextprotocol/server'
import { isObject } from '../base/is-object.ts'
import { CLIENT_INFO_LENGTH, REQUEST_ID_LENGTH, SUBSCRIPTIONS_PER_STREAM } from '../base/limits.ts'
import { type AddressRelease, type Remaining, remainingAfterFailure } from '../call/rate-limiter.ts'
import type { Caller } from '../call/run.ts'
import type { Resource } from '../server-catalog.ts'
import { viewCapabilities } from './mcp-apps.ts'
import { INVALID_PARAMS, reachableUris, tooManySubscriptions, toProtocolError } from './mcp-resources.ts'
import { declaresTasks, tasksNotDeclared } from './mcp-tasks.ts'
import { countsItself } from './self-counting.ts'

/** JSON-RPC error code for an invalid request. */
const INVALID_REQUEST = -32600
/** Maximum number of messages in a batch. The SDK refuses larger ones. */
const MAX_BATCH = 100
const HANDSHAKE_METHODS = new Set(['initialize', 'server/discover', 'ping'])
export interface AcceptOptions {
  caller: Caller
  resources(): Promise<readonly Resource[]>
  /** Its error is the answer to the requests of the message. */
  beforeMessage?(): Promise<void>
  log(line: string): void
}

/**
 * The message to handle, or an immediate response. `selfCounting`: how many requests of it count themselves when they
 * are handled; absent if none does.
 */
export type AcceptResult =
  | { accepted: unknown; selfCounting?: number }
  | { refused: JSONRPCErrorResponse | JSONRPCErrorResponse[] }

/** @param input  a message or a batch; anything else is left for others to refuse */
export async function acceptMessages(input: unknown, options: AcceptOptions): Promise<AcceptResult> {
  const isBatch = Array.isArray(input)
  const messages: unknown[] = isBatch ? input : [input]
  const requests = messages.filter(isRequest)
  try {
    await options.beforeMessage?.()
    if (messages.length > MAX_BATCH) {
      await countRequests(1, options.caller)
      return { accepted: input }
    }
    const counted = requests.filter((request) => !countsItself(request))
    const handshakes = counted.filter(({ method }) => HANDSHAKE_METHODS.has(method)).length
    const malformed = messages.length === 0 ? 1 : messages.filter((message) => !isMessage(message)).length
    await countRequests(malformed + counted.length - handshakes, options.caller)
    await countRequests(handshakes, options.caller, true)
    const sanitized: unknown[] = []
    for (const message of messages) {
      const cleaned = withoutNulls(message)
      sanitized.push(isRequest(cleaned) ? await sanitizeRequest(cleaned, options) : cleaned)
    }
    const selfCounting = requests.length - counted.length
    return { accepted: isBatch ? sanitized : sanitized[0], ...(selfCounting > 0 && { selfCounting }) }
  } catch (error) {
    const { code, message, data } = toProtocolError(error, options.log)
    const refusals = requests.map(({ id }): JSONRPCErrorResponse => {
      return {
        jsonrpc: '2.0',
        id: isLongId(id) ? undefined : id,
        error: { code, message, ...(data !== undefined && { data }) },
      }
    })
    const [first = { jsonrpc: '2.0', error: { code, message } }] = refusals
    return { refused: isBatch ? refusals : first }
  }
}

/**
 * @param isExempt  passes although the limit of the space is reached; the limit of the address still applies
 * @throws RATE_LIMITED, in which case none of them is counted
 */
export async function countRequests(
  requests: number,
  { acquireAddress, rateLimiter, onCounted }: Caller,
  isExempt = false,
): Promise<void> {
  if (requests === 0) return
  let release: AddressRelease | undefined
  try {
    release = await acquireAddress?.(requests)
    const remaining = await rateLimiter?.acquire({ requests, isExempt })
    if (remaining !== undefined) onCounted?.(remaining)
  } catch (error) {
    onCounted?.(remainingAfterFailure.get(error as object) ?? {}, error)
    await release?.()
    throw error
  }
}

/**
 * A copy of a caller, how many requests were counted through it, and what remains of the rate limits since then. Streams
 * keep the copy, so it keeps nothing else.
 */
export function countAcquired(caller: Caller) {
  let requests = 0
  let remaining: Remaining | undefined
  const acquireAddress = async (count = 1) => {
    requests += count
    return (await caller.acquireAddress?.(count)) ?? (() => {})
  }
  let refusal: unknown
  const waiting = Promise.withResolvers<void>()
  let isAccepted = false
  const onCounted = (found: Remaining, refused?: unknown) => {
    if (found.requests !== undefined) remaining = found
    refusal ??= refused
    if (isAccepted) waiting.resolve()
  }
  return {
    countingCaller: { ...caller, acquireAddress, onCounted } as Caller,
    counted: () => requests,
    remaining: () => remaining,
    refusal: () => refusal,
    /** What is counted from here on is counted by the handler of a request. */
    accept() {
      isAccepted = true
    },
    /** Resolves once a handler has counted its request. */
    countedByHandler: waiting.promise,
  }
}

async function sanitizeRequest(request: JSONRPCRequest, options: AcceptOptions): Promise<JSONRPCRequest> {
  if (isLongId(request.id)) {
    const found = `Expected at most ${REQUEST_ID_LENGTH} characters as the ID of a request, found ${String(request.id).length}`
    throw new ProtocolError(INVALID_REQUEST, `${found}; number requests from 1.`)
  }
  if (request.method === 'initialize') return sanitizeInitialize(request)
  if (request.method === 'subscriptions/listen') return sanitizeListen(request, options)
  return request
}

/** A session stores the client's name and whether it shows views, so both are cleaned. */
function sanitizeInitialize(request: JSONRPCRequest): JSONRPCRequest {
  const { clientInfo, capabilities, ...params } = request.params ?? {}
  return {
    ...request,
    params: {
      ...params,
      ...(capabilities !== undefined && {
        capabilities: isObject(capabilities) ? viewCapabilities(capabilities) : capabilities,
      }),
      ...(clientInfo !== undefined && {
        clientInfo: isObject(clientInfo) ? sanitizeClientInfo(clientInfo) : clientInfo,
      }),
    },
  }
}

function sanitizeClientInfo(client: Record<string, unknown>): Record<string, unknown> {
  const names = ['name', 'title', 'version'].filter((key) => client[key] !== undefined)
  return Object.fromEntries(
    names.map((key) => {
      const value = client[key]
      return [key, typeof value === 'string' ? copyString(value.slice(0, CLIENT_INFO_LENGTH)) : value]
    }),
  )
}

/** A stream stores its subscriptions, so they are limited to resources within reach. */
async function sanitizeListen(request: JSONRPCRequest, options: AcceptOptions): Promise<JSONRPCRequest> {
  const { caller, resources } = options
  const { notifications, _meta } = request.params ?? {}
  if (!isObject(notifications)) return request
  const { resourceSubscriptions: requested, taskIds, ...filter } = notifications
  // Nothing is pushed about tasks, which the answer says by naming none of them.
  if (taskIds !== undefined && !declaresTasks(_meta?.[CLIENT_CAPABILITIES_META_KEY])) throw tasksNotDeclared()
  if (!Array.isArray(requested) || !requested.every((uri) => typeof uri === 'string')) return request
  if (requested.length > SUBSCRIPTIONS_PER_STREAM)
    throw new ProtocolError(INVALID_PARAMS, tooManySubscriptions(requested.length))
  const all = await resources()
  const reachable = await caller.space.read(caller.link, (view) => reachableUris(all, view, requested))
  const id = typeof request.id === 'string' ? copyString(request.id) : request.id
  const params = { notifications: { ...filter, resourceSubscriptions: reachable }, ...(_meta && { _meta }) }
  return { ...request, id, params }
}

/** Some clients send null for parameters and arguments that they leave out. The protocol knows no such value. */
function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || typeof message.method !== 'string') return message
  const { params, ...others } = message
  if (params === null) return others
  if (!isObject(params) || params.arguments !== null) return message
  const { arguments: _, ...otherParams } = params
  return { ...others, params: otherParams }
}

const isRequest = (message: unknown): message is JSONRPCRequest =>
  isObject(message) && typeof message.method === 'string' && message.id !== undefined

/** True for requests, notifications and responses, if it is clear which of them they are. */
const isMessage = (message: unknown): boolean =>
  isRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)

const isLongId = (id: unknown): boolean => typeof id === 'string' && id.length > REQUEST_ID_LENGTH

/** Copies a text: a substring would keep the whole original text in memory. */
const copyString = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
