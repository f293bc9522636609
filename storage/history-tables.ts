/**
 * The tables whose changes are kept as history, and how their rows depend on each other. Triggers log the changes: both
 * engines make theirs from this list (`storage/sqlite/triggers`, `storage/postgres/triggers`).
 */

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
   * True if the rows of the table have numbers of their own, so that those that a call inserts are logged as one range.
   * Rows of other tables have the number of their block: each that is inserted with a block of before has its own entry.
   */
  isNumbered: boolean
  /** The column with the number of a block that is in the same document. Absent for rows that are in no document. */
  block?: string
  /** Sets of columns that change together. Each set that changed has an entry of its own, with its old values. */
  updates: readonly LoggedUpdate[]
}

/** Columns whose change is logged. A change of other columns alone leaves no entry. */
export interface LoggedUpdate {
  columns: readonly string[]
  /** Columns whose old values are kept with these, but whose change alone is not logged. */
  silent?: readonly string[]
  /**
   * True if the columns are the place of a block. Then the block before it is kept as well, and a change of the position
   * alone is not logged, since renumbering siblings changes it.
   */
  isPlace?: boolean
}

/** What a block says, and where it is. */
const CONTENT = ['type', 'text', 'indentation', 'list_style', 'attributes', 'number'] as const
const PLACE = ['document', 'parent', 'position'] as const
const PROPERTY = [
  ...(['collection', 'key', 'name', 'type', 'position', 'config', 'target', 'other_side'] as const),
  'is_back_reference',
] as const

export const HISTORY_TABLES = {
  folder: {
    key: ['n'],
    columns: ['id', 'parent', 'name', 'created_at'],
    references: { parent: 'folder' },
    unique: [],
    isNumbered: true,
    updates: [{ columns: ['parent', 'name'] }],
  },
  block: {
    key: ['n'],
    columns: ['id', ...PLACE, ...CONTENT, 'created_at', 'created_by', 'modified_at', 'modified_by'],
    references: { document: 'block', parent: 'block' },
    unique: [],
    stamps: ['modified_at', 'modified_by'],
    isNumbered: true,
    block: 'n',
    updates: [
      { columns: CONTENT, silent: ['modified_at', 'modified_by'] },
      { columns: PLACE, isPlace: true },
    ],
  },
  document: {
    key: ['n'],
    columns: ['location', 'folder', 'daily_note_date', 'created_at', 'modified_at', 'revision', 'trashed_at'],
    references: { n: 'block', folder: 'folder' },
    unique: [],
    stamps: ['trashed_at', 'modified_at', 'revision'],
    isNumbered: false,
    block: 'n',
    updates: [{ columns: ['location', 'folder', 'daily_note_date', 'trashed_at'] }],
  },
  collection: {
    key: ['n'],
    columns: ['title_key', 'title_name', 'active_view'],
    references: { n: 'block', active_view: 'view' },
    unique: [],
    isNumbered: false,
    block: 'n',
    updates: [{ columns: ['title_name', 'active_view'] }],
  },
  property: {
    key: ['n'],
    columns: PROPERTY,
    references: { collection: 'collection', target: 'collection', other_side: 'property' },
    unique: [
      ['collection', 'key'],
      ['collection', 'name'],
    ],
    isNumbered: true,
    block: 'collection',
    updates: [{ columns: PROPERTY }],
  },
  option: {
    key: ['n'],
    columns: ['property', 'name', 'color', 'position'],
    references: { property: 'property' },
    unique: [['property', 'name']],
    isNumbered: true,
    // That of its property.
    block: 'collection',
    updates: [{ columns: ['property', 'name', 'color', 'position'] }],
  },
  value: {
    key: ['item', 'property', 'ordinal'],
    columns: ['text', 'number', 'option', 'target'],
    references: { item: 'block', property: 'property', option: 'option', target: 'block' },
    unique: [],
    isNumbered: false,
    block: 'item',
    updates: [{ columns: ['text', 'number', 'option', 'target'] }],
  },
  view: {
    key: ['n'],
    columns: ['id', 'collection', 'position', 'name', 'type', 'settings'],
    references: { collection: 'collection' },
    unique: [],
    isNumbered: true,
    block: 'collection',
    updates: [{ columns: ['position', 'name', 'type', 'settings'] }],
  },
  comment: {
    key: ['n'],
    columns: [
      ...['id', 'block', 'author', 'content', 'created_at', 'modified_at', 'resolved_at', 'resolved_by', 'unconfirmed'],
      ...['thread', 'words'],
    ],
    references: { block: 'block' },
    unique: [],
    stamps: ['modified_at'],
    isNumbered: true,
    block: 'block',
    updates: [{ columns: ['content', 'modified_at', 'resolved_at', 'resolved_by', 'unconfirmed'] }],
  },
  reminder: {
    key: ['n'],
    columns: ['id', 'block', 'participant', 'remind_at', 'completed_at', 'created_at'],
    references: { block: 'block' },
    unique: [['block', 'participant']],
    isNumbered: true,
    block: 'block',
    updates: [{ columns: ['remind_at', 'completed_at'] }],
  },
  element: {
    key: ['n'],
    columns: ['board', 'id', 'json'],
    references: { board: 'block' },
    unique: [['board', 'id']],
    isNumbered: true,
    block: 'board',
    updates: [{ columns: ['json'] }],
  },
  board_asset: {
    key: ['n'],
    columns: ['board', 'id', 'json'],
    references: { board: 'block' },
    unique: [['board', 'id']],
    isNumbered: true,
    block: 'board',
    updates: [{ columns: ['json'] }],
  },
  board_state: {
    key: ['board'],
    columns: ['json'],
    references: { board: 'block' },
    unique: [],
    isNumbered: false,
    block: 'board',
    updates: [{ columns: ['json'] }],
  },
  block_file: {
    key: ['block'],
    columns: ['file'],
    references: { block: 'block' },
    unique: [],
    isNumbered: false,
    block: 'block',
    updates: [{ columns: ['file'] }],
  },
} as const satisfies Record<string, Omit<HistoryTable, 'references'> & { references: Record<string, string> }>

export type TableName = keyof typeof HISTORY_TABLES

export const TABLE_NAMES = Object.keys(HISTORY_TABLES) as TableName[]

export const historyTable = (name: TableName): HistoryTable => HISTORY_TABLES[name]

/** A table as the triggers log it. */
export interface LoggedTable {
  name: TableName
  /** The column with the number of the row. */
  key: string
  /** The other columns of the key. History keeps their values with slashes between them. */
  rest: readonly string[]
  /** All columns, apart from the key. */
  columns: readonly string[]
  updates: readonly LoggedUpdate[]
  /** The column with the number of a block in the same document. Options have that of their property. */
  block: string | undefined
  /** True if an entry of a row that is gone keeps the block before it. */
  hasPlace: boolean
  /** The table that the numbers of the rows come from. */
  numbers: TableName
}

export const LOGGED_TABLES: readonly LoggedTable[] = TABLE_NAMES.map((name) => {
  const { key, columns, updates, block, isNumbered } = historyTable(name)
  const [number = 'n', ...rest] = key
  const hasPlace = updates.some(({ isPlace = false }) => isPlace)
  return { name, key: number, rest, columns, updates, block, hasPlace, numbers: isNumbered ? name : 'block' }
})

/** Tables whose new rows get numbers of their own, in the order in which the new rows of a call are logged. */
export const NUMBERED_TABLES: readonly TableName[] = [
  'block',
  ...TABLE_NAMES.filter((name) => name !== 'block' && historyTable(name).isNumbered),
]
