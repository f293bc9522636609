/** Tables of imports: their sources, what was imported from them, and the progress of the last ones. */
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

/** An import over HTTP: one of the last ones of the space. */
export const importJob = sqliteTable('import_job', {
  n: integer().primaryKey(),
  id: text().notNull(),
  /** The name under which the zip was sent. */
  name: text().notNull(),
  status: text({ enum: ['running', 'done', 'failed', 'stopped'] }).notNull(),
  /** Number of documents that were written. */
  done: integer().notNull(),
  total: integer().notNull(),
  /** Milliseconds since the first document was started. */
  elapsed: integer().notNull(),
  /** While the import runs: milliseconds since 1970 until which its process is expected to renew this. */
  aliveUntil: integer('alive_until').notNull(),
  /** The report or the error, as JSON; absent until the import has ended. */
  outcome: text(),
})

export type ImportJobRow = typeof importJob.$inferSelect
export type ImportedRow = typeof imported.$inferSelect
