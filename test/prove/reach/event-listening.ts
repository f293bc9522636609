/** Streams of events and subscriptions of a connection: they must be sent what is within reach, and nothing else. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { STREAM_KEEP_ALIVE_SECONDS } from '../../../src/base/limits.ts'
import { EVENT_NAMES, EVENT_TYPE_OF } from '../../../src/space/events/event-types.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { WebhookDelivery } from '../../../src/webhooks/webhook-delivery.ts'
import { endpoints } from '../../../tools/index.ts'
import { isThisMachine } from '../test-client/serving.ts'
import type { TestClient } from '../test-client/test-client.ts'
import type { Things } from '../test-client/things.ts'
import { waitUntil } from './listening.ts'

export const EVENT_MODES = ['stream', 'webhook'] as const
export type EventMode = (typeof EVENT_MODES)[number]

/** A message about events, as a stream or a receiver got it. */
export interface EventMessage {
  mode: EventMode
  /** The name of the event; for other messages their kind, such as `heartbeat` or `gap`. */
  name: string
  documentId?: string | undefined
  /** Of a stream: its ID. */
  stream?: unknown
  text: string
}

/** What is sent for a change of a block, and for a comment on it. */
const OF_MARK = ['document.changed', 'comment.created']

export class EventListener {
  readonly #client: TestClient
  readonly #seen: Things
  readonly #hidden: readonly string[]
  readonly #called: string[] = []
  readonly #modes: EventMode[] = ['stream']
  /** How many heartbeats each stream has sent, and when the first stream was opened. */
  readonly #heartbeats = new Map<unknown, number>()
  #startedAt = 0
  /** How many messages were checked, and of how many of them. */
  #checked: Record<EventMode, number> = { stream: 0, webhook: 0 }

  /** @param hidden  what no message may name */
  constructor(client: TestClient, seen: Things, hidden: Things) {
    this.#client = client
    this.#seen = seen
    this.#hidden = Object.values(hidden).filter((value) => /^\d{12}$/.test(value))
  }

  /**
   * Opens a stream of each type of events and, on a served connection, has each sent to the receiver. Each is narrowed as
   * little as possible.
   */
  async start(receiver: EventReceiver): Promise<void> {
    const { collection = '' } = this.#seen
    this.#startedAt = performance.now()
    const isServed = this.#client.at !== undefined
    const delivery = isServed ? receiver.addressFor(this.#called) : undefined
    for (const name of EVENT_NAMES) {
      const { needs, joins } = EVENT_TYPE_OF[name]
      const params = { name, arguments: { ...(needs && { [needs]: collection }), ...(joins && { quietSeconds: 0 }) } }
      await this.#client.openEvents(params)
      if (delivery === undefined) continue
      const { error } = await this.#client.mcp('events/subscribe', { ...params, delivery })
      if (error !== undefined) throw new Error(`Expected a subscription to ${name}, found ${error.message}`)
    }
    if (isServed) this.#modes.push('webhook')
    const isOpen = await waitUntil(() => this.#streamed().length >= EVENT_NAMES.length)
    if (!isOpen) throw new Error(`Expected ${EVENT_NAMES.length} streams, found ${this.#streamed().length}.`)
    this.#checked = { ...this.#checked, stream: this.#streamed().length }
  }

  /** Waits until the change of the visible block and the comment on it were sent. @returns the modes that were deaf */
  async deafModes(): Promise<EventMode[]> {
    const deaf: EventMode[] = []
    for (const mode of this.#modes) {
      const has = (name: string) => this.#news().some((one) => one.mode === mode && one.name === name)
      if (!(await waitUntil(() => OF_MARK.every(has)))) deaf.push(mode)
    }
    return deaf
  }

  /** The messages since the last check that are not events of the visible document, or name what is hidden. */
  checkAll(): { count: number; unexpected: EventMessage[] } {
    const news = this.#news()
    this.#checked = { stream: this.#streamed().length, webhook: this.#called.length }
    const isSeen = ({ documentId, text }: EventMessage) =>
      documentId === this.#seen.document && !this.#hidden.some((id) => text.includes(id))
    const isExpected = (one: EventMessage) => (one.name === 'heartbeat' ? this.#isInTime(one) : isSeen(one))
    return { count: news.length, unexpected: news.filter((one) => !isExpected(one)) }
  }

  /** Streams show by heartbeats that they are still there. One that comes for another reason would reveal a change. */
  #isInTime({ stream }: EventMessage): boolean {
    const count = (this.#heartbeats.get(stream) ?? 0) + 1
    this.#heartbeats.set(stream, count)
    return count * STREAM_KEEP_ALIVE_SECONDS * 1_000 <= performance.now() - this.#startedAt
  }

  #news(): EventMessage[] {
    return [
      ...this.#streamed().slice(this.#checked.stream),
      ...this.#called.slice(this.#checked.webhook).map(messageToReceiver),
    ]
  }

  #streamed(): EventMessage[] {
    return this.#client.received.flatMap(({ method = '', params }) => {
      if (!method.startsWith(STREAMED)) return []
      const { name, data, _meta } = (params ?? {}) as {
        name?: string
        data?: { documentId?: string }
        _meta?: Record<string, unknown>
      }
      const stream = _meta?.['io.modelcontextprotocol/subscriptionId']
      const about = { name: name ?? method.slice(STREAMED.length), documentId: data?.documentId, stream }
      return [{ mode: 'stream', ...about, text: JSON.stringify(params) }]
    })
  }
}

const STREAMED = 'notifications/events/'

function messageToReceiver(text: string): EventMessage {
  const { name, type, data } = JSON.parse(text) as { name?: string; type?: string; data?: { documentId?: string } }
  return { mode: 'webhook', name: name ?? type ?? '', documentId: data?.documentId, text }
}

export interface EventReceiver {
  /** An address whose messages are added to this list. */
  addressFor(list: string[]): { mode: 'webhook'; url: string; secret: string }
  close(): Promise<void>
}

/** Receives what is sent from a space, and consents to all of it. */
export async function startEventReceiver(space: OpenSpace): Promise<EventReceiver> {
  const lists: string[][] = []
  const server = createServer(async (message, response) => {
    let body = ''
    for await (const chunk of message.setEncoding('utf8')) body += chunk
    const { type, challenge } = JSON.parse(body) as { type?: string; challenge?: string }
    if (type === 'verification') return response.end(JSON.stringify({ challenge }))
    lists[Number((message.url ?? '').slice(1))]?.push(body)
    return response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { endpoints, version: '0.0.0', isAllowed: isThisMachine, report: () => {} }
  const delivery = new WebhookDelivery(space, options)
  return {
    addressFor(list) {
      const url = `${origin}/${lists.push(list) - 1}`
      return { mode: 'webhook', url, secret: `whsec_${randomBytes(32).toString('base64')}` }
    },
    async close() {
      await delivery.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
