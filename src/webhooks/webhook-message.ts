/** Messages to webhooks, following the Standard Webhooks specification: signed, with an ID and a timestamp. */
import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookRow } from '../../storage/schema.ts'

/** A message to a webhook. */
export interface WebhookMessage {
  /** The same for each attempt, so that receivers can ignore duplicates. */
  id: string
  body: string
}

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
/** Bytes of a secret that a client gives. Source: the profile of Standard Webhooks in MCP Events. */
const GIVEN_BYTES = { min: 24, max: 64 }
const ID_LENGTH = 27

/** A new secret for signing messages: `whsec_` and base64. */
export const newSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** True for `whsec_` and base64 of 24 to 64 bytes. */
export function isSigningSecret(text: string): boolean {
  const base64 = text.slice(SECRET_PREFIX.length)
  const bytes = Buffer.from(base64, 'base64')
  // Base64 that is malformed is another key to each library that reads it.
  const spellings = [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, '')]
  const isBase64 = text.startsWith(SECRET_PREFIX) && spellings.includes(base64)
  return isBase64 && bytes.length >= GIVEN_BYTES.min && bytes.length <= GIVEN_BYTES.max
}

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

/** Where a webhook sends to, and what it signs with. The other columns are those of a subscription. */
export type WebhookTarget = Pick<WebhookRow, 'url' | 'secret'> &
  Partial<Pick<WebhookRow, 'id' | 'eventName' | 'formerSecret' | 'formerUntil'>>

/**
 * The headers of one attempt to send a message. If the secret was changed lately, there are two signatures.
 *
 * @param now  milliseconds since 1970
 */
export function messageHeaders(
  { id, body }: WebhookMessage,
  { secret, formerSecret, formerUntil, eventName, id: webhookId }: WebhookTarget,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const former = formerSecret != null && (formerUntil ?? 0) > now ? [formerSecret] : []
  const signatures = [secret, ...former].map((one) => {
    const key = Buffer.from(one.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') },
    // Receivers select the secret by it.
    ...(eventName != null && webhookId !== undefined && { 'x-mcp-subscription-id': webhookId }),
  }
}
