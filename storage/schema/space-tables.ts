/** Tables of the space itself, its address keys, its change counter, and its former and retired IDs. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The space of the file, in a single row. */
export const space = sqliteTable('space', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  timezone: text().notNull(),
  /** Signs what ends with a restore, such as cursors, so that it cannot be forged. 32 bytes in hex. */
  secret: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** The day on which weeks begin on the pages, 1 for Monday. Absent, the language of the reader decides. */
  weekStart: integer('week_start'),
  /** The language of dates and numbers on the pages, such as `de`. Absent, that of the reader. */
  dateLanguage: text('date_language'),
})

/**
 * What long IDs and addresses of files are made with. Clients keep these, so neither a restore nor a new secret changes
 * it. One row is current. The others were current in a space that a backup of it has replaced.
 */
export const addressKey = sqliteTable('address_key', {
  /** The first 23 characters of long IDs. */
  idPrefix: text('id_prefix').primaryKey(),
  /** Signs addresses of files. 32 bytes in hex. */
  fileKey: text('file_key').notNull(),
  /** 1 for the row that new addresses are made with; those of the other rows are still accepted. */
  isCurrent: integer('is_current').notNull(),
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
export type AddressKeyRow = typeof addressKey.$inferSelect
