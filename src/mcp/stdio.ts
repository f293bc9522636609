/** Serves one host over standard input and output. Nothing except the protocol is written there. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { CALL_BYTES, STREAMS_PER_LINK } from '../base/limits.ts'
import { StreamLimit } from '../call/stream-limit.ts'
import { acceptMessages } from './accept-messages.ts'
import { createMcpServerFactory, type McpOptions } from './mcp-server.ts'

/**
 * Maximum bytes of a message. Far more than the limit of a call, so that a call that is too large gets our own error
 * instead of the transport closing the connection.
 */
const MAX_MESSAGE_BYTES = 8 * CALL_BYTES

/** One host has the process for itself, so its streams need nothing to keep the space open. */
export type StdioOptions = Omit<McpOptions, 'openStream'> & {
  /** Its error is the answer to the requests of the message. */
  beforeMessage?(): Promise<void>
}

/** Serves until the host closes the input or {@link close} is called. */
export function serveStdioHost(options: StdioOptions): { close(): Promise<void> } {
  return serveTransport(
    options,
    new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES }),
  )
}

/** Serves one client over a transport until it closes. */
export function serveTransport(options: StdioOptions, transport: Transport): { close(): Promise<void> } {
  const streams = new StreamLimit()
  const openStream = async () => {
    const release = streams.open('')
    return release && { signal: closing.signal, release }
  }
  const closing = new AbortController()
  const served = serveStdio(createMcpServerFactory({ ...options, openStream, notifiesChanges: true }), {
    transport: filterMessages(transport, options),
    maxSubscriptions: STREAMS_PER_LINK,
    onerror: (error) => options.log(error.message),
  })
  return {
    close: async () => {
      closing.abort()
      await served.close()
    },
  }
}

/** Wraps a transport so that only accepted messages get through. */
function filterMessages(inner: Transport, { caller, load, log, beforeMessage }: StdioOptions): Transport {
  const outer: Transport = {
    start: () => inner.start(),
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  }
  const resources = async () => (await load()).resources
  // Sequential, since messages are ordered.
  let last = Promise.resolve()
  inner.onmessage = (message, extra) => {
    last = last
      .then(async () => {
        const outcome = await acceptMessages(message, {
          caller,
          resources,
          log,
          ...(beforeMessage && { beforeMessage }),
        })
        if ('refused' in outcome) await inner.send(outcome.refused as JSONRPCMessage)
        else outer.onmessage?.(outcome.accepted as JSONRPCMessage, extra)
      })
      .catch(({ message: reason }: Error) => log(reason))
  }
  inner.onclose = () => outer.onclose?.()
  inner.onerror = (error) => outer.onerror?.(error)
  return outer
}
