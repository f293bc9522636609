/** Mastra. */

import { UNREAD } from '../../support/unread.ts'
import { type HostClient, thrown, toolNamed } from './client.ts'

interface Mastra {
  MCPClient: new (config: object) => { listTools(): Promise<Record<string, Tool>>; disconnect(): Promise<void> }
}
interface Tool {
  inputSchema: { '~standard': { jsonSchema: { input(options: { target: string }): unknown } } }
  execute(args: object, context: object): Promise<unknown>
}

const SERVER = 'scriptorium'

export const mastra: HostClient = {
  name: 'Mastra',
  packages: { '@mastra/mcp': '2.0.0', '@mastra/core': '1.71.0', zod: '4.6.7' },
  holdsAnswers: true,
  async connect(target, { load }) {
    const { MCPClient } = await load<Mastra>('@mastra/mcp')
    const server = 'url' in target ? { url: new URL(target.url) } : { ...target, stderr: UNREAD }
    const client = new MCPClient({ id: 'host', servers: { [SERVER]: server } })
    const tools = Object.entries(await client.listTools()).map(
      ([key, tool]) => [key.replace(`${SERVER}_`, ''), tool] as const,
    )
    return {
      tools: async () =>
        tools.map(([name, { inputSchema }]) => ({
          name,
          parameters: inputSchema['~standard'].jsonSchema.input({ target: 'draft-07' }),
        })),
      call: async (name, args) => {
        const [, tool] = toolNamed(tools, ([key]) => key === name, name)
        return tool.execute(args, {}).then((answer) => ({ text: JSON.stringify(answer), isRefused: false }), thrown)
      },
      close: () => client.disconnect(),
    }
  },
}
