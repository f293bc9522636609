/** Starts a server on a free port, with links to a new space. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { type AccessLinkInfo, addAccessLink, type NewAccessLink } from '../../src/auth/access-links/access-links.ts'
import { PAGE_REQUESTS_PER_ADDRESS } from '../../src/base/limits.ts'
import { logFaultsTo } from '../../src/base/logger.ts'
import { AddressRateLimiter, RateLimiter, type RateLimits } from '../../src/call/rate-limiter.ts'
import { singleSpaceRegistry } from '../../src/call/space-registry.ts'
import { type HttpServer, serveHttp } from '../../src/http/app.ts'
import type { HttpOptions } from '../../src/http/http-options.ts'
import { createPages } from '../../src/page/pages.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { openUsage } from '../../storage/sqlite/usage.ts'
import { endpoints, noticeSources, prompts, resources, skills } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import type { Answer } from '../connect.ts'
import { askForAll } from '../whole-answer.ts'

export interface HttpResult {
  status: number
  headers: Headers
  text: string
  /** The text parsed as JSON, if it is JSON. */
  json: Answer
}

/** Sends a request, such as `ask('GET /blocks?id=…')`. A body that is not a string is sent as JSON. */
export type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<HttpResult>

export interface TestLink {
  info: AccessLinkInfo
  secret: string
  /** The base URL of REST, and the URL of MCP. */
  rest: string
  mcp: string
  headers: Record<string, string>
  ask: Ask
  /** Connects a client over this link. */
  client(era?: '2025' | '2026'): Promise<Client>
}

export interface Serving extends BuiltSpace {
  /** The rate limiter of the space. */
  budget: RateLimiter
  server: HttpServer
  port: number
  /** The lines of the log, and the logged requests. */
  noted: string[]
  requests: Parameters<HttpOptions['logger']['request']>[0][]
  link(options?: Partial<NewAccessLink>): Promise<TestLink>
  /** Sends a request to an address of this server. */
  ask: Ask
}

export interface ServingOptions extends Partial<HttpOptions> {
  /** Serves this space instead of a new one. */
  to?: BuiltSpace
  /** Nothing is limited when absent. */
  limits?: RateLimits & { address?: number }
}

export async function serveBuilt({ to, limits, ...other }: ServingOptions = {}): Promise<Serving> {
  const built = to ?? (await buildSpace())
  const { space, clock } = built
  const budget = new RateLimiter(openUsage(':memory:'), limits ?? { requests: 0, blocks: 0 }, () => clock.now)
  const noted: string[] = []
  const requests: Serving['requests'] = []
  const server = await serveHttp({
    endpoints,
    resources,
    prompts,
    skills,
    version: '0.0.0',
    instructions: instructionsFor,
    spaces: singleSpaceRegistry({ space, rateLimiter: budget, close: async () => {} }, noticeSources),
    addressLimiter: new AddressRateLimiter(limits?.address ?? 0, () => clock.now),
    host: '127.0.0.1',
    port: 0,
    trustsProxy: false,
    pages: {
      load: async () => createPages(endpoints),
      addressLimiter: new AddressRateLimiter(PAGE_REQUESTS_PER_ADDRESS),
    },
    logger: { ...logFaultsTo((line) => void noted.push(line)), request: (entry) => void requests.push(entry) },
    ...other,
  })
  onTestFinished(() => server.close())
  return {
    ...built,
    budget,
    server,
    port: Number(new URL(server.origin).port),
    noted,
    requests,
    ask: askAt(server.origin),
    link: (input) => makeLink(built, server.origin, input),
  }
}

/** Creates an access link to a space, for the server that serves it. */
export async function makeLink(
  { space }: Pick<BuiltSpace, 'space'> & Partial<BuiltSpace>,
  origin: string,
  options: Partial<NewAccessLink> = {},
): Promise<TestLink> {
  const standard: NewAccessLink = { kind: 'full', access: 'full', documents: [], isBearer: false }
  const { info, secret } = await space.write(OPERATOR_LINK, (view) => addAccessLink(view, { ...standard, ...options }))
  const base = `${origin}/links/${info.isBearer ? info.id : secret}`
  const headers: Record<string, string> = info.isBearer ? { authorization: `Bearer ${secret}` } : {}
  const rest = `${base}/api/v1`
  const mcp = `${base}/mcp`
  return {
    info,
    secret,
    rest,
    mcp,
    headers,
    ask: (line, body, more) => askAt(rest)(line, body, { ...headers, ...more }),
    client: (era) => clientAt(mcp, era, headers),
  }
}

export const askAt =
  (base: string): Ask =>
  async (line, body, headers = {}) => {
    const [method = '', target = ''] = line.split(/ (.*)/s)
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${base}${target}`, {
      method,
      headers: { ...type, ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

export async function clientAt(
  address: string,
  era: '2025' | '2026' = '2026',
  headers: Record<string, string> = {},
): Promise<Client> {
  const mode = era === '2025' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'tester', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

/** Calls a tool over MCP. Returns whether it refused, its first text, and its `_meta`. */
export async function callTool(client: Client, name: string, args: object = {}, meta?: object) {
  const result = await client.callTool({
    name,
    arguments: { ...askForAll(name), ...args },
    ...(meta && { _meta: { ...meta } }),
  })
  const [first] = result.content as { text: string }[]
  return {
    isRefused: result.isError === true,
    text: first?.text ?? '',
    object: result.structuredContent as Answer,
    meta: (result._meta ?? {}) as Answer,
  }
}

/** Raw bytes over a socket, which no well-behaved client would send. */
export interface Wire {
  socket: Socket
  /** Everything that the server sent, once it has closed the connection. */
  closed: Promise<string>
  /** Resolves with the data so far as soon as it matches. */
  until(pattern: RegExp): Promise<string>
}

export function openWire(port: number, bytes = ''): Wire {
  const socket = connectSocket(port, '127.0.0.1')
  let output = ''
  const waiting: (() => void)[] = []
  socket.setEncoding('utf8').on('data', (text) => {
    output += text
    for (const check of waiting) check()
  })
  // Some of these tests are about servers that close connections immediately.
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  if (bytes !== '') socket.write(bytes)
  return {
    socket,
    closed: new Promise((resolve) => socket.once('close', () => resolve(output))),
    until: (pattern) =>
      new Promise((resolve) => {
        const check = () => pattern.test(output) && resolve(output)
        waiting.push(check)
        check()
      }),
  }
}

/** Sends a request with headers that `fetch` would not send. */
export function rawRequest(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.once('error', reject).end(body)
  })
}

/** Creates a document with this content and returns its ID. */
export async function documentBy({ ask }: { ask: Ask }, markdown = '', title = 'Document'): Promise<string> {
  const { json } = await ask('POST /documents', { documents: [{ title, markdown }] })
  return json.items[0].id
}
