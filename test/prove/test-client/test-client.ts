/**
 * A connection to a space in this process that a proof calls with raw MCP messages and whole REST requests. No client
 * library is in between, since it would correct or refuse much of what a proof wants to send.
 */
import { InMemoryTransport } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Tool, ToolCatalog } from '../../../src/call/catalog/tool-catalog.ts'
import { toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import { PendingNotices } from '../../../src/call/pending-notices.ts'
import type { RateLimiter } from '../../../src/call/rate-limiter.ts'
import { type Caller, countRequest, runCall } from '../../../src/call/run.ts'
import type { Endpoint } from '../../../src/endpoint.ts'
import { createMcpServerFactory } from '../../../src/mcp/mcp-server.ts'
import { handleRest } from '../../../src/rest/rest.ts'
import type { AccessLink, ConnectionKind } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { endpoints as allEndpoints, noticeSources, prompts, resources, skills } from '../../../tools/index.ts'
import { instructionsFor } from '../../../tools/instructions.ts'
import { withShortIds } from '../../build.ts'
import { askForAll } from '../../whole-answer.ts'

/** A JSON-RPC message from the server, unchanged. */
export interface Message {
  /** For notifications. */
  method?: string
  params?: { uri?: string }
  /** Status and headers of the HTTP response, if the message came over HTTP. */
  http?: Omit<Response, 'text'>
  result?: Record<string, unknown> & {
    content?: { type: string; text?: string }[]
    structuredContent?: Record<string, unknown>
    _meta?: Record<string, unknown>
    isError?: boolean
  }
  error?: { code: number; message: string; data?: unknown }
}

export interface Response {
  status: number
  headers: Record<string, string>
  text: string
}

export interface RestInput {
  method: string
  /** The path after {base_url}, with its query. */
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

export interface TestClient {
  link: AccessLink
  table: ToolCatalog
  /** The names of the tools that this connection has. */
  names: readonly string[]
  mcp(method: string, params: object): Promise<Message>
  rest(request: RestInput): Promise<Response>
  /** Sends a request to the root of the server, for example for the address of a file. Absent if there is no server. */
  at?(request: RestInput): Promise<Response>
  /** Subscribes to changes of the resource list and to updates of the resources with these URIs. */
  listen(uris: readonly string[]): Promise<void>
  /** Opens a stream of events, whose messages are among those received. */
  openEvents(params: object): Promise<void>
  /** The notifications received so far. */
  received: Message[]
  close(): Promise<void>
}

export interface TestClientOptions {
  endpoints?: readonly Endpoint[]
  budget?: RateLimiter
  /** Receives the cause of each internal error. */
  log?: (line: string) => void
}

export async function ask(space: OpenSpace, link: AccessLink, options: TestClientOptions = {}): Promise<TestClient> {
  const { endpoints = allEndpoints, budget, log = () => {} } = options
  const table = toolCatalogFor(endpoints, link.kind)
  const caller: Caller = {
    space,
    link,
    notices: new PendingNotices(async () => noticeSources),
    ...(budget && { rateLimiter: budget }),
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const load = async () => ({ endpoints, resources, prompts, skills })
  const factory = createMcpServerFactory({
    load,
    version: '0.0.0',
    instructions: instructionsFor,
    caller,
    log,
    notifiesChanges: true,
    openStream: async () => ({ signal: new AbortController().signal, release() {} }),
  })
  const host = serveStdio(factory, { transport: theirs })
  const waiting = new Map<number, (message: Message) => void>()
  const received: Message[] = []
  let count = 0
  ours.onmessage = (message) => {
    const { id } = message as { id?: number }
    if (id === undefined) {
      received.push(message as Message)
      return
    }
    waiting.get(id)?.(message as Message)
    waiting.delete(id)
  }
  const mcp = (method: string, params: object) =>
    new Promise<Message>((resolve, reject) => {
      const id = ++count
      waiting.set(id, resolve)
      ours.send({ jsonrpc: '2.0', id, method, params: params as Record<string, unknown> }).catch(reject)
    })
  await ours.start()
  const clientInfo = { name: 'tester', version: '1.0.0' }
  await mcp('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  await ours.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return {
    link,
    table,
    names: namesOf(endpoints, link.kind),
    mcp,
    received,
    async listen(uris) {
      for (const uri of uris) await mcp('resources/subscribe', { uri })
    },
    // It is answered when the stream ends.
    openEvents: async (params) => void mcp('events/stream', params),
    async rest({ method, target, headers = {}, body }) {
      const request = new Request(`${BASE}${target}`, { method, headers, ...(body !== undefined && { body }) })
      const answered = await handleRest(request, new URL(request.url).pathname, {
        endpoints,
        catalog: table,
        log,
        version: '0.0.0',
        baseUrl: () => BASE,
        call: (tool, args, { idempotencyKey: key, ...other }) =>
          runCall(tool, args, caller, { ...(key !== undefined && { idempotencyKey: key }), ...other }),
        countRefused: () => countRequest(caller),
      })
      return {
        status: answered.status,
        headers: Object.fromEntries(answered.headers),
        text: withShortIds(await answered.text()),
      }
    },
    async close() {
      await ours.close()
      await host.close()
    },
  }
}

const BASE = 'http://127.0.0.1'

export const namesOf = (endpoints: readonly Endpoint[], kind: ConnectionKind): string[] =>
  endpoints.filter(({ input }) => input[kind] !== undefined).map(({ name }) => name)

/** Returns the endpoint of this name, be it a tool or available over REST only. */
export function endpointNamed(table: ToolCatalog, name: string): Tool {
  const found = table.find(name)
  if (found === undefined) throw new Error(`Expected an endpoint of this kind of connection, found ${name}.`)
  return found
}

/** Calls a tool. Asks for the whole response unless the arguments say otherwise, and returns it or the error text. */
export async function call(client: Pick<TestClient, 'mcp'>, name: string, args: object): Promise<Called> {
  const { result, error } = await client.mcp('tools/call', { name, arguments: { ...askForAll(name), ...args } })
  if (result === undefined) return { isRefused: true, text: error?.message ?? '', object: {} }
  const texts = (result.content ?? []).map(({ text }) => text ?? '')
  return { isRefused: result.isError === true, text: texts.join('\n'), object: result.structuredContent ?? {} }
}

export interface Called {
  isRefused: boolean
  text: string
  object: Record<string, unknown>
}

/** Converts the arguments of a tool to the equivalent REST request. Returns undefined if a path cannot express them. */
export function requestFor({ endpoint }: Tool, args: Record<string, unknown>): RestInput | undefined {
  const [method = '', route = ''] = endpoint.route.split(' ')
  const rest = { ...args }
  let isExpressible = true
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' || value === '' || !value.isWellFormed()) isExpressible = false
    return isExpressible ? encodeURIComponent(String(value)) : ''
  })
  if (!isExpressible) return undefined
  if (endpoint.rawBody) {
    // The body is the text of the file, and the fields of the position are flat query parameters.
    const { text = 'x', position, ...others } = rest
    const flat = typeof position === 'object' ? { ...others, ...position } : { ...others, position }
    return { method, target: `${path}${queryOf(flat)}`, headers: { 'content-type': 'text/plain' }, body: textOf(text) }
  }
  if (method === 'GET') return { method, target: `${path}${queryOf(rest)}` }
  return { method, target: path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) }
}

function queryOf(fields: Record<string, unknown>): string {
  const written = Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined) return []
    const texts = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [textOf(value)]
    return texts.map((text) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`)
  })
  return written.length > 0 ? `?${written.join('&')}` : ''
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
