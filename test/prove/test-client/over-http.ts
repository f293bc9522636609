/** A connection over HTTP that proofs call with raw messages of MCP's Streamable HTTP and with whole REST requests. */
import { toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import type { AccessLink } from '../../../src/space/model/space.ts'
import { endpoints } from '../../../tools/index.ts'
import { withShortIds } from '../../build.ts'
import { dataOf, newAgent, type OpenStream, openStream, overSocket } from './over-socket.ts'
import { type Message, namesOf, type Response, type RestInput, type TestClient } from './test-client.ts'

/** Versions of the protocol: clients of 2025 open a session, while those of 2026 send all state with every request. */
export type ProtocolVersion = '2025' | '2026'

/** The address and the credential of a connection. */
export interface Address {
  origin: string
  /** The prefix of the paths of MCP and REST. */
  path: string
  /** The headers with the credential. */
  headers: Record<string, string>
}

const VERSIONS: Record<ProtocolVersion, string> = { '2025': '2025-11-25', '2026': '2026-07-28' }
const CLIENT = { name: 'tester', version: '1.0.0' }
const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export async function askOver(
  { origin, path, headers }: Address,
  link: AccessLink,
  era: ProtocolVersion,
): Promise<TestClient> {
  const agent = newAgent()
  const streams: OpenStream[] = []
  const received: Message[] = []
  const version = { 'mcp-protocol-version': VERSIONS[era] }
  let session: Record<string, string> = {}
  // All request IDs have the same number of digits, since lengths of responses are compared.
  let count = 100_000
  const plain = plainly(origin)
  const onMessage = (data: string) => void received.push(JSON.parse(plain(data)))

  const messageOf = (method: string, params: object, id?: number): RestInput => {
    const about = method === 'initialize' ? {} : era === '2025' ? { ...version, ...session } : inRequest(method, params)
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', method, ...(id !== undefined && { id }) },
      params: era === '2025' ? params : withEnvelope(params),
    })
    return { method: 'POST', target: `${path}/mcp`, headers: { ...headers, ...JSON_RPC, ...about }, body }
  }
  const inRequest = (method: string, params: object) => {
    const { name, uri } = params as { name?: string; uri?: string }
    const named = name ?? uri
    return { ...version, 'mcp-method': method, ...(named !== undefined && { 'mcp-name': named }) }
  }
  const mcp = async (method: string, params: object): Promise<Message> => {
    const { status, headers: response, text } = await overSocket(agent, origin, messageOf(method, params, ++count))
    if (response['mcp-session-id'] !== undefined) session = { 'mcp-session-id': response['mcp-session-id'] }
    return { ...messageIn(plain(text)), http: { status, headers: plainHeaders(response, plain) } }
  }
  if (era === '2025') {
    await mcp('initialize', { protocolVersion: VERSIONS[era], capabilities: {}, clientInfo: CLIENT })
    await overSocket(agent, origin, messageOf('notifications/initialized', {}))
  }
  return {
    link,
    table: toolCatalogFor(endpoints, link.kind),
    names: namesOf(endpoints, link.kind),
    mcp,
    received,
    async rest({ target, headers: more, ...request }) {
      const given = { ...headers, ...more }
      const response = await overSocket(agent, `${origin}${path}/api/v1`, { ...request, target, headers: given })
      return plainResponse(response, plain)
    },
    async at(request) {
      return plainResponse(await overSocket(agent, origin, request), plain)
    },
    async listen(uris) {
      if (era === '2026') {
        const notifications = { resourcesListChanged: true, resourceSubscriptions: uris }
        const request = messageOf('subscriptions/listen', { notifications }, ++count)
        streams.push(await openStream(origin, request, onMessage))
        return
      }
      const accept = { accept: 'text/event-stream' }
      const streamRequest = {
        method: 'GET',
        target: `${path}/mcp`,
        headers: { ...headers, ...accept, ...version, ...session },
      }
      streams.push(await openStream(origin, streamRequest, onMessage))
      for (const uri of uris) await mcp('resources/subscribe', { uri })
    },
    async openEvents(params) {
      streams.push(await openStream(origin, messageOf('events/stream', params, ++count), onMessage))
    },
    async close() {
      for (const stream of streams) stream.close()
      agent.destroy()
    },
  }
}

const withEnvelope = (params: object): object => {
  const { _meta } = params as { _meta?: object }
  const about = {
    'io.modelcontextprotocol/protocolVersion': VERSIONS['2026'],
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { ...params, _meta: { ..._meta, ...about } }
}

/**
 * Parses a response that is an event or JSON. Requests refused before they are parsed get an error body like REST's.
 */
function messageIn(text: string): Message {
  const [data = text] = dataOf(text)
  const message = JSON.parse(data) as Message & { code?: string }
  return typeof message.error === 'string'
    ? { error: { code: 0, message: `${message.code} ${message.error}` } }
    : message
}

/** Replaces the host and its port, which differ between servers, by a placeholder of the same length. */
function plainly(origin: string): (text: string) => string {
  const { host } = new URL(origin)
  return (text) => text.replaceAll(host, 'server'.padEnd(host.length, '-'))
}

/** Headers that differ in every response. */
const PASSING = new Set(['date', 'x-request-id', 'mcp-session-id'])

const plainHeaders = (headers: Record<string, string>, plain: (text: string) => string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (PASSING.has(name) ? [] : [[name, plain(value)]])),
  )

const plainResponse = ({ status, headers, text }: Response, plain: (text: string) => string): Response => ({
  status,
  headers: plainHeaders(headers, plain),
  text: withShortIds(plain(text)),
})
