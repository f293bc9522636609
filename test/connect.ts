/** A real MCP client, connected in memory to a server on a fresh space. */

import { Client, type ClientOptions, InMemoryTransport, ProtocolError } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { ErrorBody } from '../src/base/errors.ts'
import { PendingNotices } from '../src/call/pending-notices.ts'
import type { Caller } from '../src/call/run.ts'
import type { Endpoint } from '../src/endpoint.ts'
import type { McpOptions } from '../src/mcp/mcp-server.ts'
import { type StdioOptions, serveTransport } from '../src/mcp/stdio.ts'
import type { AccessLink, ConnectionKind } from '../src/space/model/space.ts'
import { endpoints, noticeSources, prompts, resources, skills } from '../tools/index.ts'
import { instructionsFor } from '../tools/instructions.ts'
import { type BuiltSpace, buildSpace } from './build.ts'
import { outputValidator } from './support/output-validator.ts'
import { askForAll } from './whole-answer.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is looked at by the test that called it
export type Answer = any

export interface Connected extends BuiltSpace {
  client: Client
  /**
   * Calls a tool. Returns the response as an object, or as text if it is not JSON. It is the full response, as over
   * REST, unless the call requests another.
   *
   * @throws the error of the tool
   */
  call(name: string, args?: object): Promise<Answer>
  /** Calls a tool that must fail. Returns its error. */
  refused(name: string, args?: object): Promise<string>
  /** Calls a tool that the connection does not have. Returns the message of the protocol error. */
  unknownTool(name: string, args?: object): Promise<string>
  /** The same with every error, each with its path. */
  faults(name: string, args?: object): Promise<ErrorBody>
}

export interface ConnectOptions {
  /** Connects to this space instead of a fresh one. */
  to?: BuiltSpace
  /** IDs that a selected connection exposes. */
  documents?: readonly string[]
  access?: AccessLink['access']
  /** Additional fields of the caller, such as a budget. */
  caller?: Partial<Caller>
  /** The endpoints to serve; all by default. */
  serving?: readonly Endpoint[]
  /** The protocol generation of the client. */
  era?: '2025' | '2026'
  /** Views for people; none by default. */
  views?: McpOptions['views']
  /** Runs before each call. */
  beforeCall?: McpOptions['beforeCall']
  /** The capabilities of the client. */
  capabilities?: ClientOptions['capabilities']
}

export async function connect(kind: ConnectionKind = 'full', options: ConnectOptions = {}): Promise<Connected> {
  const built = options.to ?? (await buildSpace())
  const link = await built.space.createAccessLink(kind, options.documents ?? [], 'tester', options.access)
  const logged: string[] = []
  const log = (line: string) => void logged.push(line)
  const serving: StdioOptions = {
    load: async () => ({ endpoints: options.serving ?? endpoints, resources, prompts, skills }),
    version: '0.0.0',
    instructions: instructionsFor,
    caller: { space: built.space, link, notices: new PendingNotices(async () => noticeSources), ...options.caller },
    log,
    ...(options.views && { views: options.views }),
    ...(options.beforeCall && { beforeCall: options.beforeCall }),
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const host = serveTransport(serving, theirs)
  const mode = options.era === '2025' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client(
    { name: 'tester', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      jsonSchemaValidator: outputValidator,
      ...(options.capabilities && { capabilities: options.capabilities }),
    },
  )
  await client.connect(ours)
  onTestFinished(async () => {
    await client.close()
    await host.close()
  })

  const send = async (name: string, args: object) => {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
    const texts = (result.content as { text: string }[]).map(({ text }) => text)
    return { result, texts }
  }
  return {
    ...built,
    client,
    async call(name, args = {}) {
      const { result, texts } = await send(name, { ...askForAll(name), ...args })
      const [text = ''] = texts
      if (result.isError)
        throw new Error(`${name}: ${texts.join('\n')}${logged.length > 0 ? `\n${logged.join('\n')}` : ''}`)
      if (result.structuredContent !== undefined) return result.structuredContent
      return text.startsWith('{') ? JSON.parse(text) : text
    },
    async refused(name, args = {}) {
      const { result, texts } = await send(name, args)
      if (!result.isError) throw new Error(`Expected ${name} to refuse, found the answer ${texts[0]}`)
      return texts[0] ?? ''
    },
    async unknownTool(name, args = {}) {
      const found = await client.callTool({ name, arguments: { ...args } }).catch((error) => error)
      if (found instanceof ProtocolError && found.code === -32602) return found.message
      throw new Error(`Expected the error -32602 for ${name}, found ${JSON.stringify(found)}`)
    },
    async faults(name, args = {}) {
      const { result, texts } = await send(name, args)
      if (!result.isError) throw new Error(`Expected ${name} to refuse, found the answer ${texts[0]}`)
      return result._meta?.['scriptorium/error'] as ErrorBody
    },
  }
}
