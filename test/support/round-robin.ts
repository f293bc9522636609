/**
 * A proxy that sends each request to the next server. Servers that do not listen are skipped. A request that was sent
 * but not answered gets 502, since the proxy cannot know whether it was carried out. The proxy can lose random
 * responses.
 */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RoundRobin {
  origin: string
  close(): Promise<void>
}

/** Percentage of responses that are lost. */
const LOST_PERCENT = 2

/** @param random  random numbers from 0 to 1 that decide which responses are lost; if absent, none are */
export async function startRoundRobin(ports: readonly number[], random = () => 1): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0

  /** @param left  number of servers that were not tried yet */
  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, left: number): void => {
    if (left === 0) return void response.writeHead(503).end('no server is there')
    const port = ports[turn++ % ports.length]
    const { method, url: path, headers } = incoming
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      if (random() * 100 < LOST_PERCENT) {
        answer.resume()
        response.destroy()
        return
      }
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
      answer.once('error', () => response.destroy())
      response.once('close', () => answer.destroy())
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') forward(incoming, body, response, left - 1)
      else if (!response.headersSent) response.writeHead(502).end('the server has ended')
      else response.destroy()
    })
    sent.end(body)
  }

  const server = createServer(async (incoming, response) => {
    try {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      forward(incoming, Buffer.concat(parts), response, ports.length)
    } catch {
      // The client has disconnected.
      response.destroy()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
