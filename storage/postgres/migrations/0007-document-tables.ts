/** Tables of documents, with all that is in them, and the participants of the space. Part of schema 7. */
import { FLAG, HASH, ID, INTEGER, NAME, OPTIONAL, oneOf, WORD } from './column-types.ts'
import { type TableDefinition, TEXT } from './define-table.ts'

const TASK_STATE = `coalesce(attributes::json #>> '{taskInfo,state}', 'todo')`
const taskField = (field: string): string => `attributes::json #>> '{taskInfo,${field}}'`

export const DOCUMENT_TABLES: readonly TableDefinition[] = [
  {
    name: 'space',
    columns: {
      n: `${INTEGER} CHECK (n = 1)`,
      id: WORD,
      name: WORD,
      timezone: WORD,
      secret: HASH('secret'),
      created_at: INTEGER,
    },
    key: ['n'],
  },
  {
    name: 'folder',
    columns: {
      n: INTEGER,
      id: ID,
      parent: 'bigint CHECK (parent <> n)',
      name: NAME,
      created_at: INTEGER,
      document_count: FLAG,
    },
    key: ['n'],
    unique: [['id']],
    references: [{ column: 'parent', table: 'folder' }],
    indexes: { folder_parent: 'parent)' },
    isNumbered: true,
  },
  { name: 'location_count', columns: { location: WORD, documents: INTEGER }, key: ['location'] },
  {
    name: 'block',
    columns: {
      n: INTEGER,
      id: ID,
      document: INTEGER,
      parent: 'bigint CHECK (parent <> n)',
      position: INTEGER,
      type: `${WORD} ${oneOf('type', [
        ...['text', 'page', 'collectionItem', 'image', 'video', 'file', 'drawing', 'whiteboard', 'table', 'collection'],
        ...['code', 'richUrl', 'line'],
      ])}`,
      text: WORD,
      indentation: 'bigint NOT NULL CHECK (indentation BETWEEN 0 AND 5)',
      list_style: `${TEXT} ${oneOf('list_style', ['bullet', 'task', 'numbered', 'toggle'])}`,
      attributes: TEXT,
      created_at: INTEGER,
      created_by: WORD,
      modified_at: OPTIONAL,
      modified_by: TEXT,
      // Of a task: whether it is still to be done, and when it is due ('~', after all days, without a date) or was closed.
      task_open: `bigint GENERATED ALWAYS AS (
    CASE WHEN list_style = 'task' THEN CASE WHEN ${TASK_STATE} = 'todo' THEN 1 ELSE 0 END END) STORED`,
      task_moment: `${TEXT} GENERATED ALWAYS AS (
    CASE WHEN list_style <> 'task' OR list_style IS NULL THEN NULL
      WHEN ${TASK_STATE} = 'todo' THEN coalesce(${taskField('scheduleDate')}, ${taskField('deadlineDate')}, '~')
      ELSE coalesce(${taskField('completedAt')}, ${taskField('canceledAt')}, '') END) STORED`,
      // Of a list item, if it is another one than counting its list gives.
      number: 'bigint CHECK (number BETWEEN 0 AND 999999999)',
    },
    key: ['n'],
    unique: [['id']],
    references: [
      { column: 'document', table: 'block' },
      { column: 'parent', table: 'block' },
    ],
    checks: ['(parent IS NULL) = (document = n)', '(modified_at IS NULL) = (modified_by IS NULL)'],
    indexes: {
      block_place: 'document, parent, position, n)',
      block_parent: 'parent)',
      block_task: 'task_open, task_moment, n, document) WHERE task_open IS NOT NULL',
      block_document_task: 'document, task_open, task_moment, n) WHERE task_open IS NOT NULL',
      block_whiteboard: `n) WHERE type = 'whiteboard'`,
      block_collection: `document, n) WHERE type = 'collection'`,
    },
    isNumbered: true,
  },
  {
    name: 'document',
    columns: {
      n: INTEGER,
      location: `${WORD} ${oneOf('location', ['unsorted', 'folder', 'daily_notes', 'templates', 'trash', 'inbox', 'logbook'])}`,
      folder: OPTIONAL,
      daily_note_date: `${TEXT} CHECK (daily_note_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$')`,
      created_at: INTEGER,
      modified_at: INTEGER,
      revision: INTEGER,
      trashed_at: OPTIONAL,
      change_number: FLAG,
    },
    key: ['n'],
    references: [
      { column: 'n', table: 'block' },
      { column: 'folder', table: 'folder' },
    ],
    checks: [
      `(location = 'folder') = (folder IS NOT NULL)`,
      `location <> 'daily_notes' OR daily_note_date IS NOT NULL`,
    ],
    indexes: {
      document_folder: 'folder) WHERE folder IS NOT NULL',
      document_daily_note: 'daily_note_date) WHERE daily_note_date IS NOT NULL',
      document_modified: 'modified_at)',
      document_place: 'location, folder)',
      document_created: 'created_at)',
      document_change: 'change_number)',
    },
    uniqueIndexes: { document_kept: `location) WHERE location IN ('inbox', 'logbook')` },
  },
  {
    name: 'collection',
    columns: {
      n: INTEGER,
      title_key: `${WORD} CHECK (title_key <> '')`,
      title_name: `${WORD} CHECK (title_name <> '')`,
      active_view: OPTIONAL,
    },
    key: ['n'],
    references: [
      { column: 'n', table: 'block', onDelete: 'CASCADE' },
      { column: 'active_view', table: 'view', onDelete: 'SET NULL' },
    ],
    indexes: { collection_active_view: 'active_view) WHERE active_view IS NOT NULL' },
  },
  {
    name: 'property',
    columns: {
      n: INTEGER,
      collection: INTEGER,
      key: `${WORD} CHECK (key <> '')`,
      name: NAME,
      type: `${WORD} ${oneOf('type', [
        ...['text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink', 'singleSelect', 'multiSelect'],
        'relation',
      ])}`,
      position: INTEGER,
      config: TEXT,
      target: OPTIONAL,
      other_side: 'bigint CHECK (other_side <> n)',
      is_back_reference: 'bigint NOT NULL CHECK (is_back_reference IN (0, 1))',
    },
    key: ['n'],
    unique: [['collection', 'key']],
    references: [
      { column: 'collection', table: 'collection', onDelete: 'CASCADE' },
      { column: 'target', table: 'collection', onDelete: 'CASCADE' },
      { column: 'other_side', table: 'property', onDelete: 'CASCADE' },
    ],
    checks: [
      `(type = 'relation') = (target IS NOT NULL)`,
      `type = 'relation' OR (other_side IS NULL AND is_back_reference = 0)`,
    ],
    indexes: {
      property_target: 'target) WHERE target IS NOT NULL',
      property_other_side: 'other_side) WHERE other_side IS NOT NULL',
    },
    isNumbered: true,
  },
  {
    name: 'option',
    columns: {
      n: INTEGER,
      property: INTEGER,
      name: NAME,
      color: `${WORD} ${oneOf('color', [
        ...['yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink', 'red', 'gray'],
      ])}`,
      position: INTEGER,
    },
    key: ['n'],
    references: [{ column: 'property', table: 'property', onDelete: 'CASCADE' }],
    indexes: { option_property: 'property, position)' },
    isNumbered: true,
  },
  {
    name: 'value',
    columns: {
      item: INTEGER,
      property: INTEGER,
      ordinal: 'bigint NOT NULL CHECK (ordinal >= 0)',
      text: TEXT,
      number: 'double precision',
      option: OPTIONAL,
      target: OPTIONAL,
      // What filters look up: the beginning of a text, whatever the case of its letters.
      sortable: `${TEXT} GENERATED ALWAYS AS (lower(substr(text, 1, 100))) STORED`,
    },
    key: ['item', 'property', 'ordinal'],
    references: [
      { column: 'item', table: 'block', onDelete: 'CASCADE' },
      { column: 'property', table: 'property', onDelete: 'CASCADE' },
      { column: 'option', table: 'option', onDelete: 'CASCADE' },
      { column: 'target', table: 'block', onDelete: 'CASCADE' },
    ],
    checks: ['num_nonnulls(text, number, option, target) = 1'],
    indexes: {
      value_sortable: 'property, sortable)',
      value_number: 'property, number) WHERE number IS NOT NULL',
      value_option: 'option) WHERE option IS NOT NULL',
      value_target: 'target, property) WHERE target IS NOT NULL',
    },
  },
  {
    name: 'view',
    columns: {
      n: INTEGER,
      id: ID,
      collection: INTEGER,
      position: INTEGER,
      name: NAME,
      type: `${WORD} ${oneOf('type', ['table', 'gallery', 'kanban'])}`,
      settings: WORD,
    },
    key: ['n'],
    unique: [['id']],
    references: [{ column: 'collection', table: 'collection', onDelete: 'CASCADE' }],
    indexes: { view_collection: 'collection, position)' },
    isNumbered: true,
  },
  {
    name: 'participant',
    columns: { n: INTEGER, id: WORD, name: NAME, created_at: INTEGER, removed_at: OPTIONAL },
    key: ['n'],
    unique: [['id']],
    uniqueIndexes: { participant_name: 'name) WHERE removed_at IS NULL' },
    isNumbered: true,
  },
  {
    name: 'password',
    columns: { participant: INTEGER, hash: WORD, changed_at: INTEGER },
    key: ['participant'],
    references: [{ column: 'participant', table: 'participant' }],
  },
  {
    name: 'reminder',
    columns: {
      n: INTEGER,
      id: ID,
      block: INTEGER,
      participant: INTEGER,
      remind_at: OPTIONAL,
      completed_at: OPTIONAL,
      created_at: INTEGER,
    },
    key: ['n'],
    unique: [['id'], ['block', 'participant']],
    references: [
      { column: 'block', table: 'block', onDelete: 'CASCADE' },
      { column: 'participant', table: 'participant' },
    ],
    indexes: {
      reminder_order: 'participant, created_at, n)',
      reminder_due: 'participant, remind_at) WHERE completed_at IS NULL AND remind_at IS NOT NULL',
    },
    isNumbered: true,
  },
  {
    name: 'comment',
    columns: {
      n: INTEGER,
      id: ID,
      block: INTEGER,
      author: WORD,
      content: `${WORD} CHECK (content <> '')`,
      created_at: INTEGER,
      modified_at: OPTIONAL,
      resolved_at: OPTIONAL,
      resolved_by: TEXT,
    },
    key: ['n'],
    unique: [['id']],
    references: [{ column: 'block', table: 'block', onDelete: 'CASCADE' }],
    indexes: { comment_block: 'block, n)' },
    isNumbered: true,
  },
]
