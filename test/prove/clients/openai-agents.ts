/** OpenAI's Agents SDK. */
import { type HostClient, toolNamed } from './client.ts'

interface Agents {
  MCPServerStdio: new (server: object) => Server
  MCPServerStreamableHttp: new (server: object) => Server
  RunContext: new (context: object) => object
  getAllMcpTools(input: { mcpServers: Server[]; convertSchemasToStrict: boolean }): Promise<Tool[]>
  setTracingDisabled(isDisabled: boolean): void
}
interface Server {
  connect(): Promise<void>
  close(): Promise<void>
}
interface Tool {
  name: string
  parameters: unknown
  invoke(context: object, args: string): Promise<unknown>
}

export const openaiAgents: HostClient = {
  name: 'OpenAI Agents SDK',
  packages: { '@openai/agents': '0.20.0', zod: '4.6.7' },
  holdsAnswers: true,
  async connect(target, { load }) {
    const agents = await load<Agents>('@openai/agents')
    agents.setTracingDisabled(true)
    const of = { name: 'scriptorium', ...target }
    const server = 'url' in of ? new agents.MCPServerStreamableHttp(of) : new agents.MCPServerStdio(of)
    await server.connect()
    const tools = await agents.getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: false })
    return {
      tools: async () => tools.map(({ name, parameters }) => ({ name, parameters })),
      call: async (name, args) => {
        const tool = toolNamed(tools, (one) => one.name === name, name)
        const answer = await tool.invoke(new agents.RunContext({}), JSON.stringify(args))
        const parts = (Array.isArray(answer) ? answer : [answer]) as (string | { text?: string })[]
        // This is what a model gets: only the text itself can say that the call was refused.
        const text = parts.map((part) => (typeof part === 'string' ? part : (part.text ?? ''))).join('\n')
        return { text, isRefused: undefined }
      },
      close: () => server.close(),
    }
  },
}
