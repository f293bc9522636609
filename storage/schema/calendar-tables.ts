/** Tables of calendars of others. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Somebody else's calendar that one person is subscribed to: a participant who signed in, the person who uses
 * a link, or the operator, for whom both are absent.
 */
export const subscribedCalendar = sqliteTable('subscribed_calendar', {
  n: integer().primaryKey(),
  participant: integer(),
  link: integer(),
  /** Who has the address can often read the calendar. */
  url: text().notNull(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** When it was last asked for, and last read. */
  checkedAt: integer('checked_at').notNull(),
  readAt: integer('read_at'),
  /** Since when it cannot be read, and why. */
  failingSince: integer('failing_since'),
  fault: text(),
  /** How its server names this version. */
  etag: text(),
  lastModified: text('last_modified'),
  /** What is kept of it: titles and times, as iCalendar. */
  content: text().notNull().default(''),
  /** Events that were left out of it. */
  leftOut: integer('left_out').notNull().default(0),
})

export type SubscribedCalendarRow = typeof subscribedCalendar.$inferSelect
