/** The Vercel AI SDK. */

import { UNREAD } from '../../support/unread.ts'
import { type HostClient, outcomeOf, toolNamed } from './client.ts'

interface AiSdk {
  createMCPClient(config: { transport: unknown }): Promise<{
    tools(): Promise<Record<string, Tool>>
    close(): Promise<void>
  }>
}
interface Tool {
  inputSchema: { jsonSchema: unknown }
  execute(
    args: object,
    options: { messages: []; toolCallId: string },
  ): Promise<{ content?: unknown; isError?: unknown }>
}
interface Stdio {
  Experimental_StdioMCPTransport: new (server: object) => unknown
}

export const aiSdk: HostClient = {
  name: 'Vercel AI SDK',
  packages: { '@ai-sdk/mcp': '2.0.99', ai: '7.0.173', zod: '4.6.7' },
  holdsAnswers: false,
  async connect(target, { load }) {
    const { createMCPClient } = await load<AiSdk>('@ai-sdk/mcp')
    const { Experimental_StdioMCPTransport: Stdio } = await load<Stdio>('@ai-sdk/mcp/mcp-stdio')
    const transport = 'url' in target ? { type: 'http', ...target } : new Stdio({ ...target, stderr: UNREAD })
    const client = await createMCPClient({ transport })
    const tools = Object.entries(await client.tools())
    return {
      tools: async () =>
        Promise.all(tools.map(async ([name, { inputSchema }]) => ({ name, parameters: await inputSchema.jsonSchema }))),
      call: async (name, args) => {
        const [, tool] = toolNamed(tools, ([key]) => key === name, name)
        return outcomeOf(await tool.execute(args, { messages: [], toolCallId: name }))
      },
      close: () => client.close(),
    }
  },
}
