/** Tables that count stored bytes. Triggers maintain all of them; see byte-counts.ts. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The bytes that each link wrote and that are still stored. */
export const byteCount = sqliteTable('byte_count', {
  n: integer().primaryKey(),
  /** The ID of a link, `''` for everything that no link wrote, or `*` for the whole space. */
  link: text().notNull(),
  documents: integer().notNull(),
  history: integer().notNull(),
  files: integer().notNull(),
})

/** Whose rows of a table these are: those from a number on, until the next such number. */
export const writtenRange = sqliteTable(
  'written_range',
  {
    table: text('tbl').notNull(),
    first: integer().notNull(),
    /** A row of `byte_count`. */
    writer: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.table, table.first] })],
)

/** Rows whose last content was written by another link than the one of their range. */
export const writtenRow = sqliteTable(
  'written_row',
  {
    table: text('tbl').notNull(),
    row: integer().notNull(),
    /** The rest of the row's key, or an empty text. */
    rest: text().notNull(),
    writer: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.table, table.row, table.rest] })],
)

export type ByteCountRow = typeof byteCount.$inferSelect
