/** Raw HTTP requests. No client library is in between, since it would correct or refuse what a proof wants to send. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { HEADER_BYTES } from '../../../src/base/limits.ts'
import type { Response, RestInput } from './test-client.ts'

export const newAgent = (): Agent => new Agent({ keepAlive: true })

/** @param base  the address that the target is appended to: scheme, host and the start of the path */
export function overSocket(agent: Agent, base: string, request: RestInput): Promise<Response> {
  const { body } = request
  return new Promise((resolve, reject) => {
    const sent = requestOf(agent, base, request, (response) => {
      textOf(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text }),
        reject,
      )
    })
    sent.once('error', (error) => {
      // The target is longer than the server reads before it closes the connection, so the rest could not be sent.
      if (request.target.length > HEADER_BYTES / 2) resolve({ status: 431, headers: {}, text: error.message })
      // The server closed the idle connection while this request was on its way, so it did not read the request.
      else if (sent.reusedSocket) resolve(overSocket(agent, base, request))
      else reject(error)
    })
    sent.end(body)
  })
}

/** A response that stays open until one side closes it. */
export interface OpenStream {
  status: number
  close(): void
}

/** @param onMessage  called with the data of each event, unchanged  @returns once the response has begun */
export function openStream(base: string, request: RestInput, onMessage: (data: string) => void): Promise<OpenStream> {
  // A connection of its own, so that other requests do not wait for it.
  const agent = new Agent()
  return new Promise((resolve, reject) => {
    const sent = requestOf(agent, base, request, (response) => {
      let left = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const events = (left + text).split('\n\n')
        left = events.pop() ?? ''
        for (const event of events) for (const data of dataOf(event)) onMessage(data)
      })
      // The stream was cut off by `close`.
      response.on('error', () => {})
      resolve({ status: response.statusCode ?? 0, close: () => sent.destroy() })
    })
    sent.once('error', reject).end(request.body)
  })
}

/** Returns the data of the events in a stream, in order. Data of several lines does not occur. */
export const dataOf = (events: string): string[] =>
  events.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))

function requestOf(agent: Agent, base: string, restRequest: RestInput, answered: (response: IncomingMessage) => void) {
  const { method, target, headers: given, body } = restRequest
  const { hostname, port, pathname } = new URL(base)
  // Node sets the length only for some methods. Without it the server would parse the body as another request.
  const headers = { ...given, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) }
  const path = `${pathname === '/' ? '' : pathname}${target}`
  return request({ agent, hostname, port, path, method, headers }, answered)
}

const headersOf = (response: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}
