/**
 * History: every call leaves what it changed, so that it can be shown and taken back.
 *
 * `change` has a row for each row that a call changed: of a deleted row all columns, of a changed one the columns as
 * they were, and of inserted ones a range of numbers for each table. Triggers write it, so that no code can forget to.
 * Rows that were inserted by the same call leave nothing more: `call_start` knows the last number of each table before
 * it. A row that comes back under its old number leaves an entry of its own. The number of a call is that of its row in `write_log`, which is written last.
 *
 * The position of a block alone is not logged: renumbering its siblings changes it. What is logged with a place is the
 * block before it.
 */

/** A table, as it is logged. */
export interface Logged {
  name: string
  /** Its columns, without the key. */
  columns: readonly string[]
  /** Sets of columns that are written together; a row of `change` has those of one set that changed. */
  updates: readonly { columns: readonly string[]; silent?: readonly string[]; more?: string }[]
  /** The column with the number of the row. Default: `n`. */
  key?: string
  /** The rest of the key, where there is more. */
  rest?: (row: string) => string
  /** The block, or the row of another table, whose document the row belongs to. */
  block?: (row: string) => string
  /** The table that its numbers come from. Default: itself. */
  numbers?: string
  /** What is logged besides of a deleted row. */
  more?: string
}

/** The block that stands before another, and where. */
const PREVIOUS = `'previous', (SELECT n FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1),
  'previousPosition', (SELECT position FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1)`

const CONTENT = ['type', 'text', 'indentation', 'list_style', 'attributes']
const CHANGED = ['modified_at', 'modified_by']
const PLACE = ['document', 'parent', 'position']

export const LOGGED_TABLES: readonly Logged[] = [
  {
    name: 'block',
    columns: ['id', ...PLACE, ...CONTENT, 'created_at', 'created_by', ...CHANGED],
    updates: [
      { columns: CONTENT, silent: CHANGED },
      { columns: PLACE, more: PREVIOUS },
    ],
    block: (row) => `${row}.n`,
    more: PREVIOUS,
  },
  {
    name: 'document',
    columns: ['location', 'folder', 'daily_note_date', 'created_at', 'modified_at', 'revision', 'trashed_at'],
    updates: [{ columns: ['location', 'folder', 'daily_note_date', 'trashed_at'] }],
    block: (row) => `${row}.n`,
    numbers: 'block',
  },
  {
    name: 'folder',
    columns: ['id', 'parent', 'name', 'created_at'],
    updates: [{ columns: ['parent', 'name'] }],
  },
  {
    name: 'collection',
    columns: ['title_key', 'title_name', 'active_view'],
    updates: [{ columns: ['title_name', 'active_view'] }],
    block: (row) => `${row}.n`,
    numbers: 'block',
  },
  {
    name: 'property',
    columns: ['collection', 'key', 'name', 'type', 'position', 'config', 'target', 'other_side', 'is_back_reference'],
    updates: [
      {
        columns: [
          'collection',
          'key',
          'name',
          'type',
          'position',
          'config',
          'target',
          'other_side',
          'is_back_reference',
        ],
      },
    ],
    block: (row) => `${row}.collection`,
  },
  {
    name: 'option',
    columns: ['property', 'name', 'color', 'position'],
    updates: [{ columns: ['property', 'name', 'color', 'position'] }],
    block: (row) => `coalesce((SELECT collection FROM property WHERE n = ${row}.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = ${row}.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))`,
  },
  {
    name: 'value',
    columns: ['text', 'number', 'option', 'target'],
    updates: [{ columns: ['text', 'number', 'option', 'target'] }],
    key: 'item',
    rest: (row) => `${row}.property || '/' || ${row}.ordinal`,
    block: (row) => `${row}.item`,
    numbers: 'block',
  },
  {
    name: 'view',
    columns: ['id', 'collection', 'position', 'name', 'type', 'settings'],
    updates: [{ columns: ['position', 'name', 'type', 'settings'] }],
    block: (row) => `${row}.collection`,
  },
  {
    name: 'comment',
    columns: ['id', 'block', 'author', 'content', 'created_at', 'modified_at', 'resolved_at', 'resolved_by'],
    updates: [{ columns: ['content', 'modified_at', 'resolved_at', 'resolved_by'] }],
    block: (row) => `${row}.block`,
  },
  {
    name: 'reminder',
    columns: ['id', 'block', 'participant', 'remind_at', 'completed_at', 'created_at'],
    updates: [{ columns: ['remind_at', 'completed_at'] }],
    block: (row) => `${row}.block`,
  },
  {
    name: 'element',
    columns: ['board', 'id', 'json'],
    updates: [{ columns: ['json'] }],
    block: (row) => `${row}.board`,
  },
  {
    name: 'board_asset',
    columns: ['board', 'id', 'json'],
    updates: [{ columns: ['json'] }],
    block: (row) => `${row}.board`,
  },
  {
    name: 'board_state',
    columns: ['json'],
    updates: [{ columns: ['json'] }],
    key: 'board',
    block: (row) => `${row}.board`,
    numbers: 'block',
  },
  {
    name: 'block_file',
    columns: ['file'],
    updates: [{ columns: ['file'] }],
    key: 'block',
    block: (row) => `${row}.block`,
    numbers: 'block',
  },
]

/** Tables whose new rows get numbers of their own. */
export const NUMBERED = LOGGED_TABLES.filter(({ numbers }) => numbers === undefined).map(({ name }) => name)

const CALL = '(SELECT call FROM call_start)'

/** The document of a block, which may have been deleted before what hangs on it. */
const documentOf = (block: string): string =>
  `coalesce((SELECT document FROM block WHERE n = ${block}),
    (SELECT document FROM change WHERE tbl = 'block' AND row = ${block} AND kind = 'delete' ORDER BY n DESC LIMIT 1))`

/** What later migrations log besides: names of columns, and their values as SQL, each with a comma before it. */
export interface LoggedBesides {
  columns: string
  values: Readonly<Record<'delete' | 'insert', string>> & {
    /** @param set  the columns whose change is logged */
    update(set: readonly string[]): string
  }
}

const NOTHING_BESIDES: LoggedBesides = { columns: '', values: { delete: '', insert: '', update: () => '' } }

/** The triggers that log the changes of a table. */
export function triggersOf(
  { name, columns, updates, numbers = name, more, ...table }: Logged,
  { columns: loggedBesides, values } = NOTHING_BESIDES,
): string[] {
  const { key = 'n', rest, block } = table
  const isOlder = (row: string) => `${row}.${key} <= (SELECT ${numbers} FROM call_start)`
  const log = (row: 'old' | 'new', kind: string, before: string) => {
    const document = block === undefined ? 'NULL' : name === 'block' ? `${row}.document` : documentOf(block(row))
    return `INSERT INTO change (call, tbl, kind, row, rest, document, before${loggedBesides})
    VALUES (${CALL}, '${name}', '${kind}', ${row}.${key}, ${rest?.(row) ?? 'NULL'}, ${document}, ${before});`
  }
  const fields = (some: readonly string[]) => some.map((column) => `'${column}', old.${column}`).join(', ')
  const deleted = `json_object(${fields(columns)}${more === undefined ? '' : `, ${more}`})`
  const triggers = [
    `CREATE TRIGGER ${name}_deletion_logged BEFORE DELETE ON ${name} WHEN ${isOlder('old')} BEGIN
    ${log('old', 'delete', deleted + values.delete)}
  END;`,
    `CREATE TRIGGER ${name}_insertion_logged AFTER INSERT ON ${name} WHEN ${isOlder('new')} BEGIN
    ${log('new', 'insert', `NULL${values.insert}`)}
  END;`,
  ]
  for (const [index, { columns: set, silent = [], more: besides }] of updates.entries()) {
    const noted = [...set, ...silent]
    const unchanged = noted.map(
      (column) => `CASE WHEN old.${column} IS new.${column} THEN '$.${column}' ELSE '$.-' END`,
    )
    const before = `json_remove(json_object(${fields(noted)}${besides === undefined ? '' : `, ${besides}`}), ${unchanged.join(', ')})`
    // A statement that sets the position alone renumbers siblings.
    const of = set === PLACE ? ['document', 'parent'] : set
    triggers.push(`CREATE TRIGGER ${name}_update_logged${index === 0 ? '' : `_${index + 1}`} AFTER UPDATE OF ${of.join(', ')} ON ${name}
  WHEN ${isOlder('old')} AND (${set.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')}) BEGIN
    ${log('old', 'update', before + values.update(set))}
  END;`)
  }
  return triggers
}

const lastOf = `CASE numbers.name ${NUMBERED.map((name) => `WHEN '${name}' THEN call_start.${name}`).join(' ')} END`
const ranges = `INSERT INTO change (call, tbl, kind, row, last)
    SELECT new.n, numbers.name, 'insert', ${lastOf} + 1, numbers.seq
    FROM call_start CROSS JOIN sqlite_sequence AS numbers WHERE numbers.seq > ${lastOf};`
const lastNumber = (name: string) => `coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${name}'), 0)`

/** Not by OR IGNORE: the statement that fires a trigger may override that. */
const addCallDocument = (call: string, document: string): string =>
  `INSERT INTO call_document (call, document, is_marked) SELECT ${call}, ${document}, 0
    WHERE NOT EXISTS (SELECT 1 FROM call_document WHERE call = ${call} AND document = ${document});`
const markCallDocument = `${addCallDocument(CALL, 'new.n')}
  UPDATE call_document SET is_marked = 1 WHERE call = ${CALL} AND document = new.n;`

export const sql = `
ALTER TABLE write_log ADD COLUMN id INTEGER;
-- Which process, session or sign-in it came through; absent for single calls.
ALTER TABLE write_log ADD COLUMN connection TEXT;
-- 1 while the changes of the call are kept.
ALTER TABLE write_log ADD COLUMN has_changes INTEGER NOT NULL DEFAULT 0;
-- How much of the file its changes take, with the bytes of files that only they still name.
ALTER TABLE write_log ADD COLUMN change_bytes INTEGER NOT NULL DEFAULT 0;
-- Of an undo: the numbers of the calls that it took back, a JSON array.
ALTER TABLE write_log ADD COLUMN undoes TEXT;
CREATE UNIQUE INDEX write_log_id ON write_log (id) WHERE id IS NOT NULL;
CREATE INDEX write_log_at ON write_log (at);
CREATE INDEX write_log_changes ON write_log (link, n, change_bytes) WHERE has_changes = 1;

CREATE TABLE change (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The number of the call in write_log.
  call INTEGER NOT NULL,
  tbl TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('insert', 'update', 'delete')),
  -- The number of the row, or the first of a range.
  row INTEGER NOT NULL,
  -- The last of a range.
  last INTEGER,
  -- The rest of the key.
  rest TEXT,
  -- The document that the row was in before.
  document INTEGER,
  -- Absent of an update or a deletion whose columns are not kept any more.
  before TEXT
) STRICT;
CREATE INDEX change_call ON change (call);
CREATE INDEX change_row ON change (tbl, row);
CREATE INDEX change_range ON change (tbl, row) WHERE last IS NOT NULL;

CREATE TABLE call_document (
  call INTEGER NOT NULL,
  document INTEGER NOT NULL,
  -- 1 where its revision moved; 0 where the call only kept something there in step with what it changed elsewhere.
  is_marked INTEGER NOT NULL,
  PRIMARY KEY (call, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_document_document ON call_document (document, call);

-- Number of the running call, or of the next, and the last number of each table before it.
CREATE TABLE call_start (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  call INTEGER NOT NULL,
  ${NUMBERED.map((name) => `${name} INTEGER NOT NULL`).join(',\n  ')}
) STRICT;
INSERT INTO call_start (one, call, ${NUMBERED.join(', ')})
SELECT 1, ${lastNumber('write_log')} + 1, ${NUMBERED.map(lastNumber).join(', ')};

CREATE TRIGGER call_logged AFTER INSERT ON write_log BEGIN
  ${ranges}
  UPDATE write_log SET change_bytes = (
    SELECT coalesce(sum(60 + coalesce(length(CAST(before AS BLOB)), 0) + coalesce(CASE WHEN tbl = 'block_file' THEN
      (SELECT size FROM file WHERE n = before ->> '$.file') END, 0)), 0) FROM change WHERE call = new.n
  ) WHERE n = new.n;
  UPDATE call_start SET (call, ${NUMBERED.join(', ')}) = (
    SELECT new.n + 1, ${NUMBERED.map((name) => `coalesce(max(CASE name WHEN '${name}' THEN seq END), 0)`).join(',\n      ')}
    FROM sqlite_sequence);
END;
CREATE TRIGGER change_document_logged AFTER INSERT ON change WHEN new.document IS NOT NULL BEGIN
  ${addCallDocument('new.call', 'new.document')}
END;
CREATE TRIGGER document_change_logged AFTER UPDATE OF revision ON document BEGIN
  ${markCallDocument}
END;
CREATE TRIGGER document_addition_logged AFTER INSERT ON document BEGIN
  ${markCallDocument}
END;
${LOGGED_TABLES.flatMap((table) => triggersOf(table)).join('\n')}
-- What a link exposed from which call on; 0 for what it exposed before there was a history.
ALTER TABLE link_document ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
-- The number of the call that was answered; absent of those from before there was a history.
ALTER TABLE kept_answer ADD COLUMN number INTEGER;
`
