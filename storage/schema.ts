/**
 * The tables as declared for drizzle. Migrations create them, and a test checks that the two agree.
 *
 * Each row has an integer `n` (SQLite's rowid: the fastest key, and files are a quarter smaller). Rows that clients
 * name also have an `id`: a number of twelve digits, drawn by chance and unique in its space over all tables. Spaces,
 * participants and access links have a UUIDv7. References between tables use integers; IDs are used only at the edge. An `n` is never
 * reused in its table, even after the row is deleted (AUTOINCREMENT), so a stored number never refers to another row.
 * Times are milliseconds since 1970 in UTC, dates are `YYYY-MM-DD`.
 */
import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Types of collection properties. */
export const PROPERTY_TYPES = [
  ...(['text', 'number', 'boolean', 'date', 'url', 'email', 'phone'] as const),
  ...(['singleSelect', 'multiSelect', 'relation', 'blockLink'] as const),
] as const
/** Types of views of a collection. */
export const VIEW_TYPES = ['table', 'gallery', 'kanban'] as const
/** What a client connection reaches. Source: the interface, "Connection kinds". */
export const CONNECTION_KINDS = ['full', 'selected', 'daily'] as const
/** What an access link allows: everything, everything but deleting, or reading. */
export const ACCESS_LEVELS = ['full', 'no-delete', 'read'] as const
/** Locations of documents. */
export const LOCATIONS = ['folder', 'unsorted', 'templates', 'trash', 'daily_notes', 'inbox', 'logbook'] as const

/**
 * Locations of which a space has at most one document, not shown in listings. They hold the tasks that belong to no
 * other document.
 */
export const SYSTEM_DOCUMENTS = ['inbox', 'logbook'] as const
export type SystemDocument = (typeof SYSTEM_DOCUMENTS)[number]
/** Locations that a daily connection reaches. */
export const DAILY_LOCATIONS = ['daily_notes', ...SYSTEM_DOCUMENTS] as const

/** The space of the file, in a single row. */
export const space = sqliteTable('space', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  timezone: text().notNull(),
  /** Signs cursors so that they cannot be forged. Never leaves the file. 32 bytes in hex. */
  secret: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const folder = sqliteTable('folder', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  parent: integer(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** Number of documents directly in the folder, maintained by triggers. */
  documentCount: integer('document_count').notNull().default(0),
})

/** One row per location, maintained by triggers. */
export const locationCount = sqliteTable('location_count', {
  location: text({ enum: LOCATIONS }).primaryKey(),
  documents: integer().notNull(),
})

/** A document is its root block, with the same `n`, plus this row with its location. */
export const document = sqliteTable('document', {
  n: integer().primaryKey(),
  location: text({ enum: LOCATIONS }).notNull(),
  /** Present if and only if the location is `folder`. */
  folder: integer(),
  /** Kept in the trash, so that a deleted daily note still has its date. */
  dailyNoteDate: text('daily_note_date'),
  createdAt: integer('created_at').notNull(),
  /** Time of the last change in the document. */
  modifiedAt: integer('modified_at').notNull(),
  /** Number of changes in the document. */
  revision: integer().notNull(),
  /** When it was moved to the trash; present while it is there. */
  trashedAt: integer('trashed_at'),
  /** Number of the last transaction that changed anything in the document; see change-counter.ts. */
  changeNumber: integer('change_number').notNull().default(0),
})

/**
 * Two generated columns are not declared here: `task_open` tells whether a task is open, and `task_moment` when it is
 * due or was closed. Two indexes find tasks by them.
 */
export const block = sqliteTable('block', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  /** The root block of its document; for a root block, itself. */
  document: integer().notNull(),
  parent: integer(),
  /** Order among siblings: integers with gaps, renumbered when a gap is used up. */
  position: integer().notNull(),
  type: text().notNull(),
  text: text().notNull(),
  indentation: integer().notNull(),
  listStyle: text('list_style'),
  /** All other fields as a JSON object; absent if there are none. */
  attributes: text(),
  createdAt: integer('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  /** Absent until the block first changes. */
  modifiedAt: integer('modified_at'),
  modifiedBy: text('modified_by'),
})

/** A collection is a block of type `collection`, with the same `n` and its name as text, and this row. */
export const collection = sqliteTable('collection', {
  n: integer().primaryKey(),
  /** Key of the title column, which never changes. */
  titleKey: text('title_key').notNull(),
  titleName: text('title_name').notNull(),
  /** Number of the active view, if any. */
  activeView: integer('active_view'),
})

/** A column of a collection. Values refer to it by number, so a new name does not rewrite them. */
export const property = sqliteTable('property', {
  n: integer().primaryKey(),
  collection: integer().notNull(),
  /** Derived from the first name; never changes. */
  key: text().notNull(),
  name: text().notNull(),
  type: text({
    enum: [...PROPERTY_TYPES],
  }).notNull(),
  position: integer().notNull(),
  /** The format of a number, as a JSON object. */
  config: text(),
  /** For a relation, the collection of the items it refers to. */
  target: integer(),
  /** For a relation, the inverse property in the target collection. The two are deleted together. */
  otherSide: integer('other_side'),
  /** 1 for the side that was created along with the other. */
  isBackReference: integer('is_back_reference').notNull(),
})

export const option = sqliteTable('option', {
  n: integer().primaryKey(),
  property: integer().notNull(),
  name: text().notNull(),
  color: text().notNull(),
  position: integer().notNull(),
})

/**
 * One value of an item; several ordered rows if a property has several values. Exactly one of the last four columns is
 * set: `number` for numbers and booleans (0 and 1), `option` for selects, `target` (a block) for relations and block
 * links, `text` for all others. The generated column `sortable`, not declared here, is the number or the beginning of
 * the text in lower case. There are indexes on `(property, sortable)`, `option` and `target`.
 */
export const value = sqliteTable(
  'value',
  {
    item: integer().notNull(),
    property: integer().notNull(),
    ordinal: integer().notNull(),
    text: text(),
    number: real(),
    option: integer(),
    target: integer(),
  },
  (table) => [primaryKey({ columns: [table.item, table.property, table.ordinal] })],
)

export const view = sqliteTable('view', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  collection: integer().notNull(),
  position: integer().notNull(),
  name: text().notNull(),
  type: text({ enum: VIEW_TYPES }).notNull(),
  /** All other fields, as a JSON object that refers to properties by number. */
  settings: text().notNull(),
})

/** The participants of a space. Those without `removedAt` are active. */
export const participant = sqliteTable('participant', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
  removedAt: integer('removed_at'),
})

/** Password of a participant. */
export const password = sqliteTable('password', {
  participant: integer().primaryKey(),
  hash: text().notNull(),
  changedAt: integer('changed_at').notNull(),
})

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
  /** The name of who resolved it. */
  resolvedBy: text('resolved_by'),
})

/** An access link: its secret grants access within its kind and documents. */
export const link = sqliteTable('link', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  kind: text({ enum: CONNECTION_KINDS }).notNull(),
  access: text({ enum: ACCESS_LEVELS }).notNull(),
  secretHash: text('secret_hash').notNull(),
  isBearer: integer('is_bearer').notNull(),
  participant: integer().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
  /** The grant of the consent that created the link, if any. */
  consent: text(),
})

/** Documents that a selected link exposes. */
export const linkDocument = sqliteTable(
  'link_document',
  {
    link: integer().notNull(),
    document: integer().notNull(),
    /** The number of the first call after it was exposed: the link sees no history from before. */
    since: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.link, table.document] })],
)

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

/** Which file a block has. */
export const blockFile = sqliteTable('block_file', { block: integer().primaryKey(), file: integer().notNull() })

/** An upload that was promised: its bytes come to an address with a secret. */
export const upload = sqliteTable('upload', {
  secretHash: text('secret_hash').primaryKey(),
  link: text().notNull(),
  /** The input of the call, as JSON. */
  asked: text().notNull(),
  expiresAt: integer('expires_at').notNull(),
})

/** A user of an external issuer. */
export const identity = sqliteTable('identity', {
  n: integer().primaryKey(),
  issuer: text().notNull(),
  subject: text().notNull(),
  participant: integer().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** The access link of an identity that signed in with a program; '' where the issuer does not name it. */
export const signIn = sqliteTable(
  'sign_in',
  { identity: integer().notNull(), client: text().notNull(), link: integer().notNull() },
  (table) => [primaryKey({ columns: [table.identity, table.client] })],
)

/** Counts writes, so that other processes notice them. Has one row. */
export const changeCounter = sqliteTable('change_counter', {
  one: integer().primaryKey(),
  value: integer().notNull(),
  /** The value when the list of resources last changed. */
  listing: integer().notNull(),
})

/** Which blocks have a link to an ID in their text or fields: found with the words, when the index of words is kept. */
export const blockLink = sqliteTable(
  'block_link',
  {
    /** An ID, whether there is a block with it or not. */
    target: integer().notNull(),
    block: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.target, table.block] })],
)

/** Blocks that a migration left to index when the space is next opened. */
export const unindexedBlock = sqliteTable('unindexed_block', { block: integer().primaryKey() })

/** UUIDs that things had before their IDs were numbers. */
export const formerId = sqliteTable('former_id', { former: text().primaryKey(), id: integer().notNull() })

/** IDs of what was deleted, filled by triggers: none is drawn a second time. */
export const retiredId = sqliteTable('retired_id', { id: integer().primaryKey() })

export type SpaceRow = typeof space.$inferSelect
export type FolderRow = typeof folder.$inferSelect
/** Without the column that only change detection uses. */
export type DocumentRow = Omit<typeof document.$inferSelect, 'changeNumber'>
export type BlockRow = typeof block.$inferSelect
export type CollectionRow = typeof collection.$inferSelect
export type PropertyRow = typeof property.$inferSelect
export type PropertyType = PropertyRow['type']
export type OptionRow = typeof option.$inferSelect
export type ValueRow = typeof value.$inferSelect
export type ViewRow = typeof view.$inferSelect
export type ParticipantRow = typeof participant.$inferSelect
export type PasswordRow = typeof password.$inferSelect
export type ReminderRow = typeof reminder.$inferSelect
export type CommentRow = typeof comment.$inferSelect
export type FileRow = typeof file.$inferSelect
export type AccessLinkRow = typeof link.$inferSelect
export type AuditRow = typeof writeLog.$inferSelect
export type ChangeRow = typeof change.$inferSelect
export type StoredResponseRow = typeof storedResponse.$inferSelect
export type ElementRow = typeof element.$inferSelect
export type Location = DocumentRow['location']
