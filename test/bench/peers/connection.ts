/** A server in a process of its own, and the official client, which is the same for every server. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { UNREAD } from '../../support/unread.ts'
import type { Answer, CallTool, Notes, Peer } from './peer.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Some servers send everything in one message: 5,000 notes, twice. */
const MESSAGE_BYTES = 2 ** 28

/** The place where a peer stores its notes. */
export interface Store {
  peer: Peer
  folder: string
  ids: Map<string, string>
  /** The folder in which the packages are installed. */
  packages: string
}

export interface Connection {
  client: Client
  notes: Notes
  close(): Promise<void>
}

export async function connectTo(store: Store, flags: readonly string[] = []): Promise<Connection> {
  const { peer, folder, ids, packages } = store
  const { args, env = {} } = peer.start(folder)
  const script = join(peer.from === undefined ? ROOT : join(packages, 'node_modules', peer.from.package), peer.script)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, ...args, ...flags],
    cwd: ROOT,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: UNREAD,
    maxBufferSize: MESSAGE_BYTES,
  })
  // The protocol version that all of them support.
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(transport)
  return { client, notes: peer.open(caller(client), ids), close: () => client.close() }
}

const caller =
  (client: Client): CallTool =>
  async (name, args) => {
    const result = await client.callTool({ name, arguments: args })
    const text = (result.content as { text?: string }[]).map((part) => part.text ?? '').join('\n')
    if (result.isError) throw new Error(`${name}: ${text}`)
    return { text, object: (result.structuredContent ?? objectIn(text)) as Answer['object'] }
  }

function objectIn(text: string): object {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
