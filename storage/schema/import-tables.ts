/** Tables of imports: their sources, and what was imported from them. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A source of imports. */
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
  /** The path of the document or item in its source. */
  path: text().notNull(),
  /** For a block that others link to: the name by which they link to it. Empty for the document or item itself. */
  anchor: text().notNull(),
  /** Its ID, reserved before it is written. */
  id: integer().notNull(),
  /** The document that it was written to; absent until then. */
  document: integer(),
  /** A hash of everything that it was made from; absent until it is written. */
  hash: text(),
  /** The revision of the document after it was written. */
  revision: integer(),
})

export type ImportedRow = typeof imported.$inferSelect
