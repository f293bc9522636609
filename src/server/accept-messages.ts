/**
 * What is done with messages of the protocol before anything else sees them, on every transport: requests are counted,
 * and what a session would keep of them is bounded.
 *
 * Every request counts for one of the limits, whatever its method, those that there are not too. Notifications and answers
 * do not, since nothing is done for them. What opens a connection and what asks whether it still stands counts, but is not
 * refused because others of the space have used up its limit: a host would give up a server that is well.
 */
import { type JSONRPCErrorResponse, type JSONRPCRequest, ProtocolError } from '@modelcontextprotocol/server'
import type { Resource } from '../endpoint.ts'
import { CLIENT_INFO_LENGTH, REQUEST_ID_LENGTH, SUBSCRIPTIONS } from '../limits.ts'
import { addressesWithin, INVALID_PARAMS, protocolError, tooManySubscriptions } from './resources.ts'
import type { Caller } from './run.ts'

/** JSON-RPC's number for what is no request. */
const INVALID_REQUEST = -32600
/** Messages in one batch; of a larger one the protocol's own code does nothing. */
const BATCH = 100
const OPENING = new Set(['initialize', 'server/discover', 'ping'])
/**
 * These count themselves, together with the blocks that they read or write; what must be in them, since the protocol's own
 * code refuses them without.
 */
const COUNT_THEMSELVES: Record<string, (params: Record<string, unknown>) => boolean> = {
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
export type Accepted = { accepted: unknown } | { refused: JSONRPCErrorResponse | JSONRPCErrorResponse[] }

/** @param given  a message, or several as a batch; anything else is left for others to refuse */
export async function acceptMessages(given: unknown, options: AcceptOptions): Promise<Accepted> {
  const isBatch = Array.isArray(given)
  const messages: unknown[] = isBatch ? given : [given]
  const requests = messages.filter(isRequest)
  try {
    if (messages.length > BATCH) {
      await countRequests(1, options.caller)
      return { accepted: given }
    }
    const toCount = requests.filter((request) => !countsItself(request))
    const opening = toCount.filter(({ method }) => OPENING.has(method)).length
    await countRequests(toCount.length - opening, options.caller)
    await countRequests(opening, options.caller, true)
    const bounded: unknown[] = []
    for (const message of messages) bounded.push(isRequest(message) ? await boundRequest(message, options) : message)
    return { accepted: isBatch ? bounded : bounded[0] }
  } catch (error) {
    const { code, message, data } = protocolError(error, options.log)
    const refusals = requests.map(({ id }): JSONRPCErrorResponse => {
      return {
        jsonrpc: '2.0',
        id: isLong(id) ? undefined : id,
        error: { code, message, ...(data !== undefined && { data }) },
      }
    })
    const [first = { jsonrpc: '2.0', error: { code, message } }] = refusals
    return { refused: isBatch ? refusals : first }
  }
}

/**
 * @param passes  when the limit of the space is reached; that of the address holds all the same
 * @throws RATE_LIMITED, and counts none of them then
 */
async function countRequests(requests: number, { admitAddress, budget }: Caller, passes = false): Promise<void> {
  if (requests === 0) return
  const takeBack = admitAddress?.(requests)
  try {
    await budget?.admit({ requests, passes })
  } catch (error) {
    takeBack?.()
    throw error
  }
}

async function boundRequest(request: JSONRPCRequest, options: AcceptOptions): Promise<JSONRPCRequest> {
  if (isLong(request.id)) {
    const found = `Expected at most ${REQUEST_ID_LENGTH} characters as the ID of a request, found ${String(request.id).length}`
    throw new ProtocolError(INVALID_REQUEST, `${found}; number requests from 1.`)
  }
  if (request.method === 'initialize') return boundInitialize(request)
  if (request.method === 'subscriptions/listen') return boundListen(request, options)
  return request
}

/** A session keeps who its client is for as long as it lasts, and asks nothing of what the client can do. */
function boundInitialize(request: JSONRPCRequest): JSONRPCRequest {
  const { clientInfo, capabilities, ...params } = request.params ?? {}
  return {
    ...request,
    params: {
      ...params,
      ...(capabilities !== undefined && { capabilities: isObject(capabilities) ? {} : capabilities }),
      ...(clientInfo !== undefined && { clientInfo: isObject(clientInfo) ? boundClient(clientInfo) : clientInfo }),
    },
  }
}

function boundClient(client: Record<string, unknown>): Record<string, unknown> {
  const names = ['name', 'title', 'version'].filter((key) => client[key] !== undefined)
  return Object.fromEntries(
    names.map((key) => {
      const value = client[key]
      return [key, typeof value === 'string' ? copyOf(value.slice(0, CLIENT_INFO_LENGTH)) : value]
    }),
  )
}

/** A stream keeps what its client wants to hear of: no more than what is within reach. */
async function boundListen(request: JSONRPCRequest, options: AcceptOptions): Promise<JSONRPCRequest> {
  const { caller, resources } = options
  const { notifications, _meta } = request.params ?? {}
  if (!isObject(notifications)) return request
  const { resourceSubscriptions: asked, ...filter } = notifications
  if (!Array.isArray(asked) || !asked.every((uri) => typeof uri === 'string')) return request
  if (asked.length > SUBSCRIPTIONS) throw new ProtocolError(INVALID_PARAMS, tooManySubscriptions(asked.length))
  const all = await resources()
  const within = await caller.space.read(caller.link, (view) => addressesWithin(all, view, asked))
  const id = typeof request.id === 'string' ? copyOf(request.id) : request.id
  const params = { notifications: { ...filter, resourceSubscriptions: within }, ...(_meta && { _meta }) }
  return { ...request, id, params }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRequest = (message: unknown): message is JSONRPCRequest =>
  isObject(message) && typeof message.method === 'string' && message.id !== undefined

function countsItself({ method, params = {} }: JSONRPCRequest): boolean {
  return isObject(params) && COUNT_THEMSELVES[method]?.(params) === true
}

const isLong = (id: unknown): boolean => typeof id === 'string' && id.length > REQUEST_ID_LENGTH

/** The same text in memory of its own: a part of a long text keeps all of it. */
const copyOf = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
