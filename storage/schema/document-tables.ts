/** Folders, documents and their blocks. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Locations of documents. */
export const LOCATIONS = ['folder', 'unsorted', 'templates', 'trash', 'daily_notes', 'inbox', 'logbook'] as const
/**
 * Locations that contain at most one document per space. Listings do not show it. It contains the tasks that belong to
 * no other document.
 */
export const SYSTEM_DOCUMENTS = ['inbox', 'logbook'] as const
export type SystemDocument = (typeof SYSTEM_DOCUMENTS)[number]
/** Locations that a daily connection reaches. */
export const DAILY_LOCATIONS = ['daily_notes', ...SYSTEM_DOCUMENTS] as const

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
  /** Also set while the document is in the trash, so that a deleted daily note keeps its date. */
  dailyNoteDate: text('daily_note_date'),
  createdAt: integer('created_at').notNull(),
  /** Time of the last change in the document. */
  modifiedAt: integer('modified_at').notNull(),
  /** Number of changes in the document. */
  revision: integer().notNull(),
  /** When it was moved to the trash; only set while it is there. */
  trashedAt: integer('trashed_at'),
  /** Number of the last transaction that changed anything in the document; see change-counter.ts. */
  changeNumber: integer('change_number').notNull().default(0),
})

/** A document that agents may not change, and the person who locked it. */
export const documentLock = sqliteTable('document_lock', {
  document: integer().primaryKey(),
  lockedAt: integer('locked_at').notNull(),
  lockedBy: text('locked_by').notNull(),
})

/**
 * Two generated columns are not declared here: `task_open` is whether a task is open, and `task_moment` when it is due
 * or was closed. Two indexes find tasks by them.
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
  /** Of an item of a numbered list: its number, if counting would give another one. */
  number: integer(),
})

/**
 * The IDs that each block links to, in its text or its other fields. Extracted along with the words when the word index
 * is updated.
 */
export const blockLink = sqliteTable(
  'block_link',
  {
    /** A block's ID. There may be no block with it. */
    target: integer().notNull(),
    block: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.target, table.block] })],
)

/**
 * The tags of each block, with the tags that contain them. Extracted along with the words when the word index is updated.
 */
export const blockTag = sqliteTable(
  'block_tag',
  {
    /** In the form in which tags are compared. */
    tag: text().notNull(),
    block: integer().notNull(),
    /** As it is written. */
    name: text().notNull(),
    /** 1 for a tag in front matter. It only counts while the block is the first one of its document. */
    isProperty: integer('is_property').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tag, table.block] })],
)

/** Blocks that a migration left unindexed. They are indexed when the space is next opened. */
export const unindexedBlock = sqliteTable('unindexed_block', { block: integer().primaryKey() })

export type FolderRow = typeof folder.$inferSelect

/** Without the column that only change detection uses. */
export type DocumentRow = Omit<typeof document.$inferSelect, 'changeNumber'>

export type Location = DocumentRow['location']
export type BlockRow = typeof block.$inferSelect
