/** One host over standard input and output: nothing but the protocol is written there. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type McpOptions, mcpFactory } from './mcp.ts'

/** Serves until the host closes our input or {@link close} is called. */
export function serveOneHost(options: McpOptions): { close(): Promise<void> } {
  return serveStdio(mcpFactory(options), { onerror: (error) => options.log(error.message) })
}
