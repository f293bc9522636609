/** The schema of a new file. Written by `npm run schema`; change it by a migration. */
export const currentSchema = `
CREATE TABLE space (
  n INTEGER PRIMARY KEY CHECK (n = 1),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  secret TEXT NOT NULL CHECK (length(secret) = 64),
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE collection (
  n INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  title_key TEXT NOT NULL CHECK (title_key <> ''),
  title_name TEXT NOT NULL CHECK (title_name <> ''),
  active_view INTEGER REFERENCES view (n) ON DELETE SET NULL
) STRICT;
CREATE INDEX collection_active_view ON collection (active_view) WHERE active_view IS NOT NULL;
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
CREATE TABLE link_document (
  link INTEGER NOT NULL REFERENCES link (n) ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  PRIMARY KEY (link, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_document_document ON link_document (document);
CREATE TABLE kept_answer (
  -- The ID of the link, or '' for whoever ran the program: one caller's keys are none of another's business.
  link TEXT NOT NULL,
  key TEXT NOT NULL,
  -- SHA-256 of the endpoint and its arguments, in hex.
  call TEXT NOT NULL,
  answer TEXT NOT NULL CHECK (json_valid(answer)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (link, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_answer_age ON kept_answer (created_at);
CREATE TABLE board_state (
  board INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  json TEXT NOT NULL CHECK (json_valid(json))
) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (
  text, title,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
CREATE TABLE block_file (
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  file INTEGER NOT NULL REFERENCES file (n)
) STRICT;
CREATE INDEX block_file_file ON block_file (file);
CREATE TABLE upload (
  -- SHA-256 of the secret, in hex.
  secret_hash TEXT PRIMARY KEY CHECK (length(secret_hash) = 64),
  link TEXT NOT NULL,
  -- The input of the call, as JSON.
  asked TEXT NOT NULL CHECK (json_valid(asked)),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sign_in (
  identity INTEGER NOT NULL REFERENCES identity (n) ON DELETE CASCADE,
  -- The program that was signed in with, as the issuer names it; '' where it does not.
  client TEXT NOT NULL,
  link INTEGER NOT NULL REFERENCES link (n),
  PRIMARY KEY (identity, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_link ON sign_in (link);
CREATE TABLE password (
  participant INTEGER PRIMARY KEY REFERENCES participant (n),
  -- How it was hashed, with its salt: the password itself is kept nowhere.
  hash TEXT NOT NULL,
  changed_at INTEGER NOT NULL
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
CREATE TABLE "participant" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  -- When the participant left; absent while active.
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX participant_name ON participant (name) WHERE removed_at IS NULL;
CREATE TABLE "identity" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A subject means somebody at its issuer alone.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  participant INTEGER NOT NULL REFERENCES participant (n),
  created_at INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX identity_participant ON identity (participant);
CREATE TABLE "link" (
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
) STRICT;
CREATE UNIQUE INDEX link_consent ON link (consent) WHERE consent IS NOT NULL;
CREATE TABLE "write_log" (
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
) STRICT;
CREATE INDEX document_place ON document (location, folder);
CREATE INDEX document_created ON document (created_at);
CREATE TABLE change_counter (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value INTEGER NOT NULL,
  -- What the value was when documents, files or whiteboards were last added, removed or restored.
  listing INTEGER NOT NULL
) STRICT;
CREATE INDEX document_change ON document (change_number);
CREATE TABLE location_count (
  location TEXT PRIMARY KEY,
  documents INTEGER NOT NULL
) STRICT;
CREATE TABLE former_id (
  former TEXT PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE TABLE retired_id (
  id INTEGER PRIMARY KEY
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
  ) VIRTUAL,
  CHECK ((parent IS NULL) = (document = n)),
  CHECK ((modified_at IS NULL) = (modified_by IS NULL))
) STRICT;
CREATE INDEX block_place ON block (document, parent, position);
CREATE INDEX block_parent ON block (parent);
CREATE INDEX block_task ON block (task_open, task_moment, n, document) WHERE task_open IS NOT NULL;
CREATE INDEX block_document_task ON block (document, task_open, task_moment, n) WHERE task_open IS NOT NULL;
CREATE INDEX block_whiteboard ON block (n) WHERE type = 'whiteboard';
CREATE INDEX block_collection ON block (document, n) WHERE type = 'collection';
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
CREATE TABLE "comment" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  author TEXT NOT NULL,
  content TEXT NOT NULL CHECK (content <> ''),
  created_at INTEGER NOT NULL
, modified_at INTEGER, resolved_at INTEGER, resolved_by TEXT) STRICT;
CREATE INDEX comment_block ON comment (block, n);
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
CREATE TRIGGER document_added AFTER INSERT ON document BEGIN
  UPDATE location_count SET documents = documents + 1 WHERE location = new.location;
  UPDATE folder SET document_count = document_count + 1 WHERE n = new.folder;
END;
CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN
  UPDATE location_count SET documents = documents - 1 WHERE location = old.location;
  UPDATE folder SET document_count = document_count - 1 WHERE n = old.folder;
END;
CREATE TRIGGER document_moved AFTER UPDATE OF location, folder ON document BEGIN
  UPDATE location_count SET documents = documents - 1 WHERE location = old.location;
  UPDATE folder SET document_count = document_count - 1 WHERE n = old.folder;
  UPDATE location_count SET documents = documents + 1 WHERE location = new.location;
  UPDATE folder SET document_count = document_count + 1 WHERE n = new.folder;
END;
CREATE TRIGGER block_id_retired AFTER DELETE ON block BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;
CREATE TRIGGER folder_id_retired AFTER DELETE ON folder BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;
CREATE TRIGGER view_id_retired AFTER DELETE ON view BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;
CREATE TRIGGER reminder_id_retired AFTER DELETE ON reminder BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;
CREATE TRIGGER comment_id_retired AFTER DELETE ON comment BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;
CREATE TRIGGER file_id_retired AFTER DELETE ON file BEGIN
  INSERT OR IGNORE INTO retired_id (id) VALUES (old.id);
END;
CREATE TABLE block_link (
  target INTEGER NOT NULL,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  PRIMARY KEY (target, block)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_link_block ON block_link (block);
CREATE TABLE unindexed_block (
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE
) STRICT;
INSERT INTO search (search, rank) VALUES ('automerge', 8);
INSERT INTO change_counter (one, value, listing) VALUES (1, 0, 0);
INSERT INTO location_count (location, documents) VALUES ('unsorted', 0);
INSERT INTO location_count (location, documents) VALUES ('folder', 0);
INSERT INTO location_count (location, documents) VALUES ('daily_notes', 0);
INSERT INTO location_count (location, documents) VALUES ('templates', 0);
INSERT INTO location_count (location, documents) VALUES ('trash', 0);
INSERT INTO location_count (location, documents) VALUES ('inbox', 0);
INSERT INTO location_count (location, documents) VALUES ('logbook', 0);
`
