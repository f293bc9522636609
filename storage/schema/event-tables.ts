/** Events, and the webhooks that are sent them. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What happened without being a call, such as that a reminder was due; each once. */
export const event = sqliteTable('event', {
  n: integer().primaryKey(),
  /** The number of the last call before it. */
  call: integer().notNull(),
  at: integer().notNull(),
  kind: text().notNull(),
  /** The number of what it is about, in the table of its kind. */
  subject: integer().notNull(),
})

/** An address that is sent what happens within the reach of a link. */
export const webhook = sqliteTable('webhook', {
  n: integer().primaryKey(),
  id: text().notNull(),
  link: integer().notNull(),
  url: text().notNull(),
  /** Signs what is sent: `whsec_` and base64. */
  secret: text().notNull(),
  /** The types of events and the tools that it is for, as a JSON array; all when absent. */
  events: text(),
  createdAt: integer('created_at').notNull(),
  /** The last call and the last event that need not be sent any more. */
  call: integer().notNull(),
  event: integer().notNull(),
  /** What `reachChanges` of the link was at the last message about it. */
  reachChanges: integer('reach_changes').notNull(),
  deliveredAt: integer('delivered_at'),
  /** Tries of the next message that failed. */
  failures: integer().notNull().default(0),
  retryAt: integer('retry_at'),
  lastError: text('last_error'),
  /** When it was given up, until somebody tests it. */
  pausedAt: integer('paused_at'),
})

/** Which process sends to the addresses of the space. Has one row at most. */
export const webhookLease = sqliteTable('webhook_lease', {
  one: integer().primaryKey(),
  holder: text().notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export type EventRow = typeof event.$inferSelect
export type WebhookRow = typeof webhook.$inferSelect
