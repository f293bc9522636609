/** Tables of imports: their sources, what was imported from them with its text, and the progress of the last ones. */
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
  /** A hash of the bytes of its file, or of all that it was made from where it has no file of its own. */
  content: text(),
  /** From which it follows how much of the file another one has: see src/import/text-sketch.ts. */
  sketch: text(),
  /** The paths that the file had before it was renamed, as JSON. */
  former: text(),
})

/** The text that a document was imported from, so that an export can write it as it was. */
export const sourceText = sqliteTable('source_text', {
  document: integer().primaryKey(),
  /** Where the file was in its source. */
  path: text().notNull(),
  /** The title that it gave the document. */
  title: text().notNull(),
  /** 1 if it was read as a note of a vault. */
  isVault: integer('is_vault').notNull(),
  /** The paths in the source of the files that it shows, by the ID of the file, as JSON. */
  files: text().notNull(),
  /** The text of the file, compressed, in base64. */
  text: text().notNull(),
  /** The revision of the document that was made from it. A document with a later one may have lost some of this text. */
  revision: integer().notNull(),
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
export type SourceTextRow = typeof sourceText.$inferSelect
