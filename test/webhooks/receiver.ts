/** Receivers of webhooks for tests: servers on this machine with configurable responses. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Answer } from '../connect.ts'

export interface Received {
  id: string
  type: string
  timestamp: string
  data: Answer
  headers: IncomingMessage['headers']
  body: string
}

export interface Receiver {
  url: string
  /** All messages that arrived, accepted or not. */
  received: Received[]
  /** Resolves once this number of messages has arrived. */
  until(count: number): Promise<Received[]>
  /** The same, with each message counted when it first arrived. */
  untilDistinct(count: number): Promise<Received[]>
  close(): void
}

/** The response to a message; 204 by default. */
export type Answering = (message: Received, response: ServerResponse) => void

export async function startReceiver(answer?: Answering): Promise<Receiver> {
  const receiver = await openReceiver(answer)
  onTestFinished(() => receiver.close())
  return receiver
}

/** A receiver shared by several tests: its caller closes it. */
export async function openReceiver(
  answer: Answering = (_, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const { headers } = request
      const message: Received = { id: String(headers['webhook-id']), headers, body, ...JSON.parse(body) }
      received.push(message)
      answer(message, response)
      for (const check of [...waiting]) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const untilOf = (count: number, messages: () => readonly Received[]) =>
    new Promise<Received[]>((resolve) => {
      const check = () => {
        const found = messages()
        if (found.length < count) return
        waiting.delete(check)
        resolve(found.slice(0, count))
      }
      waiting.add(check)
      check()
    })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    until: (count) => untilOf(count, () => received),
    untilDistinct: (count) => untilOf(count, () => firstOfEach(received)),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const firstOfEach = (messages: readonly Received[]): Received[] =>
  messages.filter(({ id }, index) => messages.findIndex((other) => other.id === id) === index)

/** True if a message was signed with this secret, by the Standard Webhooks specification. */
export function isSigned({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(content).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => one.startsWith('v1,') && timingSafeEqual(Buffer.from(one.slice(3), 'base64'), expected))
}

/** Allows delivery to this machine. */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
