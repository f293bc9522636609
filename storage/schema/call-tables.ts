/** Calls that wrote: the audit log, what they changed, and their stored responses. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The audit log: one row per call that wrote. */
export const writeLog = sqliteTable('write_log', {
  n: integer().primaryKey(),
  at: integer().notNull(),
  link: text(),
  author: text().notNull(),
  endpoint: text().notNull(),
  ids: text().notNull(),
  /** Name that the client reported; absent if it reported none, and in rows from before this column existed. */
  client: text(),
  /** Absent in rows from before there was a history, and of what was not written by a call. */
  id: integer(),
  /** The process, session or sign-in that it came through; absent for single calls. */
  connection: text(),
  /** 1 while the changes of the call are kept. */
  hasChanges: integer('has_changes').notNull().default(0),
  /** Bytes that its changes take, with those of files that only they still name. */
  changeBytes: integer('change_bytes').notNull().default(0),
  /** Of an undo, the numbers of the calls that it took back, as a JSON array. */
  undoes: text(),
  /** The name of the person who approved it, where it was proposed. */
  approvedBy: text('approved_by'),
})

/** Kinds of changes of rows. */
export const CHANGE_KINDS = ['insert', 'update', 'delete'] as const

/** A row that a call changed, or a range of rows that it inserted. Written by triggers; see history.ts. */
export const change = sqliteTable('change', {
  n: integer().primaryKey(),
  /** The number of the call in the audit log. */
  call: integer().notNull(),
  table: text('tbl').notNull(),
  kind: text({ enum: CHANGE_KINDS }).notNull(),
  /** The number of the row, or the first of a range. */
  row: integer().notNull(),
  /** The last row of a range. */
  last: integer(),
  /** The rest of the row's key. */
  rest: text(),
  /** The document that the row was in before the change. */
  document: integer(),
  /** As JSON, the columns of a deleted row, or those that changed as they were; absent where they are not kept. */
  before: text(),
})

/** The documents that each call changed. */
export const callDocument = sqliteTable(
  'call_document',
  {
    call: integer().notNull(),
    document: integer().notNull(),
    /** 1 where the revision of the document moved. */
    isMarked: integer('is_marked').notNull(),
  },
  (table) => [primaryKey({ columns: [table.call, table.document] })],
)

/** The number of the next call, and the last number of each table before it, maintained by triggers. Has one row. */
export const callStart = sqliteTable('call_start', {
  one: integer().primaryKey(),
  call: integer().notNull(),
  block: integer().notNull(),
  folder: integer().notNull(),
  property: integer().notNull(),
  option: integer().notNull(),
  view: integer().notNull(),
  comment: integer().notNull(),
  reminder: integer().notNull(),
  element: integer().notNull(),
  boardAsset: integer('board_asset').notNull(),
  /** The last call whose changes are not kept any more, nor those of any call before it. */
  forgotten: integer().notNull().default(0),
})

/** Stored responses of calls with an idempotency key, for retries. */
export const storedResponse = sqliteTable(
  'kept_answer',
  {
    link: text().notNull(),
    key: text().notNull(),
    /** A hash of the call and, after a space, a hash of the caller's reach at the time. */
    call: text().notNull(),
    answer: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** The number of the call in the audit log; absent of answers from before there was a history. */
    number: integer(),
  },
  (table) => [primaryKey({ columns: [table.link, table.key] })],
)

export type AuditRow = typeof writeLog.$inferSelect
export type ChangeRow = typeof change.$inferSelect
export type StoredResponseRow = typeof storedResponse.$inferSelect
