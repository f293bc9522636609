/**
 * IDs of blocks, folders, views, reminders, comments and files become numbers of twelve digits, drawn by chance and unique
 * in their space. What is there gets new ones; its UUIDs are remembered, so that it is still found by them. IDs of what was
 * deleted are remembered too, so that none is given a second time.
 */
import type { Database } from 'better-sqlite3'
import { oneOf } from './check-constraint.ts'
import { rebuildTable } from './rebuild.ts'

const TYPES = 'text page collectionItem image video file drawing whiteboard table collection code richUrl line'.split(
  ' ',
)
const TABLES = ['block', 'folder', 'view', 'reminder', 'comment', 'file']

/** Two things draw the same number once in a million at most; the second then draws again. */
const DRAWS = 5

const draw = (table: string): string => `
INSERT OR IGNORE INTO former_id (former, id)
SELECT id, 100000000000 + (random() & 9223372036854775807) % 900000000000 FROM ${table} WHERE true;`

const drawn = TABLES.flatMap((table) => Array<string>(DRAWS).fill(draw(table))).join('')

const retire = (table: string): string => `
CREATE TRIGGER ${table}_id_retired AFTER DELETE ON ${table} BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;`

const ID = 'id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999)'

/** Its new IDs, for a table that is made anew. */
const newIds = (table: string) => ({ id: `(SELECT former_id.id FROM former_id WHERE former = ${table}.id)` })

const tables =
  rebuildTable({
    table: 'folder',
    autoincrement: true,
    values: newIds('folder'),
    columns: ['n', 'id', 'parent', 'name', 'created_at', 'document_count'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  ${ID},
  parent INTEGER REFERENCES folder (n) CHECK (parent <> n),
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  document_count INTEGER NOT NULL DEFAULT 0
`,
    indexes: 'CREATE INDEX folder_parent ON folder (parent);',
  }) +
  rebuildTable({
    table: 'block',
    autoincrement: true,
    values: newIds('block'),
    columns: [
      ...['n', 'id', 'document', 'parent', 'position', 'type', 'text', 'indentation', 'list_style', 'attributes'],
      ...['created_at', 'created_by', 'modified_at', 'modified_by'],
    ],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  ${ID},
  document INTEGER NOT NULL REFERENCES block (n),
  parent INTEGER REFERENCES block (n) CHECK (parent <> n),
  position INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (${oneOf('type', ...TYPES)}),
  text TEXT NOT NULL,
  indentation INTEGER NOT NULL CHECK (indentation BETWEEN 0 AND 5),
  list_style TEXT CHECK (${oneOf('list_style', 'bullet', 'task', 'numbered', 'toggle')}),
  attributes TEXT CHECK (attributes IS NULL OR json_valid(attributes)),
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  modified_at INTEGER,
  modified_by TEXT,
  -- Of a task: whether it is still to be done, and when it is due ('~', after all days, without a date) or was closed.
  task_open INTEGER AS (
    CASE WHEN list_style = 'task' THEN coalesce(attributes ->> '$.taskInfo.state', 'todo') = 'todo' END
  ) VIRTUAL,
  task_moment TEXT AS (
    CASE WHEN list_style <> 'task' OR list_style IS NULL THEN NULL
      WHEN coalesce(attributes ->> '$.taskInfo.state', 'todo') = 'todo'
      THEN coalesce(attributes ->> '$.taskInfo.scheduleDate', attributes ->> '$.taskInfo.deadlineDate', '~')
      ELSE coalesce(attributes ->> '$.taskInfo.completedAt', attributes ->> '$.taskInfo.canceledAt', '')
    END
  ) VIRTUAL,
  CHECK ((parent IS NULL) = (document = n)),
  CHECK ((modified_at IS NULL) = (modified_by IS NULL))
`,
    indexes: `
CREATE INDEX block_place ON block (document, parent, position);
CREATE INDEX block_parent ON block (parent);
CREATE INDEX block_task ON block (task_open, task_moment, n, document) WHERE task_open IS NOT NULL;
CREATE INDEX block_document_task ON block (document, task_open, task_moment, n) WHERE task_open IS NOT NULL;
CREATE INDEX block_whiteboard ON block (n) WHERE type = 'whiteboard';
CREATE INDEX block_collection ON block (document, n) WHERE type = 'collection';
`,
  }) +
  rebuildTable({
    table: 'view',
    autoincrement: true,
    values: newIds('view'),
    columns: ['n', 'id', 'collection', 'position', 'name', 'type', 'settings'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  ${ID},
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('table', 'gallery', 'kanban')),
  settings TEXT NOT NULL CHECK (json_valid(settings))
`,
    indexes: 'CREATE INDEX view_collection ON view (collection, position);',
  }) +
  rebuildTable({
    table: 'reminder',
    autoincrement: true,
    values: newIds('reminder'),
    columns: ['n', 'id', 'block', 'participant', 'remind_at', 'completed_at', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  ${ID},
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  participant INTEGER NOT NULL REFERENCES participant (n),
  -- Absent when saved for later.
  remind_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (block, participant)
`,
    indexes: `
CREATE INDEX reminder_order ON reminder (participant, created_at, n);
CREATE INDEX reminder_due ON reminder (participant, remind_at) WHERE completed_at IS NULL AND remind_at IS NOT NULL;
`,
  }) +
  rebuildTable({
    table: 'comment',
    autoincrement: true,
    values: newIds('comment'),
    columns: ['n', 'id', 'block', 'author', 'content', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  ${ID},
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  author TEXT NOT NULL,
  content TEXT NOT NULL CHECK (content <> ''),
  created_at INTEGER NOT NULL
`,
    indexes: 'CREATE INDEX comment_block ON comment (block, n);',
  }) +
  rebuildTable({
    table: 'file',
    autoincrement: true,
    values: newIds('file'),
    columns: ['n', 'id', 'hash', 'size', 'mime_type', 'name', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  ${ID},
  -- SHA-256 of the bytes, in hex.
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  size INTEGER NOT NULL CHECK (size > 0),
  mime_type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
`,
    indexes: 'CREATE INDEX file_hash ON file (hash);',
  })

/** As before: how many documents there are in each folder and in each location. */
const count = (row: 'old' | 'new', change: '+ 1' | '- 1'): string => `
  UPDATE location_count SET documents = documents ${change} WHERE location = ${row}.location;
  UPDATE folder SET document_count = document_count ${change} WHERE n = ${row}.folder;`
const documentCounts = `
CREATE TRIGGER document_added AFTER INSERT ON document BEGIN${count('new', '+ 1')}
END;
CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN${count('old', '- 1')}
END;
CREATE TRIGGER document_moved AFTER UPDATE OF location, folder ON document BEGIN${count('old', '- 1')}${count('new', '+ 1')}
END;
`

export const sql = `
CREATE TABLE former_id (
  former TEXT PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE TABLE retired_id (
  id INTEGER PRIMARY KEY
) STRICT;
${drawn}
-- They name the table of folders, which is gone for a moment.
DROP TRIGGER document_added;
DROP TRIGGER document_removed;
DROP TRIGGER document_moved;
${tables}
UPDATE block SET attributes = json_set(attributes, '$.url', 'scriptorium://files/' || (
  SELECT file.id FROM block_file INNER JOIN file ON file.n = block_file.file WHERE block_file.block = block.n))
WHERE attributes IS NOT NULL AND n IN (SELECT block FROM block_file);
${documentCounts}
${TABLES.map(retire).join('')}
`

/** Names what texts and settings refer to by its new ID: the tags of comments, and the items in filters of views. */
export function renumberReferences(sqlite: Database): void {
  renumberCommentTags(sqlite)
  renumberFilterTargets(sqlite)
}

function renumberCommentTags(sqlite: Database): void {
  const comments = sqlite.prepare<[], { block: number; id: number; former: string }>(
    'SELECT block, former_id.id, former FROM comment INNER JOIN former_id ON former_id.id = comment.id',
  )
  const write = sqlite.prepare<[string, string, number]>('UPDATE block SET text = replace(text, ?, ?) WHERE n = ?')
  for (const { block, id, former } of comments.all()) write.run(`id="${former}"`, `id="${id}"`, block)
}

function renumberFilterTargets(sqlite: Database): void {
  const idOf = sqlite.prepare<[string], number>('SELECT id FROM former_id WHERE former = ?').pluck()
  const write = sqlite.prepare<[string, number]>('UPDATE view SET settings = ? WHERE n = ?')
  for (const { n, settings } of sqlite
    .prepare<[], { n: number; settings: string }>('SELECT n, settings FROM view')
    .all()) {
    const renumbered = JSON.stringify(JSON.parse(settings), (key, value: unknown) =>
      key === 'targets' && Array.isArray(value) ? value.flatMap((former) => idOf.get(String(former)) ?? []) : value,
    )
    if (renumbered !== settings) write.run(renumbered, n)
  }
}
