/** Sends calls, each given as the name of a tool and its arguments, over REST and over both versions of MCP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport as TransportOfSdk } from '@modelcontextprotocol/sdk/shared/transport.js'
import { toolCatalogFor } from '../../../src/call/catalog/tool-catalog.ts'
import type { AccessLink, ConnectionKind } from '../../../src/space/model/space.ts'
import { endpoints } from '../../../tools/index.ts'
import { askForAll } from '../../whole-answer.ts'
import { type Address, askOver } from '../test-client/over-http.ts'
import { endpointNamed, requestFor, type TestClient } from '../test-client/test-client.ts'
import { type Answer, type Thing, thingIn } from './answer.ts'
import type { Transport } from './rule.ts'

/** One connection to the space over one transport. */
export interface Connection {
  kind: ConnectionKind
  transport: Transport
  send(tool: string, args: object): Promise<Answer>
  /** The names of the tools that the connection lists; over REST, of the endpoints that it has. */
  tools(): Promise<readonly string[]>
  /** For whole requests, which no tool stands for. */
  http: TestClient
  close(): Promise<void>
}

/** @param address  of an access link, whose secret is sent in a header */
export async function connectOver(address: Address, link: AccessLink, transport: Transport): Promise<Connection> {
  const http = await askOver(address, link, transport === 'MCP 2025' ? '2025' : '2026')
  const about = { kind: link.kind, transport, http }
  if (transport === 'REST') {
    return { ...about, send: overRest(http), tools: async () => http.names, close: () => http.close() }
  }
  let listed: Promise<string[]> | undefined
  const client = transport === 'MCP 2025' ? await clientOf2025(address) : await clientOf2026(address)
  return {
    ...about,
    send: async (name, args) => overMcp(client, name, args),
    tools: () => (listed ??= client.listTools().then(({ tools }) => tools.map(({ name }) => name))),
    async close() {
      await client.close()
      await http.close()
    },
  }
}

interface McpClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>
  close(): Promise<void>
}

const CLIENT = { name: 'contract', version: '1.0.0' }

/** Version 1 of the official client, which opens a session. */
async function clientOf2025({ origin, path, headers }: Address): Promise<McpClient> {
  const client = new ClientOfV1(CLIENT)
  const transport = new TransportOfV1(new URL(`${origin}${path}/mcp`), { requestInit: { headers } })
  await client.connect(transport as TransportOfSdk)
  return client
}

/** Version 2 of the official client, which sends all state with each request. */
async function clientOf2026({ origin, path, headers }: Address): Promise<McpClient> {
  const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}${path}/mcp`), { requestInit: { headers } }))
  return client
}

const [FULL, DAILY] = [toolCatalogFor(endpoints, 'full'), toolCatalogFor(endpoints, 'daily')]

const overRest =
  (http: TestClient) =>
  async (name: string, args: object): Promise<Answer> => {
    // Also the tools of other kinds, since a connection must refuse them.
    const tool = FULL.find(name) ?? endpointNamed(DAILY, name)
    const request = requestFor(tool, args as Record<string, unknown>)
    if (request === undefined)
      throw new Error(`Expected arguments that a path can hold, found ${JSON.stringify(args)}.`)
    const { status, headers, text } = await http.rest(request)
    const body = thingIn(text)
    const { code, error } = body as { code?: string; error?: string }
    const isRefused = status >= 400
    return { isRefused, status, headers, text, body, error: error ?? '', ...(isRefused && { code: code ?? 'none' }) }
  }

async function overMcp(client: McpClient, name: string, args: object): Promise<Answer> {
  let result: Record<string, unknown>
  try {
    result = await client.callTool({ name, arguments: { ...askForAll(name), ...args } })
  } catch (error) {
    // A protocol error, as for a tool that the connection does not have.
    const { message, data } = error as Error & { data?: Record<string, Thing> }
    return { isRefused: true, code: codeIn(data), error: message, ...NOTHING, text: message }
  }
  const content = (result.content ?? []) as { type: string; text?: string }[]
  const text = content[0]?.text ?? ''
  const body = (result.structuredContent as Thing | undefined) ?? thingIn(text)
  if (result.isError !== true) return { isRefused: false, error: '', text, body, headers: {} }
  return { isRefused: true, code: codeIn(result._meta), error: text, text, body, headers: {} }
}

const NOTHING = { text: '', body: {} as Thing, headers: {} }

const codeIn = (meta: unknown): string => {
  const body = (meta as Record<string, { code?: string }> | undefined)?.['scriptorium/error']
  return body?.code ?? 'none'
}
