/** Runs the program over stdio and counts what its calls cost a model. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { noWelcomeFlags } from '../support/no-welcome.ts'
import { UNREAD } from '../support/unread.ts'

export interface Cost {
  calls: number
  /** The tokens (o200k) of everything sent and read, without the list of tools. */
  tokens: number
}

/** A response as the text that a model reads, and as an object. */
export interface CountedAnswer {
  text: string
  object: unknown
}

export interface CountedCalls {
  /** The cost since {@link reset}. */
  cost: Cost
  /** @throws the tool's error */
  call(name: string, args: object): Promise<CountedAnswer>
  reset(): void
  close(): Promise<void>
}

/** @param cwd  the checkout whose program is started */
export async function startCounted(space: string, cwd: string): Promise<CountedCalls> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const flags = ['--space', space, '--timezone', 'Europe/Budapest', ...noWelcomeFlags('src/start.js', cwd)]
  const command = ['src/start.js', 'stdio', ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args: command, cwd, stderr: UNREAD }))
  const cost: Cost = { calls: 0, tokens: 0 }
  return {
    cost,
    async call(name, args) {
      const input = { name, arguments: args as Record<string, unknown> }
      const { content, structuredContent, isError } = await client.callTool(input)
      const text = (content as { text?: string }[]).map((one) => one.text ?? '').join('\n')
      if (isError) throw new Error(`${name}: ${text}`)
      cost.calls += 1
      cost.tokens += countTokens(JSON.stringify(input)) + countTokens(text)
      return { text, object: structuredContent }
    },
    reset: () => void Object.assign(cost, { calls: 0, tokens: 0 }),
    close: () => client.close(),
  }
}
