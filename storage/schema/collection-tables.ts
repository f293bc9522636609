/** Collections: their columns, options, values and views. */
import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Types of collection properties. */
export const PROPERTY_TYPES = [
  ...(['text', 'number', 'boolean', 'date', 'url', 'email', 'phone'] as const),
  ...(['singleSelect', 'multiSelect', 'relation', 'blockLink', 'rating', 'person'] as const),
] as const
/** Types of views of a collection. */
export const VIEW_TYPES = ['table', 'gallery', 'kanban'] as const

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
  /** The format of a number, or how many stars a rating has at most, as a JSON object. */
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
 * set: `number` for numbers, ratings, booleans (0 and 1) and members (by number), `option` for selects, `target` (a block) for relations and block
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

export type CollectionRow = typeof collection.$inferSelect
export type PropertyRow = typeof property.$inferSelect
export type PropertyType = PropertyRow['type']
export type OptionRow = typeof option.$inferSelect
export type ValueRow = typeof value.$inferSelect
export type ViewRow = typeof view.$inferSelect
