/** The tables of documents, with all that is in them and their files. Part of schema 29. */
export const documentTables = `
CREATE TABLE space (
  n INTEGER PRIMARY KEY CHECK (n = 1),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  secret TEXT NOT NULL CHECK (length(secret) = 64),
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "folder" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  parent INTEGER REFERENCES folder (n) CHECK (parent <> n),
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  document_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX folder_parent ON folder (parent);
CREATE TABLE location_count (
  location TEXT PRIMARY KEY,
  documents INTEGER NOT NULL
) STRICT;
CREATE TABLE "block" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  document INTEGER NOT NULL REFERENCES block (n),
  parent INTEGER REFERENCES block (n) CHECK (parent <> n),
  position INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type = 'text' OR type = 'page' OR type = 'collectionItem' OR type = 'image' OR type = 'video' OR type = 'file' OR type = 'drawing' OR type = 'whiteboard' OR type = 'table' OR type = 'collection' OR type = 'code' OR type = 'richUrl' OR type = 'line'),
  text TEXT NOT NULL,
  indentation INTEGER NOT NULL CHECK (indentation BETWEEN 0 AND 5),
  list_style TEXT CHECK (list_style = 'bullet' OR list_style = 'task' OR list_style = 'numbered' OR list_style = 'toggle'),
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
  ) VIRTUAL, number INTEGER CHECK (number BETWEEN 0 AND 999999999),
  CHECK ((parent IS NULL) = (document = n)),
  CHECK ((modified_at IS NULL) = (modified_by IS NULL))
) STRICT;
CREATE INDEX block_place ON block (document, parent, position);
CREATE INDEX block_parent ON block (parent);
CREATE INDEX block_task ON block (task_open, task_moment, n, document) WHERE task_open IS NOT NULL;
CREATE INDEX block_document_task ON block (document, task_open, task_moment, n) WHERE task_open IS NOT NULL;
CREATE INDEX block_whiteboard ON block (n) WHERE type = 'whiteboard';
CREATE INDEX block_collection ON block (document, n) WHERE type = 'collection';
CREATE TABLE block_link (
  target INTEGER NOT NULL,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  PRIMARY KEY (target, block)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_link_block ON block_link (block);
CREATE TABLE unindexed_block (
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE
) STRICT;
CREATE TABLE "document" (
  n INTEGER PRIMARY KEY REFERENCES block (n),
  location TEXT NOT NULL CHECK (location = 'unsorted' OR location = 'folder' OR location = 'daily_notes' OR location = 'templates' OR location = 'trash' OR location = 'inbox' OR location = 'logbook'),
  folder INTEGER REFERENCES folder (n),
  daily_note_date TEXT CHECK (daily_note_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  revision INTEGER NOT NULL, trashed_at INTEGER, change_number INTEGER NOT NULL DEFAULT 0,
  CHECK ((location = 'folder') = (folder IS NOT NULL)),
  CHECK (location <> 'daily_notes' OR daily_note_date IS NOT NULL)
) STRICT;
CREATE INDEX document_folder ON document (folder) WHERE folder IS NOT NULL;
CREATE INDEX document_daily_note ON document (daily_note_date) WHERE daily_note_date IS NOT NULL;
CREATE UNIQUE INDEX document_kept ON document (location) WHERE location IN ('inbox', 'logbook');
CREATE INDEX document_modified ON document (modified_at);
CREATE INDEX document_place ON document (location, folder);
CREATE INDEX document_created ON document (created_at);
CREATE INDEX document_change ON document (change_number);
CREATE TABLE collection (
  n INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  title_key TEXT NOT NULL CHECK (title_key <> ''),
  title_name TEXT NOT NULL CHECK (title_name <> ''),
  active_view INTEGER REFERENCES view (n) ON DELETE SET NULL
) STRICT;
CREATE INDEX collection_active_view ON collection (active_view) WHERE active_view IS NOT NULL;
CREATE TABLE "property" (
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
) STRICT;
CREATE INDEX property_target ON property (target) WHERE target IS NOT NULL;
CREATE INDEX property_other_side ON property (other_side) WHERE other_side IS NOT NULL;
CREATE TABLE "option" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  property INTEGER NOT NULL REFERENCES property (n) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  color TEXT NOT NULL CHECK (color IN ('yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink',
    'red', 'gray')),
  position INTEGER NOT NULL
) STRICT;
CREATE INDEX option_property ON option (property, position);
CREATE TABLE value (
  item INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  property INTEGER NOT NULL REFERENCES property (n) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  text TEXT,
  number REAL,
  option INTEGER REFERENCES option (n) ON DELETE CASCADE,
  target INTEGER REFERENCES block (n) ON DELETE CASCADE,
  -- What filters and sorts look up: of a text its beginning, whatever the case of its letters.
  sortable ANY AS (coalesce(number, lower(substr(text, 1, 100)))) VIRTUAL,
  PRIMARY KEY (item, property, ordinal),
  CHECK ((text IS NOT NULL) + (number IS NOT NULL) + (option IS NOT NULL) + (target IS NOT NULL) = 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX value_sortable ON value (property, sortable);
CREATE INDEX value_option ON value (option) WHERE option IS NOT NULL;
CREATE INDEX value_target ON value (target, property) WHERE target IS NOT NULL;
CREATE TABLE "view" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('table', 'gallery', 'kanban')),
  settings TEXT NOT NULL CHECK (json_valid(settings))
) STRICT;
CREATE INDEX view_collection ON view (collection, position);
CREATE TABLE "comment" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  author TEXT NOT NULL,
  content TEXT NOT NULL CHECK (content <> ''),
  created_at INTEGER NOT NULL
, modified_at INTEGER, resolved_at INTEGER, resolved_by TEXT) STRICT;
CREATE INDEX comment_block ON comment (block, n);
CREATE TABLE "reminder" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  participant INTEGER NOT NULL REFERENCES participant (n),
  -- Absent when saved for later.
  remind_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (block, participant)
) STRICT;
CREATE INDEX reminder_order ON reminder (participant, created_at, n);
CREATE INDEX reminder_due ON reminder (participant, remind_at) WHERE completed_at IS NULL AND remind_at IS NOT NULL;
CREATE TABLE "element" (
  -- Also the order on the board: who comes later lies above.
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  board INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  id TEXT NOT NULL CHECK (id <> ''),
  -- The whole element, its ID included.
  json TEXT NOT NULL CHECK (json_valid(json)),
  UNIQUE (board, id)
) STRICT;
CREATE INDEX element_board ON element (board);
CREATE TABLE "board_asset" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  board INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  id TEXT NOT NULL,
  json TEXT NOT NULL CHECK (json_valid(json)),
  UNIQUE (board, id)
) STRICT;
CREATE TABLE board_state (
  board INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  json TEXT NOT NULL CHECK (json_valid(json))
) STRICT;
CREATE TABLE "file" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  -- SHA-256 of the bytes, in hex.
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  size INTEGER NOT NULL CHECK (size > 0),
  mime_type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX file_hash ON file (hash);
CREATE TABLE block_file (
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  file INTEGER NOT NULL REFERENCES file (n)
) STRICT;
CREATE INDEX block_file_file ON block_file (file);
CREATE TABLE former_id (
  former TEXT PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE TABLE retired_id (
  id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE address_key (
  -- The first 23 characters of long IDs.
  id_prefix TEXT NOT NULL PRIMARY KEY CHECK (length(id_prefix) = 23),
  -- Signs addresses of files. 32 bytes in hex.
  file_key TEXT NOT NULL CHECK (length(file_key) = 64),
  -- 1 for the row that new addresses are made with; those of the other rows are still accepted.
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX address_key_current ON address_key (is_current) WHERE is_current = 1;
CREATE TABLE change_counter (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value INTEGER NOT NULL,
  -- What the value was when documents, files or whiteboards were last added, removed or restored.
  listing INTEGER NOT NULL
) STRICT;
INSERT INTO change_counter (one, value, listing) VALUES (1, 0, 0);
INSERT INTO location_count (location, documents) VALUES
  ('unsorted', 0), ('folder', 0), ('daily_notes', 0), ('templates', 0), ('trash', 0), ('inbox', 0), ('logbook', 0);
`
