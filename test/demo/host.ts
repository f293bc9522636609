/** A host like a desktop program: it starts the server in `mcp.json` and calls its tools over stdio. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** The folder of the checkout. */
export const ROOT = join(import.meta.dirname, '../..')

export interface Host {
  /** The response of a tool as an object. @throws Error with the message of the tool */
  call<Answer>(tool: string, args: object): Promise<Answer>
  /** The text response of a tool, and the note after it. */
  read(tool: string, args: object): Promise<{ text: string; note: string | undefined }>
  /** Number of calls so far. */
  readonly calls: number
  close(): Promise<void>
}

interface Configuration {
  mcpServers: { scriptorium: { command: string; args: string[] } }
}

export const configuration = (): Configuration['mcpServers']['scriptorium'] =>
  (JSON.parse(readFileSync(join(ROOT, 'mcp.json'), 'utf8')) as Configuration).mcpServers.scriptorium

/**
 * Connects like today's hosts, with the 2025 protocol.
 *
 * @param space  path of the file of the space, which is created if it is missing
 */
export async function startHost(space: string): Promise<Host> {
  const { command, args } = configuration()
  // The demo runs for minutes at the pace of a program, not of an agent.
  const env = { ...getDefaultEnvironment(), SCRIPTORIUM_LIMIT_REQUESTS: '0', SCRIPTORIUM_LIMIT_BLOCKS: '0' }
  const transport = new StdioClientTransport({
    command,
    args: [...args, '--space', space, '--no-welcome'],
    cwd: ROOT,
    env,
  })
  const client = new Client({ name: 'demo', version: '1.0.0' })
  await client.connect(transport)
  let calls = 0

  const read: Host['read'] = async (tool, args) => {
    calls++
    const result = await client.callTool({ name: tool, arguments: { ...args } })
    const [text = '', note] = result.content.map((part) => (part.type === 'text' ? part.text : ''))
    if (result.isError) throw new Refused(text)
    return { text, note }
  }
  return {
    read,
    call: async (tool, args) => JSON.parse((await read(tool, args)).text),
    get calls() {
      return calls
    },
    close: () => client.close(),
  }
}

/** The error of a tool. */
export class Refused extends Error {}
