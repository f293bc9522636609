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
  /** What the row of the subject does not say, as a JSON object; absent for most kinds. */
  detail: text(),
})

/** An address that receives what happens within the reach of a link. */
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
   * is accepted.
   */
  pausedAt: integer('paused_at'),
})

/** The process that currently sends to the webhooks of the space. Has at most one row. */
export const webhookLease = sqliteTable('webhook_lease', {
  one: integer().primaryKey(),
  holder: text().notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export type EventRow = typeof event.$inferSelect
export type WebhookRow = typeof webhook.$inferSelect
