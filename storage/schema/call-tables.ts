/** Tables of calls that wrote: the audit log, the changes of calls, and their stored responses. */
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
  /** Absent in rows from before history existed, and for writes that were not made by a call. */
  id: integer(),
  /** The process, session or sign-in through which the call came; absent for single calls. */
  connection: text(),
  /** 1 while the changes of the call are stored. */
  hasChanges: integer('has_changes').notNull().default(0),
  /** The size of its changes in bytes, including files that only these changes still refer to. */
  changeBytes: integer('change_bytes').notNull().default(0),
  /** For an undo: the calls that it undid, as a JSON array; see src/space/history/undone-calls.ts. */
  undoes: text(),
  /** The name of the person who approved the call, if it was a proposal. */
  approvedBy: text('approved_by'),
  /** Of administration: the address that it came from, or the person and the machine of the command line. */
  origin: text(),
  /** Of administration: what it was about, as JSON. Of an approval: the proposal, and a hash of its difference. */
  detail: text(),
  /** What earlier entries have lost, which this entry names: see log-chain.ts. As JSON. */
  erased: text(),
  /** The hash over this entry and the one before; empty until the COMMIT, absent in rows from before it existed. */
  hash: text(),
  /** The hash of the changes with their salt; absent if there are none. */
  contentHash: text('content_hash'),
  /** Deleted with the changes. Empty until an entry names that. */
  contentSalt: text('content_salt'),
  /** The hash of the names with their salt; only once they were erased. */
  namesHash: text('names_hash'),
  /** Of author, client, approver, origin and detail. Deleted with them. */
  namesSalt: text('names_salt'),
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
  /** As JSON: all columns of a deleted row, or the old values of the columns that changed; absent if not stored. */
  before: text(),
  /** The bytes that the row counted before the call; only in the first entry of a row in a call, if a text changed. */
  size: integer(),
  /** Who wrote what the entry keeps: a row of `byte_count`; no link if absent. */
  writer: integer(),
})

/** The documents that each call changed. */
export const callDocument = sqliteTable(
  'call_document',
  {
    call: integer().notNull(),
    document: integer().notNull(),
    /** 1 if the call changed the revision of the document. */
    isMarked: integer('is_marked').notNull(),
  },
  (table) => [primaryKey({ columns: [table.call, table.document] })],
)

/**
 * The number of the next call, and the last number in each table before that call; maintained by triggers. Has one row.
 */
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
  /** The last call whose changes are no longer stored. Those of earlier calls are not stored either. */
  forgotten: integer().notNull().default(0),
  /** The last number of a file. */
  file: integer().notNull().default(0),
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
    /** The number of the call in the audit log; absent for responses from before history existed. */
    number: integer(),
  },
  (table) => [primaryKey({ columns: [table.link, table.key] })],
)

export type AuditRow = typeof writeLog.$inferSelect
export type ChangeRow = typeof change.$inferSelect
export type StoredResponseRow = typeof storedResponse.$inferSelect
