/** Tables of what is attached to blocks: reminders, comments, drawings and files. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Reminders of participants. A block has at most one per participant. */
export const reminder = sqliteTable('reminder', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  block: integer().notNull(),
  participant: integer().notNull(),
  /** Absent for "saved for later". */
  remindAt: integer('remind_at'),
  /** Present once it is completed. */
  completedAt: integer('completed_at'),
  createdAt: integer('created_at').notNull(),
})

export const comment = sqliteTable('comment', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  block: integer().notNull(),
  author: text().notNull(),
  content: text().notNull(),
  createdAt: integer('created_at').notNull(),
  modifiedAt: integer('modified_at'),
  resolvedAt: integer('resolved_at'),
  /** The author who resolved it. */
  resolvedBy: text('resolved_by'),
  /** 1 while it names members, its author may not write, and no one who may has confirmed it. */
  unconfirmed: integer(),
  /** The ID of the first comment of its thread, if that is about words; null in the thread about the whole block. */
  thread: integer(),
  /** The words that its thread is about, as they were when it began. */
  words: text(),
})

/** Elements of a whiteboard, ordered by `n`; `board` is its block. */
export const element = sqliteTable('element', {
  n: integer().primaryKey(),
  board: integer().notNull(),
  /** As sent by the client. The same element may be on several boards. */
  id: text().notNull(),
  /** The whole element as JSON, including unknown keys. */
  json: text().notNull(),
})

/** An image that elements of a board show: one of Excalidraw's `files`. */
export const whiteboardAsset = sqliteTable('board_asset', {
  n: integer().primaryKey(),
  board: integer().notNull(),
  id: text().notNull(),
  json: text().notNull(),
})

/** Saved state of a board: Excalidraw's `appState`. */
export const whiteboardState = sqliteTable('board_state', {
  board: integer().primaryKey(),
  json: text().notNull(),
})

/** A file. Its bytes are stored next to the space file, under their hash. */
export const file = sqliteTable('file', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  hash: text().notNull(),
  /** Bytes. */
  size: integer().notNull(),
  mimeType: text('mime_type').notNull(),
  /** Including its extension. */
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** The file of each block that shows one. */
export const blockFile = sqliteTable('block_file', { block: integer().primaryKey(), file: integer().notNull() })

/** An upload that the server expects: a client sends the bytes to an address with a secret. */
export const upload = sqliteTable('upload', {
  secretHash: text('secret_hash').primaryKey(),
  link: text().notNull(),
  /** The input of the call, as JSON. */
  asked: text().notNull(),
  expiresAt: integer('expires_at').notNull(),
})

export type ReminderRow = typeof reminder.$inferSelect
export type CommentRow = typeof comment.$inferSelect
export type ElementRow = typeof element.$inferSelect
export type FileRow = typeof file.$inferSelect
