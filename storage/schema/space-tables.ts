/** Tables of the space itself, its change counter, and its former and retired IDs. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The space of the file, in a single row. */
export const space = sqliteTable('space', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  timezone: text().notNull(),
  /** Signs cursors so that they cannot be forged. Never leaves the file. 32 bytes in hex. */
  secret: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** Counts writes, so that other processes notice them. Has one row. */
export const changeCounter = sqliteTable('change_counter', {
  one: integer().primaryKey(),
  value: integer().notNull(),
  /** The value when the list of resources last changed. */
  listing: integer().notNull(),
})

/** The UUIDs of rows from before IDs were numbers. */
export const formerId = sqliteTable('former_id', { former: text().primaryKey(), id: integer().notNull() })

/** IDs of deleted rows, filled by triggers, so that no ID is drawn a second time. */
export const retiredId = sqliteTable('retired_id', { id: integer().primaryKey() })

export type SpaceRow = typeof space.$inferSelect
