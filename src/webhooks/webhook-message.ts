/** Messages to webhooks, as the Standard Webhooks specification has them: signed, with an ID and a timestamp. */
import { createHmac, randomBytes } from 'node:crypto'

/** Something that a webhook is sent. */
export interface WebhookMessage {
  /** The same each time that it is sent, so that a receiver knows what it has had. */
  id: string
  body: string
}

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const ID_LENGTH = 27

/** A secret that signs messages: `whsec_` and base64. */
export const newSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** @param timestamp  when it happened, in milliseconds since 1970 */
export function createMessage(id: string, type: string, timestamp: number, data: object): WebhookMessage {
  return { id, body: JSON.stringify({ type, timestamp: new Date(timestamp).toISOString(), data }) }
}

/**
 * The ID of a message about one thing to one webhook. It counts nothing, and shows nothing of what it is made from.
 *
 * @param secret  the space's, in hex
 */
export function messageId(secret: string, ...about: readonly (string | number)[]): string {
  const seal = createHmac('sha256', Buffer.from(secret, 'hex')).update(JSON.stringify(['webhook message', ...about]))
  return `msg_${seal.digest('base64url').slice(0, ID_LENGTH)}`
}

/**
 * The headers of one try to send a message.
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
