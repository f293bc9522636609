/** LangChain's adapters. */
import { type HostClient, thrown, toolNamed } from './client.ts'

interface Adapters {
  MultiServerMCPClient: new (config: object) => { getTools(): Promise<Tool[]>; close(): Promise<void> }
}
interface Tool {
  name: string
  schema: unknown
  invoke(args: object): Promise<unknown>
}

export const langchain: HostClient = {
  name: 'LangChain',
  packages: {
    '@langchain/mcp-adapters': '1.1.4',
    '@langchain/core': '1.4.0',
    '@langchain/langgraph': '1.7.3',
  },
  holdsAnswers: true,
  async connect(target, { load }) {
    const { MultiServerMCPClient } = await load<Adapters>('@langchain/mcp-adapters')
    const server = 'url' in target ? { transport: 'http', ...target } : { transport: 'stdio', ...target }
    const client = new MultiServerMCPClient({ mcpServers: { scriptorium: server }, throwOnLoadError: true })
    const tools = await client.getTools()
    return {
      tools: async () => tools.map(({ name, schema }) => ({ name, parameters: schema })),
      call: async (name, args) => {
        const tool = toolNamed(tools, (one) => one.name === name, name)
        return tool.invoke(args).then((answer) => ({ text: textOf(answer), isRefused: false }), thrown)
      },
      close: () => client.close(),
    }
  },
}

/** A single text is returned as a string, several as message blocks. */
function textOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  const blocks = (Array.isArray(answer) ? answer : [answer]) as { text?: string }[]
  return blocks.map(({ text }) => text ?? '').join('\n')
}
