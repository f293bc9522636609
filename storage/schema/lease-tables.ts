/** Tables of claims: which rows are held, and the clock of their leases. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A row that somebody holds: an item or a task. Leases are neither in the history nor undone. */
export const lease = sqliteTable('lease', {
  /** The number of the held block. */
  block: integer().primaryKey(),
  /** Grows with each claim in the space. */
  fence: integer().notNull(),
  /** A key of the link that claimed the row; see src/space/model/caller-key.ts. */
  caller: text().notNull(),
  /** The process, session or sign-in that claimed it; absent for single calls. */
  connection: text(),
  author: text().notNull(),
  /** Name that the client reported. */
  client: text(),
  /** Milliseconds since 1970. */
  since: integer().notNull(),
  /** By the clock of leases. */
  endsAt: integer('ends_at').notNull(),
  /** Milliseconds that it lasts from each renewal. */
  duration: integer().notNull(),
  /** The number of the call that claimed the row. */
  call: integer().notNull(),
  /** The values that the claim wrote and those of before, as JSON; absent if it wrote none. */
  restores: text(),
})

/**
 * The clock of leases. It begins with the time of day and then follows a steady clock, so that setting the time of day
 * ends no lease and extends none. Has at most one row.
 */
export const leaseClock = sqliteTable('lease_clock', {
  one: integer().primaryKey(),
  /** Milliseconds. */
  at: integer().notNull(),
  /** What the steady clock showed then. */
  steady: integer().notNull(),
  /** The last fence that was given out. */
  fence: integer().notNull(),
})

export type LeaseRow = typeof lease.$inferSelect
