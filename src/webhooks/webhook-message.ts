/** Messages to webhooks, following the Standard Webhooks specification: signed, with an ID and a timestamp. */
import { createHmac, randomBytes } from 'node:crypto'

/** A message to a webhook. */
export interface WebhookMessage {
  /** The same for each attempt, so that receivers can ignore duplicates. */
  id: string
  body: string
}

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const ID_LENGTH = 27

/** A new secret for signing messages: `whsec_` and base64. */
export const newSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** @param timestamp  of the event, in milliseconds since 1970 */
export function createMessage(id: string, type: string, timestamp: number, data: object): WebhookMessage {
  return { id, body: JSON.stringify({ type, timestamp: new Date(timestamp).toISOString(), data }) }
}

/**
 * The ID of a message about one event to one webhook. It is not sequential, and does not reveal what it is derived
 * from.
 *
 * @param secret  of the space, in hex
 */
export function messageId(secret: string, ...about: readonly (string | number)[]): string {
  const seal = createHmac('sha256', Buffer.from(secret, 'hex')).update(JSON.stringify(['webhook message', ...about]))
  return `msg_${seal.digest('base64url').slice(0, ID_LENGTH)}`
}

/**
 * The headers of one attempt to send a message.
 *
 * @param secret  of the webhook
 * @param now  milliseconds since 1970
 */
export function signatureHeaders({ id, body }: WebhookMessage, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
