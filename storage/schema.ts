/**
 * The tables as drizzle sees them. The migrations make them; a test holds the two to each other.
 *
 * Each row has an integer `n` (SQLite's rowid: the fastest key, a quarter smaller files) and, where clients name
 * it, a UUIDv7 `id` beside it. Integers stand in every reference, IDs only at the edge. Times are milliseconds
 * since 1970 in UTC, dates are `YYYY-MM-DD`.
 */
import { integer, sqliteTable, text } from './drizzle.ts'

/** One row: the space that the file holds. */
export const space = sqliteTable('space', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  timezone: text().notNull(),
  /** Signs cursors, so that none can be made up; never leaves the file. 32 bytes in hex. */
  secret: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const folder = sqliteTable('folder', {
  n: integer().primaryKey(),
  id: text().notNull(),
  parent: integer(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** A document is its root block, with the same `n`, and this row that says where it is. */
export const document = sqliteTable('document', {
  n: integer().primaryKey(),
  location: text({ enum: ['folder', 'unsorted', 'templates', 'trash', 'daily_notes'] }).notNull(),
  /** There when, and only when, the location is `folder`. */
  folder: integer(),
  /** Kept in the trash too: a daily note that was thrown away is still known by its date. */
  dailyNoteDate: text('daily_note_date'),
  createdAt: integer('created_at').notNull(),
  /** When anything in it last changed. */
  modifiedAt: integer('modified_at').notNull(),
  /** Counts the changes of anything in it. */
  revision: integer().notNull(),
})

export const block = sqliteTable('block', {
  n: integer().primaryKey(),
  id: text().notNull(),
  /** The root block of the document it stands in; of a root block, itself. */
  document: integer().notNull(),
  parent: integer(),
  /** Order among siblings: integers with gaps, renumbered where a gap is used up. */
  position: integer().notNull(),
  type: text().notNull(),
  text: text().notNull(),
  indentation: integer().notNull(),
  listStyle: text('list_style'),
  /** All other fields, as a JSON object; absent when there are none. */
  attributes: text(),
  createdAt: integer('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  /** Absent until the block first changes. */
  modifiedAt: integer('modified_at'),
  modifiedBy: text('modified_by'),
})

export type SpaceRow = typeof space.$inferSelect
export type FolderRow = typeof folder.$inferSelect
export type DocumentRow = typeof document.$inferSelect
export type BlockRow = typeof block.$inferSelect
export type Location = DocumentRow['location']
