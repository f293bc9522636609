/** Streamable HTTP on this machine. */
import type { Server as NodeServer } from 'node:http'
import { serve } from '@hono/node-server'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ScriptoriumError } from '../errors.ts'
import { CALL_BYTES } from '../limits.ts'
import { type McpOptions, mcpFactory } from './mcp.ts'

/** Room for the JSON around a call's arguments and its escapes. */
const BODY_BYTES = 2 * CALL_BYTES
const HOST = '127.0.0.1'

export interface HttpServer {
  url: string
  close(): Promise<void>
}

/**
 * Serves MCP at `/mcp`, to programs on this machine alone: requests of web pages and by other host names get 403.
 *
 * @param port  0 for any free one
 */
export async function serveHttp(options: McpOptions, port: number): Promise<HttpServer> {
  const handler = createMcpHandler(mcpFactory(options), { onerror: (error) => options.log(error.message) })
  const app = new Hono()
  const tooLarge = () => {
    const error = new ScriptoriumError(
      'PAYLOAD_TOO_LARGE',
      `Expected a body of at most ${BODY_BYTES / 1024 / 1024} MiB, found more; split the call.`,
    )
    return Response.json(error.body, { status: error.status })
  }
  app.use(async ({ req }, next) => {
    const refused =
      hostHeaderValidationResponse(req.raw, localhostAllowedHostnames()) ??
      originValidationResponse(req.raw, localhostAllowedOrigins())
    return refused ?? next()
  })
  app.all('/mcp', bodyLimit({ maxSize: BODY_BYTES, onError: tooLarge }), ({ req }) => handler.fetch(req.raw))

  const server = await new Promise<NodeServer>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: HOST, port }, () => resolve(starting as NodeServer))
    starting.once('error', reject)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${HOST}:${bound}/mcp`,
    async close() {
      await handler.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
