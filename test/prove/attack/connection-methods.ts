/** The ways into a space: over stdio, and over HTTP by a link, a bearer link, or signing in. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { UNREAD } from '../../support/unread.ts'
import { askForAll } from '../../whole-answer.ts'
import type { AttackedServer, LinkOptions, MadeLink } from './server.ts'
import { signedIn } from './sign-in.ts'

export const CONNECTION_METHODS = ['stdio', 'link', 'bearer', 'sign-in'] as const
export type ConnectionMethod = (typeof CONNECTION_METHODS)[number]

export interface Called {
  isRefused: boolean
  /** The whole text of the response, including its structured content. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool answers
  object: any
}

/** An MCP client connected through one of the methods. */
export interface Connection {
  door: ConnectionMethod
  client: Client
  /** The access link, for connections over HTTP. */
  link?: MadeLink
  call(name: string, args?: object, idempotencyKey?: string): Promise<Called>
  close(): Promise<void>
}

export interface EnterOptions extends Omit<LinkOptions, 'isBearer'> {
  /** The protocol version of the client: 2025 has sessions, 2026 is stateless. 2025 when absent. */
  era?: '2025' | '2026'
  /** The client's name. */
  clientName?: string
  /** For stdio: the limit of requests per minute, if any. */
  requests?: number
  /** For stdio: the folders from which files may be imported. */
  files?: string
}

/** Connects a client. Signing in needs a server with `--oauth`. */
export async function enter(
  server: AttackedServer,
  door: ConnectionMethod,
  options: EnterOptions = {},
): Promise<Connection> {
  const { era = '2025', clientName = 'attacker', requests = 0, files, ...input } = options
  const mode = era === '2025' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: clientName, version: '1.0.0' }, { versionNegotiation: { mode } })
  const link = door === 'stdio' ? undefined : await linkOf(server, door, input)
  await client.connect(
    link === undefined
      ? stdioOf(server, input, [
          '--limit-requests',
          String(requests),
          ...(files === undefined ? [] : ['--files', files]),
        ])
      : new StreamableHTTPClientTransport(new URL(link.mcpUrl), { requestInit: { headers: link.headers } }),
  )
  return {
    door,
    client,
    ...(link && { link }),
    call: (name, args = {}, key) => callTool(client, name, args, key),
    close: () => client.close(),
  }
}

/** Connects through each method in turn. */
export async function connectByEachMethod(
  server: AttackedServer,
  options: EnterOptions,
  work: (connection: Connection) => Promise<readonly string[]>,
): Promise<string[]> {
  const faults: string[] = []
  for (const door of CONNECTION_METHODS) {
    const connection = await enter(server, door, options)
    try {
      for (const fault of await work(connection)) faults.push(`over ${door}, ${fault}`)
    } finally {
      await connection.close()
    }
  }
  return faults
}

function linkOf(
  server: AttackedServer,
  door: Exclude<ConnectionMethod, 'stdio'>,
  options: LinkOptions,
): Promise<MadeLink> {
  return door === 'sign-in' ? signedIn(server, options) : server.link({ ...options, isBearer: door === 'bearer' })
}

function stdioOf(
  { program, file }: AttackedServer,
  { kind = 'full', access = 'full', documents = [] }: LinkOptions,
  further: readonly string[],
): StdioClientTransport {
  const flags = ['--space', file, '--kind', kind, '--access', access, '--limit-blocks', '0', '--no-welcome', ...further]
  const exposed = documents.length > 0 ? ['--documents', documents.join(',')] : []
  const args = [program.script, 'stdio', ...flags, ...exposed]
  return new StdioClientTransport({ command: process.execPath, args, cwd: program.folder, stderr: UNREAD })
}

async function callTool(client: Client, name: string, args: object, key?: string): Promise<Called> {
  const meta = key === undefined ? {} : { _meta: { 'scriptorium/idempotencyKey': key } }
  try {
    const result = await client.callTool({ name, arguments: { ...askForAll(name), ...args }, ...meta })
    const texts = (result.content as { text?: string }[]).map(({ text }) => text ?? '')
    const structured = result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)]
    return {
      isRefused: result.isError === true,
      text: [...texts, ...structured].join('\n'),
      object: result.structuredContent,
    }
  } catch (error) {
    return { isRefused: true, text: (error as Error).message, object: undefined }
  }
}
