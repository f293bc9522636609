/** `events/subscribe` and `events/unsubscribe` of MCP Events on the wire. Source: SEP-3415. */
import type { Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type EventSubscriptions, SubscriptionRefused } from '../call/event-subscriptions.ts'
import type { Caller } from '../call/run.ts'
import { withEventErrors } from './event-errors.ts'
import { type EventOptions, eventToolFor } from './event-tool.ts'

const delivery = { mode: z.string().nullish(), url: z.string() }
const key = { name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() }
const subscribeParams = z.looseObject({
  ...key,
  delivery: z.looseObject({ ...delivery, secret: z.string() }),
  cursor: z.string().min(1).nullish(),
  maxAgeMs: z.int().min(0).nullish(),
  ttlMs: z.int().min(0).nullish(),
})
const unsubscribeParams = z.looseObject({ ...key, delivery: z.looseObject(delivery) })

export function registerSubscriptions(server: Server, options: EventOptions): void {
  const { callerOf, log } = options
  server.setRequestHandler('events/subscribe', { params: subscribeParams }, (params, context) =>
    withEventErrors(log, async () => {
      const { delivery, cursor, maxAgeMs, ttlMs } = params
      const { subscriptions, caller, key } = await subscriptionOf(options, params, callerOf(context))
      const answer = await subscriptions.subscribe(caller, {
        ...{ ...key, secret: delivery.secret, lifetime: ttlMs },
        ...(cursor !== null && { cursor }),
        ...(maxAgeMs !== null && { maxAge: maxAgeMs }),
      })
      return { ...answer }
    }),
  )
  server.setRequestHandler('events/unsubscribe', { params: unsubscribeParams }, (params, context) =>
    withEventErrors(log, async () => {
      const { subscriptions, caller, key } = await subscriptionOf(options, params, callerOf(context))
      await subscriptions.unsubscribe(caller, key)
      return {}
    }),
  )
}

/** Which subscription a request is about. @throws SubscriptionRefused; ProtocolError */
async function subscriptionOf(
  options: EventOptions,
  { name, arguments: given, delivery }: z.output<typeof unsubscribeParams>,
  caller: Caller,
): Promise<{
  subscriptions: EventSubscriptions
  caller: Caller
  key: Parameters<EventSubscriptions['unsubscribe']>[1]
}> {
  const { mode = 'webhook', url } = delivery
  const { subscriptions } = options
  if (subscriptions === undefined || (mode !== null && mode !== 'webhook')) {
    const value = mode ?? 'webhook'
    const modes = subscriptions === undefined ? 'poll or push' : 'webhook'
    const message = `Expected ${modes} as the way to receive events here, found ${value.slice(0, 100)}; events/list shows them.`
    throw new SubscriptionRefused('Unsupported', message, { feature: 'deliveryMode', value: value.slice(0, 100) })
  }
  const tool = await eventToolFor(options, caller, name, given)
  return { subscriptions, caller, key: { tool, name, arguments: given ?? {}, url } }
}
