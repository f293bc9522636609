/** A server with delivery, and receivers that consent to subscriptions, for tests. */
import { randomBytes } from 'node:crypto'
import { type Client, ProtocolError } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { NewAccessLink } from '../../src/auth/access-links/access-links.ts'
import { Subscriptions } from '../../src/webhooks/subscriptions.ts'
import { WebhookDelivery, type WebhookDeliveryOptions } from '../../src/webhooks/webhook-delivery.ts'
import { endpoints } from '../../tools/index.ts'
import { type BuiltSpace, buildSpace } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { type Serving, serveBuilt, type TestLink } from '../http/serving.ts'
import { type Answering, isLoopback, type Received, type Receiver, startReceiver } from '../webhooks/receiver.ts'

export const OPTIONS = { version: '1.2.3', isAllowed: isLoopback, endpoints, report: () => {} }

export const newSecret = (bytes = 32): string => `whsec_${randomBytes(bytes).toString('base64')}`

const answered = z.strictObject({
  id: z.string().regex(/^sub_[0-9a-f]{32}$/),
  refreshBefore: z.iso.datetime(),
  cursor: z.string(),
  truncated: z.boolean(),
  deliveryStatus: z
    .strictObject({ active: z.boolean(), lastDeliveryAt: z.string().nullable(), lastError: z.string().nullable() })
    .optional(),
  resultType: z.string().optional(),
  _meta: z.unknown(),
})

export interface Subscribing {
  name?: string
  arguments?: object | null
  delivery: { mode?: string; url: string; secret?: string }
  cursor?: string | null
  maxAgeMs?: number
  ttlMs?: number | null
}

export const subscribe = async (client: Client, { name = 'comment.created', ...asked }: Subscribing) =>
  client.request({ method: 'events/subscribe', params: { name, ...asked } }, answered)

export const unsubscribe = (client: Client, { name = 'comment.created', ...asked }: Subscribing) =>
  client.request({ method: 'events/unsubscribe', params: { name, ...asked } }, z.looseObject({}))

/** The error of a request that is refused. */
export async function refusal(asked: Promise<unknown>): Promise<{ code: number; message: string; data: unknown }> {
  const found = await asked.catch((error: unknown) => error)
  if (!(found instanceof ProtocolError)) throw new Error(`Expected a refusal, found ${JSON.stringify(found)}`)
  const { code, message, data } = found
  return { code, message: message.replace(/^MCP error -?\d+: /, ''), data }
}

/** Echoes challenges, and answers other messages as it is told. */
export const consenting =
  (answer: Answering = (_, response) => response.writeHead(204).end()): Answering =>
  (message, response) => {
    if (message.type !== 'verification') return answer(message, response)
    const { challenge } = JSON.parse(message.body) as { challenge: string }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge }))
  }

/** A receiver with its events, without challenges. */
export async function startSubscriber(
  answer?: Answering,
): Promise<Receiver & { events(count: number): Promise<Event[]> }> {
  const receiver = await startReceiver(consenting(answer))
  const events = async (count: number): Promise<Event[]> => {
    for (let least = count; ; least++) {
      const found = (await receiver.until(least)).filter(({ type }) => type !== 'verification')
      if (found.length >= count) return found.map((message) => ({ ...message, ...JSON.parse(message.body) }))
    }
  }
  return { ...receiver, events }
}

export type Event = Received & { eventId: string; name: string; cursor: string }

export interface Subscribable extends Serving {
  /** Writes to the space. */
  writer: Connected
  /** A link of a client, connected. */
  join(options?: Partial<NewAccessLink>): Promise<TestLink & { mcpClient: Client }>
  deliver(options?: Partial<WebhookDeliveryOptions>): WebhookDelivery
}

/** A server that delivers. Its clock advances, since it determines retries. */
export async function serveSubscriptions(
  options: Partial<ConstructorParameters<typeof Subscriptions>[0]> = {},
  to?: BuiltSpace,
): Promise<Subscribable> {
  const built = to ?? (await buildSpace(':memory:', { clock: Date.now }))
  const served = await serveBuilt({ to: built, subscriptions: new Subscriptions({ ...OPTIONS, ...options }) })
  return {
    ...served,
    writer: await connect('full', { to: built }),
    async join(input) {
      const link = await served.link(input)
      return { ...link, mcpClient: await link.client() }
    },
    deliver(more) {
      const delivery = new WebhookDelivery(built.space, { ...OPTIONS, lease: 60, ...more })
      onTestFinished(() => delivery.close())
      return delivery
    },
  }
}
