/**
 * Numbers that are never used twice: with AUTOINCREMENT SQLite remembers the highest number that a table ever had, so
 * that nothing kept elsewhere (a view's settings, a cursor, a log) comes to mean another row after the last was deleted.
 *
 * The tables are made anew for it. This also brings together the spaces that earlier texts of the first three
 * migrations made: properties and options without AUTOINCREMENT, indexes of tasks that queries could not use, and
 * checks in other words.
 */
import { oneOf } from './check-constraint.ts'
import { rebuildTable } from './rebuild.ts'

const TYPES = 'text page collectionItem image video file drawing whiteboard table collection code richUrl line'.split(
  ' ',
)
const LOCATIONS = ['unsorted', 'folder', 'daily_notes', 'templates', 'trash', 'inbox', 'logbook']

const blocks =
  rebuildTable({
    table: 'folder',
    autoincrement: true,
    columns: ['n', 'id', 'parent', 'name', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  parent INTEGER REFERENCES folder (n) CHECK (parent <> n),
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL
`,
    indexes: 'CREATE INDEX folder_parent ON folder (parent);',
  }) +
  rebuildTable({
    table: 'block',
    autoincrement: true,
    columns: [
      ...['n', 'id', 'document', 'parent', 'position', 'type', 'text', 'indentation', 'list_style', 'attributes'],
      ...['created_at', 'created_by', 'modified_at', 'modified_by'],
    ],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
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
`,
  }) +
  // Its number is that of its root block.
  rebuildTable({
    table: 'document',
    columns: ['n', 'location', 'folder', 'daily_note_date', 'created_at', 'modified_at', 'revision'],
    definition: `
  n INTEGER PRIMARY KEY REFERENCES block (n),
  location TEXT NOT NULL CHECK (${oneOf('location', ...LOCATIONS)}),
  folder INTEGER REFERENCES folder (n),
  daily_note_date TEXT CHECK (daily_note_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK ((location = 'folder') = (folder IS NOT NULL)),
  CHECK (location <> 'daily_notes' OR daily_note_date IS NOT NULL)
`,
    indexes: `
CREATE INDEX document_location ON document (location);
CREATE INDEX document_folder ON document (folder) WHERE folder IS NOT NULL;
CREATE INDEX document_daily_note ON document (daily_note_date) WHERE daily_note_date IS NOT NULL;
CREATE UNIQUE INDEX document_kept ON document (location) WHERE location IN ('inbox', 'logbook');
CREATE INDEX document_modified ON document (modified_at);
`,
  })

const collections =
  rebuildTable({
    table: 'property',
    autoincrement: true,
    columns: [
      ...['n', 'collection', 'key', 'name', 'type', 'position', 'config', 'target', 'other_side', 'is_back_reference'],
    ],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  key TEXT NOT NULL CHECK (key <> ''),
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink',
    'singleSelect', 'multiSelect', 'relation')),
  position INTEGER NOT NULL,
  config TEXT CHECK (config IS NULL OR json_valid(config)),
  target INTEGER REFERENCES collection (n) ON DELETE CASCADE,
  other_side INTEGER REFERENCES property (n) ON DELETE CASCADE CHECK (other_side <> n),
  is_back_reference INTEGER NOT NULL CHECK (is_back_reference IN (0, 1)),
  UNIQUE (collection, key),
  CHECK ((type = 'relation') = (target IS NOT NULL)),
  CHECK (type = 'relation' OR (other_side IS NULL AND is_back_reference = 0))
`,
    indexes: `
CREATE INDEX property_target ON property (target) WHERE target IS NOT NULL;
CREATE INDEX property_other_side ON property (other_side) WHERE other_side IS NOT NULL;
`,
  }) +
  rebuildTable({
    table: 'option',
    autoincrement: true,
    columns: ['n', 'property', 'name', 'color', 'position'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  property INTEGER NOT NULL REFERENCES property (n) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  color TEXT NOT NULL CHECK (color IN ('yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink',
    'red', 'gray')),
  position INTEGER NOT NULL
`,
    indexes: 'CREATE INDEX option_property ON option (property, position);',
  }) +
  rebuildTable({
    table: 'view',
    autoincrement: true,
    columns: ['n', 'id', 'collection', 'position', 'name', 'type', 'settings'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('table', 'gallery', 'kanban')),
  settings TEXT NOT NULL CHECK (json_valid(settings))
`,
    indexes: 'CREATE INDEX view_collection ON view (collection, position);',
  })

const besideBlocks =
  rebuildTable({
    table: 'reminder',
    autoincrement: true,
    columns: ['n', 'id', 'block', 'participant', 'remind_at', 'completed_at', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  participant INTEGER NOT NULL REFERENCES participant (n),
  -- Absent when saved for later.
  remind_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (block, participant)
`,
    indexes: `
CREATE INDEX reminder_order ON reminder (participant, created_at, id);
CREATE INDEX reminder_due ON reminder (participant, remind_at) WHERE completed_at IS NULL AND remind_at IS NOT NULL;
`,
  }) +
  rebuildTable({
    table: 'comment',
    autoincrement: true,
    columns: ['n', 'id', 'block', 'author', 'content', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  author TEXT NOT NULL,
  content TEXT NOT NULL CHECK (content <> ''),
  created_at INTEGER NOT NULL
`,
    indexes: 'CREATE INDEX comment_block ON comment (block, n);',
  }) +
  rebuildTable({
    table: 'element',
    autoincrement: true,
    columns: ['n', 'board', 'id', 'json'],
    definition: `
  -- Also the order on the board: who comes later lies above.
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  board INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  id TEXT NOT NULL CHECK (id <> ''),
  -- The whole element, its ID included.
  json TEXT NOT NULL CHECK (json_valid(json)),
  UNIQUE (board, id)
`,
    indexes: 'CREATE INDEX element_board ON element (board);',
  }) +
  rebuildTable({
    table: 'board_asset',
    autoincrement: true,
    columns: ['n', 'board', 'id', 'json'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  board INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  id TEXT NOT NULL,
  json TEXT NOT NULL CHECK (json_valid(json)),
  UNIQUE (board, id)
`,
  }) +
  rebuildTable({
    table: 'file',
    autoincrement: true,
    columns: ['n', 'id', 'hash', 'size', 'mime_type', 'name', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- SHA-256 of the bytes, in hex.
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  size INTEGER NOT NULL CHECK (size > 0),
  mime_type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
`,
    indexes: 'CREATE INDEX file_hash ON file (hash);',
  })

const access =
  rebuildTable({
    table: 'participant',
    autoincrement: true,
    columns: ['n', 'id', 'name', 'created_at', 'removed_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  -- When the participant left; absent while active.
  removed_at INTEGER
`,
    indexes: 'CREATE UNIQUE INDEX participant_name ON participant (name) WHERE removed_at IS NULL;',
  }) +
  rebuildTable({
    table: 'identity',
    autoincrement: true,
    columns: ['n', 'issuer', 'subject', 'participant', 'created_at'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A subject means somebody at its issuer alone.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  participant INTEGER NOT NULL REFERENCES participant (n),
  created_at INTEGER NOT NULL,
  UNIQUE (issuer, subject)
`,
    indexes: 'CREATE INDEX identity_participant ON identity (participant);',
  }) +
  rebuildTable({
    table: 'link',
    autoincrement: true,
    columns: [
      ...['n', 'id', 'name', 'kind', 'access', 'secret_hash', 'is_bearer', 'participant'],
      ...['created_at', 'expires_at', 'revoked_at', 'consent'],
    ],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('full', 'selected', 'daily')),
  access TEXT NOT NULL CHECK (access IN ('full', 'no-delete', 'read')),
  -- SHA-256 of the secret, in hex: the secret itself is shown once and kept nowhere.
  secret_hash TEXT NOT NULL UNIQUE CHECK (length(secret_hash) = 64),
  -- 1 where the address has the ID and the secret comes in a header.
  is_bearer INTEGER NOT NULL CHECK (is_bearer IN (0, 1)),
  participant INTEGER NOT NULL REFERENCES participant (n),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- Of a link that a consent made: the grant, as the issuer names it.
  consent TEXT
`,
    indexes: 'CREATE UNIQUE INDEX link_consent ON link (consent) WHERE consent IS NOT NULL;',
  }) +
  rebuildTable({
    table: 'write_log',
    autoincrement: true,
    columns: ['n', 'at', 'link', 'author', 'endpoint', 'ids', 'client'],
    definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  -- The ID of the link; absent for whoever ran the program.
  link TEXT,
  author TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  -- What was written: a JSON array.
  ids TEXT NOT NULL CHECK (json_valid(ids)),
  -- What the client calls itself; absent where nothing says it.
  client TEXT
`,
  })

export const sql = blocks + collections + besideBlocks + access
