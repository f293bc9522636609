/**
 * What is done with messages of the protocol before anything else sees them, on every transport: requests are counted,
 * and what a session would keep of them is bounded.
 *
 * Every request counts for one of the limits, whatever its method, those that there are not too. Notifications and answers
 * do not, since nothing is done for them. What opens a connection and what asks whether it still stands counts, but is not
 * refused because others of the space have used up its limit: a host would give up a server that is well.
 */
import { type JSONRPCErrorResponse, type JSONRPCRequest, ProtocolError } from '@modelcontextprotocol/server'
import { CLIENT_INFO_LENGTH, REQUEST_ID_LENGTH, SUBSCRIPTIONS_PER_STREAM } from '../base/limits.ts'
import type { Caller } from '../call/run.ts'
import type { Resource } from '../endpoint.ts'
import { viewCapabilities } from './mcp-apps.ts'
import { INVALID_PARAMS, reachableUris, tooManySubscriptions, toProtocolError } from './mcp-resources.ts'

/** JSON-RPC's number for what is no request. */
const INVALID_REQUEST = -32600
/** Messages in one batch; of a larger one the protocol's own code does nothing. */
const MAX_BATCH = 100
const HANDSHAKE_METHODS = new Set(['initialize', 'server/discover', 'ping'])
/**
 * These count themselves, together with the blocks that they read or write; what must be in them, since the protocol's own
 * code refuses them without.
 */
const SELF_COUNTING: Record<string, (params: Record<string, unknown>) => boolean> = {
  'tools/call': ({ name, arguments: args }) => typeof name === 'string' && (args === undefined || isObject(args)),
  'resources/list': ({ cursor }) => cursor === undefined || typeof cursor === 'string',
  'resources/read': ({ uri }) => typeof uri === 'string',
}

export interface AcceptOptions {
  caller: Caller
  resources(): Promise<readonly Resource[]>
  log(line: string): void
}

/** What is to be handled in place of what came, or what is answered at once. */
export type AcceptResult = { accepted: unknown } | { refused: JSONRPCErrorResponse | JSONRPCErrorResponse[] }

/** @param input  a message, or several as a batch; anything else is left for others to refuse */
export async function acceptMessages(input: unknown, options: AcceptOptions): Promise<AcceptResult> {
  const isBatch = Array.isArray(input)
  const messages: unknown[] = isBatch ? input : [input]
  const requests = messages.filter(isRequest)
  try {
    if (messages.length > MAX_BATCH) {
      await countRequests(1, options.caller)
      return { accepted: input }
    }
    const counted = requests.filter((request) => !countsItself(request))
    const handshakes = counted.filter(({ method }) => HANDSHAKE_METHODS.has(method)).length
    await countRequests(counted.length - handshakes, options.caller)
    await countRequests(handshakes, options.caller, true)
    const sanitized: unknown[] = []
    for (const message of messages)
      sanitized.push(isRequest(message) ? await sanitizeRequest(message, options) : message)
    return { accepted: isBatch ? sanitized : sanitized[0] }
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
 * @param isExempt  when the limit of the space is reached; that of the address still applies
 * @throws RATE_LIMITED, and counts none of them then
 */
async function countRequests(
  requests: number,
  { acquireAddress, rateLimiter }: Caller,
  isExempt = false,
): Promise<void> {
  if (requests === 0) return
  const release = await acquireAddress?.(requests)
  try {
    await rateLimiter?.acquire({ requests, isExempt })
  } catch (error) {
    await release?.()
    throw error
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

/** A session keeps who its client is for as long as it lasts, and of what the client can do whether it shows views. */
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

/** A stream keeps what its client wants to hear of: no more than what is within reach. */
async function sanitizeListen(request: JSONRPCRequest, options: AcceptOptions): Promise<JSONRPCRequest> {
  const { caller, resources } = options
  const { notifications, _meta } = request.params ?? {}
  if (!isObject(notifications)) return request
  const { resourceSubscriptions: requested, ...filter } = notifications
  if (!Array.isArray(requested) || !requested.every((uri) => typeof uri === 'string')) return request
  if (requested.length > SUBSCRIPTIONS_PER_STREAM)
    throw new ProtocolError(INVALID_PARAMS, tooManySubscriptions(requested.length))
  const all = await resources()
  const reachable = await caller.space.read(caller.link, (view) => reachableUris(all, view, requested))
  const id = typeof request.id === 'string' ? copyString(request.id) : request.id
  const params = { notifications: { ...filter, resourceSubscriptions: reachable }, ...(_meta && { _meta }) }
  return { ...request, id, params }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRequest = (message: unknown): message is JSONRPCRequest =>
  isObject(message) && typeof message.method === 'string' && message.id !== undefined

function countsItself({ method, params = {} }: JSONRPCRequest): boolean {
  return isObject(params) && SELF_COUNTING[method]?.(params) === true
}

const isLongId = (id: unknown): boolean => typeof id === 'string' && id.length > REQUEST_ID_LENGTH

/** The same text in memory of its own: a part of a long text keeps all of it. */
const copyString = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
