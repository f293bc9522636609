/** The tables whose changes are kept as history, and how their rows depend on each other. */

/** How changes of one table are kept. Columns have their names in the database. */
export interface HistoryTable {
  /** The columns of the primary key, which identify a row. The first one is a number. */
  key: readonly string[]
  /** All other columns that history keeps. */
  columns: readonly string[]
  /** Columns that hold the number of a row in another table. The row cannot exist without that other row. */
  references: Readonly<Record<string, TableName>>
  /** Sets of columns that are unique: no two rows have the same values in all of them. */
  unique: readonly (readonly string[])[]
  /** Columns with the time or the author of a change. They are not compared, since every change sets them. */
  stamps?: readonly string[]
  /**
   * True if the rows that a call inserts are logged as one range of numbers. In other tables, each row has its own
   * entry.
   */
  isNumbered: boolean
}

export const HISTORY_TABLES = {
  folder: {
    key: ['n'],
    columns: ['id', 'parent', 'name', 'created_at'],
    references: { parent: 'folder' },
    unique: [],
    isNumbered: true,
  },
  block: {
    key: ['n'],
    columns: [
      ...(['id', 'document', 'parent', 'position', 'type', 'text', 'indentation', 'list_style', 'attributes'] as const),
      ...(['number', 'created_at', 'created_by', 'modified_at', 'modified_by'] as const),
    ],
    references: { document: 'block', parent: 'block' },
    unique: [],
    stamps: ['modified_at', 'modified_by'],
    isNumbered: true,
  },
  document: {
    key: ['n'],
    columns: ['location', 'folder', 'daily_note_date', 'created_at', 'modified_at', 'revision', 'trashed_at'],
    references: { n: 'block', folder: 'folder' },
    unique: [],
    stamps: ['trashed_at', 'modified_at', 'revision'],
    isNumbered: false,
  },
  collection: {
    key: ['n'],
    columns: ['title_key', 'title_name', 'active_view'],
    references: { n: 'block', active_view: 'view' },
    unique: [],
    isNumbered: false,
  },
  property: {
    key: ['n'],
    columns: [
      ...(['collection', 'key', 'name', 'type', 'position', 'config', 'target', 'other_side'] as const),
      'is_back_reference',
    ],
    references: { collection: 'collection', target: 'collection', other_side: 'property' },
    unique: [
      ['collection', 'key'],
      ['collection', 'name'],
    ],
    isNumbered: true,
  },
  option: {
    key: ['n'],
    columns: ['property', 'name', 'color', 'position'],
    references: { property: 'property' },
    unique: [['property', 'name']],
    isNumbered: true,
  },
  value: {
    key: ['item', 'property', 'ordinal'],
    columns: ['text', 'number', 'option', 'target'],
    references: { item: 'block', property: 'property', option: 'option', target: 'block' },
    unique: [],
    isNumbered: false,
  },
  view: {
    key: ['n'],
    columns: ['id', 'collection', 'position', 'name', 'type', 'settings'],
    references: { collection: 'collection' },
    unique: [],
    isNumbered: true,
  },
  comment: {
    key: ['n'],
    columns: ['id', 'block', 'author', 'content', 'created_at', 'modified_at', 'resolved_at', 'resolved_by'],
    references: { block: 'block' },
    unique: [],
    stamps: ['modified_at'],
    isNumbered: true,
  },
  reminder: {
    key: ['n'],
    columns: ['id', 'block', 'participant', 'remind_at', 'completed_at', 'created_at'],
    references: { block: 'block' },
    unique: [['block', 'participant']],
    isNumbered: true,
  },
  element: {
    key: ['n'],
    columns: ['board', 'id', 'json'],
    references: { board: 'block' },
    unique: [['board', 'id']],
    isNumbered: true,
  },
  board_asset: {
    key: ['n'],
    columns: ['board', 'id', 'json'],
    references: { board: 'block' },
    unique: [['board', 'id']],
    isNumbered: true,
  },
  board_state: { key: ['board'], columns: ['json'], references: { board: 'block' }, unique: [], isNumbered: false },
  block_file: { key: ['block'], columns: ['file'], references: { block: 'block' }, unique: [], isNumbered: false },
} as const satisfies Record<string, Omit<HistoryTable, 'references'> & { references: Record<string, string> }>

export type TableName = keyof typeof HISTORY_TABLES

export const TABLE_NAMES = Object.keys(HISTORY_TABLES) as TableName[]

export const historyTable = (name: TableName): HistoryTable => HISTORY_TABLES[name]
