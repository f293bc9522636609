/** What was imported, and from where. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Where something was imported from. */
export const importSource = sqliteTable('import_source', {
  n: integer().primaryKey(),
  /** The path of a folder or file on this machine, or the name under which it was sent. */
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** A document, item or block that was imported, or will be. */
export const imported = sqliteTable('imported', {
  n: integer().primaryKey(),
  source: integer().notNull(),
  /** Where the document or item is in its source. */
  path: text().notNull(),
  /** Of a block that others link to: how they name it. Empty for the document or item itself. */
  anchor: text().notNull(),
  /** The ID that it has, or gets when it is written. */
  id: integer().notNull(),
  /** The document that it was written to. */
  document: integer(),
  /** A hash of all that it was made from; absent until it is written. */
  hash: text(),
  /** The revision of the document after it was written. */
  revision: integer(),
})

export type ImportedRow = typeof imported.$inferSelect
