/** Requests of HTTP as they are: no client stands between, which would mend or refuse what a proof wants to send. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { HEADER_BYTES } from '../../../src/base/limits.ts'
import type { Response, RestAsked } from './asking.ts'

export const newAgent = (): Agent => new Agent({ keepAlive: true })

/** @param base  what the target follows: scheme, host and the beginning of the path */
export function overSocket(agent: Agent, base: string, asked: RestAsked): Promise<Response> {
  const { body } = asked
  return new Promise((resolve, reject) => {
    const sent = requestOf(agent, base, asked, (response) => {
      textOf(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text }),
        reject,
      )
    })
    sent.once('error', (error) => {
      // Of more than a server reads before it knows who asks: the rest has nowhere to go when it hangs up.
      if (asked.target.length > HEADER_BYTES / 2) resolve({ status: 431, headers: {}, text: error.message })
      // The connection had been idle until the server closed it, which crossed this request: nobody has read it.
      else if (sent.reusedSocket) resolve(overSocket(agent, base, asked))
      else reject(error)
    })
    sent.end(body)
  })
}

/** An answer that goes on until one side ends it. */
export interface OpenStream {
  status: number
  close(): void
}

/** @param hear  takes the data of each event, as it came  @returns once the answer has begun */
export function openStream(base: string, asked: RestAsked, hear: (data: string) => void): Promise<OpenStream> {
  // A connection of its own, which no other request waits for.
  const agent = new Agent()
  return new Promise((resolve, reject) => {
    const sent = requestOf(agent, base, asked, (response) => {
      let left = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const events = (left + text).split('\n\n')
        left = events.pop() ?? ''
        for (const event of events) for (const data of dataOf(event)) hear(data)
      })
      // Cut off by whoever closes it.
      response.on('error', () => {})
      resolve({ status: response.statusCode ?? 0, close: () => sent.destroy() })
    })
    sent.once('error', reject).end(asked.body)
  })
}

/** What the events of a stream say, in order; data of several lines do not occur. */
export const dataOf = (events: string): string[] =>
  events.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))

function requestOf(agent: Agent, base: string, asked: RestAsked, answered: (response: IncomingMessage) => void) {
  const { method, target, headers: given, body } = asked
  const { hostname, port, pathname } = new URL(base)
  // Node says so by itself for some methods alone, and what follows would be taken for another request.
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
