/**
 * The tables as drizzle sees them. The migrations make them; a test holds the two to each other.
 *
 * Each row has an integer `n` (SQLite's rowid: the fastest key, a quarter smaller files) and, where clients name
 * it, a UUIDv7 `id` beside it. Integers stand in every reference, IDs only at the edge. No `n` is ever used twice in its
 * table, even after the row is deleted (AUTOINCREMENT), so that what is kept elsewhere never means another row. Times
 * are milliseconds since 1970 in UTC, dates are `YYYY-MM-DD`.
 */
import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Types of the properties of collections. */
export const PROPERTY_TYPES = [
  ...(['text', 'number', 'boolean', 'date', 'url', 'email', 'phone'] as const),
  ...(['singleSelect', 'multiSelect', 'relation', 'blockLink'] as const),
] as const
/** Ways to show a collection. */
export const VIEW_TYPES = ['table', 'gallery', 'kanban'] as const
/** What a client connection reaches. Source: the interface, "Connection kinds". */
export const CONNECTION_KINDS = ['full', 'selected', 'daily'] as const
/** What an access link allows: everything, everything but deleting, or reading. */
export const ACCESS_LEVELS = ['full', 'no-delete', 'read'] as const
/** Where a document can be. */
export const LOCATIONS = ['folder', 'unsorted', 'templates', 'trash', 'daily_notes', 'inbox', 'logbook'] as const

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
  /** Documents directly in it. Kept by triggers. */
  documentCount: integer('document_count').notNull().default(0),
})

/** One row for each location. Kept by triggers. */
export const locationCount = sqliteTable('location_count', {
  location: text({ enum: LOCATIONS }).primaryKey(),
  documents: integer().notNull(),
})

/** A document is its root block, with the same `n`, and this row that says where it is. */
export const document = sqliteTable('document', {
  n: integer().primaryKey(),
  location: text({ enum: LOCATIONS }).notNull(),
  /** There when, and only when, the location is `folder`. */
  folder: integer(),
  /** Kept in the trash too: a daily note that was thrown away is still known by its date. */
  dailyNoteDate: text('daily_note_date'),
  createdAt: integer('created_at').notNull(),
  /** When anything in it last changed. */
  modifiedAt: integer('modified_at').notNull(),
  /** Counts the changes of anything in it. */
  revision: integer().notNull(),
  /** When it was thrown away; there while it is in the trash. */
  trashedAt: integer('trashed_at'),
  /** That of the last transaction which changed anything in it; see change-counter.ts. */
  changeNumber: integer('change_number').notNull().default(0),
})

/**
 * The generated columns `task_open` and `task_moment`, which drizzle need not know, say of a task whether it is open,
 * and when it is due or was closed; two indexes find tasks by them.
 */
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

/** A collection is a block of type `collection`, with the same `n` and its name as text, and this row. */
export const collection = sqliteTable('collection', {
  n: integer().primaryKey(),
  /** The column of titles: its key never changes. */
  titleKey: text('title_key').notNull(),
  titleName: text('title_name').notNull(),
  /** The number of the view that was made the active one, while there is one. */
  activeView: integer('active_view'),
})

/** A column of a collection. Values refer to it by number, so that a new name rewrites none of them. */
export const property = sqliteTable('property', {
  n: integer().primaryKey(),
  collection: integer().notNull(),
  /** Made from the first name; never changes. */
  key: text().notNull(),
  name: text().notNull(),
  type: text({
    enum: [...PROPERTY_TYPES],
  }).notNull(),
  position: integer().notNull(),
  /** The format of a number, as a JSON object. */
  config: text(),
  /** Of a relation: the collection whose items it names. */
  target: integer(),
  /** Of a relation: the property of the target that says the same from there; the two go together. */
  otherSide: integer('other_side'),
  /** 1 for the side that was made along with the other. */
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
 * One value of an item; several rows, in order, where a property has several. Just one of the last four is there:
 * `number` for numbers and booleans (0 and 1), `option` for selects, `target` (a block) for relations and block
 * links, `text` for all others. The generated column `sortable`, which drizzle need not know, is the number or the
 * beginning of the text in lower case; `(property, sortable)` is indexed, and so are `option` and `target`.
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
  id: text().notNull(),
  collection: integer().notNull(),
  position: integer().notNull(),
  name: text().notNull(),
  type: text({ enum: VIEW_TYPES }).notNull(),
  /** All else, as a JSON object that names properties by number. */
  settings: text().notNull(),
})

/** Who takes part in the space; those without `removedAt` are active. */
export const participant = sqliteTable('participant', {
  n: integer().primaryKey(),
  id: text().notNull(),
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
  removedAt: integer('removed_at'),
})

/** With what a participant signs in here. */
export const password = sqliteTable('password', {
  participant: integer().primaryKey(),
  hash: text().notNull(),
  changedAt: integer('changed_at').notNull(),
})

/** What a participant wants to be reminded of; a block has at most one of each. */
export const reminder = sqliteTable('reminder', {
  n: integer().primaryKey(),
  id: text().notNull(),
  block: integer().notNull(),
  participant: integer().notNull(),
  /** Absent when saved for later. */
  remindAt: integer('remind_at'),
  /** There once it is completed. */
  completedAt: integer('completed_at'),
  createdAt: integer('created_at').notNull(),
})

export const comment = sqliteTable('comment', {
  n: integer().primaryKey(),
  id: text().notNull(),
  block: integer().notNull(),
  author: text().notNull(),
  content: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** An address of the space: who has its secret reaches what its kind and its documents say. */
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
  /** The grant of the consent that made it, where one did. */
  consent: text(),
})

/** What a selected link exposes. */
export const linkDocument = sqliteTable(
  'link_document',
  { link: integer().notNull(), document: integer().notNull() },
  (table) => [primaryKey({ columns: [table.link, table.document] })],
)

/** One row for each call that wrote. */
export const writeLog = sqliteTable('write_log', {
  n: integer().primaryKey(),
  at: integer().notNull(),
  link: text(),
  author: text().notNull(),
  endpoint: text().notNull(),
  ids: text().notNull(),
  /** What the client called itself; absent where it said nothing, and of writes from before this was kept apart. */
  client: text(),
})

/** What a call with an idempotency key answered, for those that come with it again. */
export const keptAnswer = sqliteTable(
  'kept_answer',
  {
    link: text().notNull(),
    key: text().notNull(),
    /** A hash of the call and, after a space, one of what its caller reached then. */
    call: text().notNull(),
    answer: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.link, table.key] })],
)

/** What is drawn on a whiteboard, in its order by `n`; the block is the board. */
export const element = sqliteTable('element', {
  n: integer().primaryKey(),
  board: integer().notNull(),
  /** As the client gave it: the same element may stand on several boards. */
  id: text().notNull(),
  /** The whole element as JSON, whatever keys it has. */
  json: text().notNull(),
})

/** A picture that elements of a board show: one of Excalidraw's `files`. */
export const boardAsset = sqliteTable('board_asset', {
  n: integer().primaryKey(),
  board: integer().notNull(),
  id: text().notNull(),
  json: text().notNull(),
})

/** How a board was left: Excalidraw's `appState`. */
export const boardState = sqliteTable('board_state', {
  board: integer().primaryKey(),
  json: text().notNull(),
})

/** A file; its bytes lie beside the space, under their hash. */
export const file = sqliteTable('file', {
  n: integer().primaryKey(),
  id: text().notNull(),
  hash: text().notNull(),
  /** Bytes. */
  size: integer().notNull(),
  mimeType: text('mime_type').notNull(),
  /** With its extension. */
  name: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

export type SpaceRow = typeof space.$inferSelect
export type FolderRow = typeof folder.$inferSelect
/** Without what is only for those who watch. */
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
export type LinkRow = typeof link.$inferSelect
export type WriteLogRow = typeof writeLog.$inferSelect
export type KeptAnswerRow = typeof keptAnswer.$inferSelect
export type ElementRow = typeof element.$inferSelect
export type Location = DocumentRow['location']
