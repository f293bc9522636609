/** Subscriptions to events that are sent to an address. The server that delivers them implements this. */
import type { Caller } from './caller.ts'
import type { Tool } from './catalog/tool-catalog.ts'

/** What a client asks for. Together with the link, these determine which subscription it is. */
export interface SubscriptionKey {
  /** The endpoint that lists events. */
  tool: Tool
  /** The type of the events. */
  name: string
  /** What narrows them. */
  arguments: Readonly<Record<string, unknown>>
  /** The address that receives them. */
  url: string
}

export interface SubscriptionRequest extends SubscriptionKey {
  /** Signs what is sent: `whsec_` and base64. */
  secret: string
  /** Where to begin; now if absent. */
  cursor?: string | undefined
  /** Milliseconds before now from which on events are sent. */
  maxAge?: number | undefined
  /** Milliseconds for which the client wants it to last; null for as long as possible. */
  lifetime?: number | null | undefined
}

/** A subscription, as its client is answered. */
export interface SubscriptionAnswer {
  /** The same for the same request of the same link. */
  id: string
  /** When it ends unless it is refreshed by the same request. */
  refreshBefore: string
  /** Everything up to it was sent. */
  cursor: string
  /** True if events since the cursor of the request are not sent. */
  truncated: boolean
  /** Of a subscription that was refreshed: how sending went. */
  deliveryStatus?: {
    active: boolean
    lastDeliveryAt: string | null
    lastError: string | null
  }
}

export interface EventSubscriptions {
  /**
   * Subscribes, or refreshes the same subscription. The address must first prove that it wants to receive events.
   *
   * @throws SubscriptionRefused; ScriptoriumError for invalid arguments, and for a link that may not
   */
  subscribe(caller: Caller, request: SubscriptionRequest): Promise<SubscriptionAnswer>
  /** @throws SubscriptionRefused if there is no such subscription */
  unsubscribe(caller: Caller, key: SubscriptionKey): Promise<void>
}

/** Why a subscription was refused, in the words of the protocol. */
export type SubscriptionRefusal = 'NotFound' | 'ResourceExhausted' | 'Unsupported' | 'CallbackEndpointError'

/** A refusal that only subscriptions have. Its data say what a program does next. */
export class SubscriptionRefused extends Error {
  readonly refusal: SubscriptionRefusal
  readonly data: Readonly<Record<string, unknown>>

  constructor(refusal: SubscriptionRefusal, message: string, data: Readonly<Record<string, unknown>>) {
    super(message)
    this.refusal = refusal
    this.data = data
  }
}
