/** One host over standard input and output: nothing but the protocol is written there. */
import './uncompiled.ts'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { CALL_BYTES } from '../limits.ts'
import { type McpOptions, mcpFactory } from './mcp.ts'

/**
 * Bytes of one message. Far more than a call may hold, so that a call that is too large is answered with an error of
 * ours: the transport itself would end the connection.
 */
const MESSAGE_BYTES = 8 * CALL_BYTES

/** Serves until the host closes our input or {@link close} is called. */
export function serveOneHost(options: McpOptions): { close(): Promise<void> } {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES })
  return serveStdio(mcpFactory({ ...options, watches: true }), {
    transport,
    onerror: (error) => options.log(error.message),
  })
}
