/** Tables of events and webhooks. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Events that are not calls, such as a reminder that came due. Each is recorded once. */
export const event = sqliteTable('event', {
  n: integer().primaryKey(),
  /** The number of the last call before it. */
  call: integer().notNull(),
  at: integer().notNull(),
  kind: text().notNull(),
  /** The number of the row that the event is about. Its table depends on the kind. */
  subject: integer().notNull(),
  /** What the row of the subject does not say, as JSON; absent for most kinds. */
  detail: text(),
})

/**
 * An address that receives what happens within the reach of a link: a webhook of the operator, or a subscription of a
 * client to one type of events.
 */
export const webhook = sqliteTable('webhook', {
  n: integer().primaryKey(),
  id: text().notNull(),
  link: integer().notNull(),
  url: text().notNull(),
  /** The key that signs messages: `whsec_` and base64. */
  secret: text().notNull(),
  /** The types of events and the tools to send messages for, as a JSON array; all if absent. */
  events: text(),
  createdAt: integer('created_at').notNull(),
  /** The last call, and the last event, that need not be sent any more. */
  call: integer().notNull(),
  event: integer().notNull(),
  /** The value of the link's `reachChanges` at the last message about it. */
  reachChanges: integer('reach_changes').notNull(),
  deliveredAt: integer('delivered_at'),
  /** Number of failed attempts to send the next message. */
  failures: integer().notNull().default(0),
  retryAt: integer('retry_at'),
  lastError: text('last_error'),
  /**
   * When the webhook was paused: after too many failures, or because its address is gone. Cleared once a test message
   * is accepted, or its client refreshes the subscription.
   */
  pausedAt: integer('paused_at'),
  /** The type of events of a subscription; absent for a webhook of the operator. */
  eventName: text('event_name'),
  /** What narrows the events: JSON, as the client sent it, or `{"mine":false}` for a webhook of the operator. */
  arguments: text(),
  /** The cursor after the last event that need not be sent any more. Such cursors hold bursts that have not ended. */
  cursor: text(),
  /** Events from before this time are not sent. */
  notBefore: integer('not_before'),
  /** When a subscription ends unless its client refreshes it. */
  expiresAt: integer('expires_at'),
  /** The secret that the client has replaced. It signs beside the new one until `formerUntil`. */
  formerSecret: text('former_secret'),
  formerUntil: integer('former_until'),
  /** The client that subscribed, and its connection. */
  client: text(),
  connection: text(),
  /** The kind of the last failure, in the words of the protocol. */
  errorKind: text('error_kind'),
  /** When a person paused it. Only a person lets it go on. */
  heldAt: integer('held_at'),
  endedAt: integer('ended_at'),
  endedReason: text('ended_reason'),
  /** 1 once the receiver of an ended subscription was notified, or need not be. */
  isNotified: integer('is_notified').notNull().default(0),
})

/** The process that currently sends to the webhooks of the space. Has at most one row. */
export const webhookLease = sqliteTable('webhook_lease', {
  one: integer().primaryKey(),
  holder: text().notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export type EventRow = typeof event.$inferSelect
export type WebhookRow = typeof webhook.$inferSelect
