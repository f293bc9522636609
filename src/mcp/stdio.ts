/** One host over standard input and output: nothing but the protocol is written there. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { CALL_BYTES, STREAMS_PER_LINK } from '../base/limits.ts'
import { acceptMessages } from './accept-messages.ts'
import { createMcpServerFactory, type McpOptions } from './mcp-server.ts'

/**
 * Bytes of one message. Far more than a call may hold, so that a call that is too large is answered with an error of
 * ours: the transport itself would end the connection.
 */
const MAX_MESSAGE_BYTES = 8 * CALL_BYTES

/** Serves until the host closes our input or {@link close} is called. */
export function serveStdioHost(options: McpOptions): { close(): Promise<void> } {
  return serveTransport(
    options,
    new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
  )
}

/** Serves one client over a transport, for as long as that lasts. */
export function serveTransport(options: McpOptions, transport: Transport): { close(): Promise<void> } {
  return serveStdio(createMcpServerFactory({ ...options, notifiesChanges: true }), {
    transport: filterMessages(transport, options),
    maxSubscriptions: STREAMS_PER_LINK,
    onerror: (error) => options.log(error.message),
  })
}

/** The same transport, of which no message gets through that is not accepted. */
function filterMessages(inner: Transport, { caller, load, log }: McpOptions): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  }
  const resources = async () => (await load()).resources
  // One after another, since they have an order.
  let last = Promise.resolve()
  inner.onmessage = (message, extra) => {
    last = last
      .then(async () => {
        const outcome = await acceptMessages(message, { caller, resources, log })
        if ('refused' in outcome) await inner.send(outcome.refused as JSONRPCMessage)
        else outer.onmessage?.(outcome.accepted as JSONRPCMessage, extra)
      })
      .catch(({ message: reason }: Error) => log(reason))
  }
  inner.onclose = () => outer.onclose?.()
  inner.onerror = (error) => outer.onerror?.(error)
  return outer
}
