/** The official SDK's clients: version 1, and version 2 with the handshake of 2025 and with the protocol of 2026. */

import { UNREAD } from '../../support/unread.ts'
import { askForAll } from '../../whole-answer.ts'
import { type HostClient, outcomeOf, type Session, type Target } from './client.ts'

interface Sdk {
  Client: new (
    info: { name: string; version: string },
    options?: object,
  ) => {
    connect(transport: unknown): Promise<void>
    listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>
    callTool(call: { name: string; arguments: object }): Promise<{ content?: unknown; isError?: unknown }>
    close(): Promise<void>
  }
}
interface Stdio {
  StdioClientTransport: new (server: { command: string; args: string[]; stderr: number }) => unknown
}
interface Http {
  StreamableHTTPClientTransport: new (url: URL) => unknown
}

async function session({ Client }: Sdk, stdio: Stdio, http: Http, target: Target, options?: object): Promise<Session> {
  const client = new Client({ name: 'host', version: '1.0.0' }, options)
  const transport =
    'url' in target
      ? new http.StreamableHTTPClientTransport(new URL(target.url))
      : new stdio.StdioClientTransport({ ...target, stderr: UNREAD })
  await client.connect(transport)
  return {
    async tools() {
      const { tools } = await client.listTools()
      return tools.map(({ name, inputSchema }) => ({ name, parameters: inputSchema }))
    },
    call: async (name, args) => outcomeOf(await client.callTool({ name, arguments: { ...askForAll(name), ...args } })),
    close: () => client.close(),
  }
}

export const sdk1: HostClient = {
  name: 'SDK 1',
  packages: { '@modelcontextprotocol/sdk': '1.32.2' },
  holdsAnswers: true,
  async connect(target, { load }) {
    const [client, stdio, http] = await Promise.all([
      load<Sdk>('@modelcontextprotocol/sdk/client/index.js'),
      load<Stdio>('@modelcontextprotocol/sdk/client/stdio.js'),
      load<Http>('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ])
    return session(client, stdio, http, target)
  },
}

const sdk2 = (name: string, mode: unknown): HostClient => ({
  name,
  packages: { '@modelcontextprotocol/client': '2.4.0' },
  holdsAnswers: true,
  async connect(target, { load }) {
    const client = await load<Sdk & Http>('@modelcontextprotocol/client')
    const stdio = await load<Stdio>('@modelcontextprotocol/client/stdio')
    return session(client, stdio, client, target, { versionNegotiation: { mode } })
  },
})

export const sdk2Of2025 = sdk2('SDK 2, protocol of 2025', 'legacy')
export const sdk2Of2026 = sdk2('SDK 2, protocol of 2026', { pin: '2026-07-28' })
