/** The next messages of a webhook, whatever they are about. */
import type { WebhookProgress } from '../../storage/webhooks.ts'
import type { WebhookMessage } from './webhook-message.ts'

/** A position of a webhook: everything up to it need not be sent any more. */
export type WebhookPlace = Omit<WebhookProgress, 'n' | 'deliveredAt'>

/** A message, and the webhook's position once it was accepted. */
export interface PlacedMessage {
  message: WebhookMessage
  place: WebhookPlace
  /** True for a message that is about the subscription, and not about an event. */
  isControl?: boolean
  /** What is sent in its place to a receiver for which it is too large. */
  ifTooLarge?: WebhookMessage
}

export interface MessageBatch {
  messages: PlacedMessage[]
  /** The webhook's position once all messages were accepted. */
  place: WebhookPlace
  hasMore: boolean
  /** Milliseconds after which there may be more, although nothing is written: a burst of changes ends. */
  again?: number
}
