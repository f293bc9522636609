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
  document INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE, since INTEGER NOT NULL DEFAULT 0,
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
  created_at INTEGER NOT NULL, number INTEGER,
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
, id INTEGER, connection TEXT, has_changes INTEGER NOT NULL DEFAULT 0, change_bytes INTEGER NOT NULL DEFAULT 0, undoes TEXT, approved_by TEXT) STRICT;
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
, size INTEGER, writer INTEGER) STRICT;
CREATE INDEX change_call ON change (call);
CREATE INDEX change_range ON change (tbl, row) WHERE last IS NOT NULL;
CREATE TABLE call_document (
  call INTEGER NOT NULL,
  document INTEGER NOT NULL,
  -- 1 where its revision moved; 0 where the call only kept something there in step with what it changed elsewhere.
  is_marked INTEGER NOT NULL,
  PRIMARY KEY (call, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_document_document ON call_document (document, call);
CREATE TABLE call_start (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  call INTEGER NOT NULL,
  block INTEGER NOT NULL,
  folder INTEGER NOT NULL,
  property INTEGER NOT NULL,
  option INTEGER NOT NULL,
  view INTEGER NOT NULL,
  comment INTEGER NOT NULL,
  reminder INTEGER NOT NULL,
  element INTEGER NOT NULL,
  board_asset INTEGER NOT NULL
, forgotten INTEGER NOT NULL DEFAULT 0, file INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TRIGGER change_document_logged AFTER INSERT ON change WHEN new.document IS NOT NULL BEGIN
  INSERT INTO call_document (call, document, is_marked) SELECT new.call, new.document, 0
    WHERE NOT EXISTS (SELECT 1 FROM call_document WHERE call = new.call AND document = new.document);
END;
CREATE TRIGGER document_change_logged AFTER UPDATE OF revision ON document BEGIN
  INSERT INTO call_document (call, document, is_marked) SELECT (SELECT call FROM call_start), new.n, 0
    WHERE NOT EXISTS (SELECT 1 FROM call_document WHERE call = (SELECT call FROM call_start) AND document = new.n);
  UPDATE call_document SET is_marked = 1 WHERE call = (SELECT call FROM call_start) AND document = new.n;
END;
CREATE TRIGGER document_addition_logged AFTER INSERT ON document BEGIN
  INSERT INTO call_document (call, document, is_marked) SELECT (SELECT call FROM call_start), new.n, 0
    WHERE NOT EXISTS (SELECT 1 FROM call_document WHERE call = (SELECT call FROM call_start) AND document = new.n);
  UPDATE call_document SET is_marked = 1 WHERE call = (SELECT call FROM call_start) AND document = new.n;
END;
CREATE TRIGGER reminder_range_logged AFTER INSERT ON change WHEN new.tbl = 'reminder' AND new.last IS NOT NULL BEGIN
  INSERT INTO call_document (call, document, is_marked)
  SELECT DISTINCT new.call, block.document, 1 FROM reminder JOIN block ON block.n = reminder.block
  WHERE reminder.n BETWEEN new.row AND new.last AND NOT EXISTS (SELECT 1 FROM call_document AS known WHERE known.call = new.call AND known.document = block.document);
END;
CREATE TABLE "link" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('full', 'selected', 'daily')),
  access TEXT NOT NULL CHECK (access IN ('full', 'no-delete', 'propose', 'read')),
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
, reach_changes INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX link_consent ON link (consent) WHERE consent IS NOT NULL;
CREATE TABLE proposal (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE,
  -- The ID of the link; absent of a process over standard input and output.
  link TEXT,
  -- What the link reached: JSON.
  reach TEXT NOT NULL CHECK (json_valid(reach)),
  author TEXT NOT NULL,
  client TEXT,
  created_at INTEGER NOT NULL,
  -- The calls, and the numbers that they drew as IDs: JSON arrays.
  tool TEXT NOT NULL,
  steps TEXT NOT NULL CHECK (json_valid(steps)),
  ids TEXT NOT NULL CHECK (json_valid(ids)),
  -- The documents that would change, by number, and 1 where more than these would: new documents, and folders.
  documents TEXT NOT NULL CHECK (json_valid(documents)),
  is_space_wide INTEGER NOT NULL CHECK (is_space_wide IN (0, 1)),
  summary TEXT NOT NULL,
  diff TEXT NOT NULL,
  blocks INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'rejected', 'ended')),
  decided_at INTEGER,
  decided_by TEXT,
  -- What the person who rejected it says to the agent.
  note TEXT,
  -- The ID of the call that carried it out.
  call INTEGER
, changes TEXT) STRICT;
CREATE INDEX proposal_waiting ON proposal (n) WHERE state = 'waiting';
CREATE TABLE promised_id (
  id INTEGER PRIMARY KEY,
  proposal INTEGER NOT NULL REFERENCES proposal (n) ON DELETE CASCADE
) STRICT;
CREATE INDEX promised_id_proposal ON promised_id (proposal);
CREATE TABLE proposal_file (
  proposal INTEGER NOT NULL REFERENCES proposal (n) ON DELETE CASCADE,
  -- Which of the calls adds it, from 0.
  step INTEGER NOT NULL,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  size INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  PRIMARY KEY (proposal, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE event (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The number of the last call before it.
  call INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- The number of what it is about, in the table of its kind.
  subject INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_once ON event (kind, subject, at);
CREATE INDEX event_call ON event (call);
CREATE TRIGGER link_document_exposed AFTER INSERT ON link_document BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = new.link;
END;
CREATE TRIGGER link_document_unexposed AFTER DELETE ON link_document BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = old.link;
END;
CREATE TRIGGER link_kind_changed AFTER UPDATE OF kind ON link WHEN old.kind IS NOT new.kind BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = new.n;
END;
CREATE TABLE webhook (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  link INTEGER NOT NULL REFERENCES link (n) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- Signs what is sent, so that it is kept as it is: 'whsec_' and base64.
  secret TEXT NOT NULL,
  -- The types of events and the tools that it is for, as a JSON array; all when absent.
  events TEXT CHECK (events IS NULL OR json_valid(events)),
  created_at INTEGER NOT NULL,
  -- The last call and the last event that need not be sent any more.
  call INTEGER NOT NULL,
  event INTEGER NOT NULL,
  -- What reach_changes of the link was when that was last told.
  reach_changes INTEGER NOT NULL,
  delivered_at INTEGER,
  -- Tries of the next message that failed, and when it is tried again.
  failures INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER,
  last_error TEXT,
  -- When it was given up, until somebody tests it.
  paused_at INTEGER
) STRICT;
CREATE INDEX webhook_link ON webhook (link);
CREATE TABLE webhook_lease (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE import_source (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The path of a folder or file on this machine, or the name under which it was sent.
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE imported (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER NOT NULL REFERENCES import_source (n) ON DELETE CASCADE,
  -- Where the document or item is in its source.
  path TEXT NOT NULL,
  -- Of a block in it that others link to: how they name it. Empty for the document or item itself.
  anchor TEXT NOT NULL,
  -- The ID that it has, or gets when it is written.
  id INTEGER NOT NULL UNIQUE,
  -- The document that it was written to.
  document INTEGER REFERENCES document (n) ON DELETE CASCADE,
  -- A hash of all that it was made from; absent until it is written.
  hash TEXT,
  -- The revision of the document after it was written.
  revision INTEGER,
  UNIQUE (source, path, anchor)
) STRICT;
CREATE INDEX imported_document ON imported (document);
CREATE TABLE import_job (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- The name under which the zip was sent.
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'stopped')),
  -- Documents that were written, all of them, and the milliseconds that this took.
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  elapsed INTEGER NOT NULL,
  -- While it runs: until when its process need not say again that it does.
  alive_until INTEGER NOT NULL,
  -- The report or the error, as JSON.
  outcome TEXT
) STRICT;
CREATE TABLE ended_session (
  -- The ID of a link, or 'operator'.
  link TEXT NOT NULL,
  -- The part of the cookie that differs for each session; '' for all sessions of the link until started_at.
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (link, nonce)
) STRICT, WITHOUT ROWID;
CREATE TABLE byte_count (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The ID of a link, '' for what no link wrote, or '*' for the whole space.
  link TEXT NOT NULL UNIQUE,
  documents INTEGER NOT NULL,
  history INTEGER NOT NULL,
  files INTEGER NOT NULL
) STRICT;
CREATE TABLE written_range (
  tbl TEXT NOT NULL,
  first INTEGER NOT NULL,
  writer INTEGER NOT NULL REFERENCES byte_count (n),
  PRIMARY KEY (tbl, first)
) STRICT, WITHOUT ROWID;
CREATE TABLE written_row (
  tbl TEXT NOT NULL,
  row INTEGER NOT NULL,
  rest TEXT NOT NULL,
  writer INTEGER NOT NULL REFERENCES byte_count (n),
  PRIMARY KEY (tbl, row, rest)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_row ON change (tbl, row, rest, call);
CREATE TRIGGER byte_count_summed AFTER UPDATE OF documents, history, files ON byte_count WHEN new.n <> 1 BEGIN
  UPDATE byte_count SET documents = documents + new.documents - old.documents,
    history = history + new.history - old.history, files = files + new.files - old.files
  WHERE n = 1;
END;
CREATE TRIGGER block_insertion_logged AFTER INSERT ON block WHEN new.n <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block', 'insert', new.n, NULL, new.document, NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'block' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER block_update_logged_2 AFTER UPDATE OF document, parent ON block
  WHEN old.n <= (SELECT block FROM call_start) AND (old.document IS NOT new.document OR old.parent IS NOT new.parent OR old.position IS NOT new.position) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block', 'update', old.n, NULL, old.document, json_remove(json_object('document', old.document, 'parent', old.parent, 'position', old.position, 'previous', (SELECT n FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1),
  'previousPosition', (SELECT position FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1)), CASE WHEN old.document IS new.document THEN '$.document' ELSE '$.-' END, CASE WHEN old.parent IS new.parent THEN '$.parent' ELSE '$.-' END, CASE WHEN old.position IS new.position THEN '$.position' ELSE '$.-' END), NULL, NULL);
  END;
CREATE TRIGGER document_deletion_logged BEFORE DELETE ON document WHEN old.n <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'document', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.n),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.n AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('location', old.location, 'folder', old.folder, 'daily_note_date', old.daily_note_date, 'created_at', old.created_at, 'modified_at', old.modified_at, 'revision', old.revision, 'trashed_at', old.trashed_at), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'document' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 100 END, coalesce((SELECT writer FROM written_row WHERE tbl = 'document' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER document_insertion_logged AFTER INSERT ON document WHEN new.n <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'document', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.n),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.n AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'document' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER document_update_logged AFTER UPDATE OF location, folder, daily_note_date, trashed_at ON document
  WHEN old.n <= (SELECT block FROM call_start) AND (old.location IS NOT new.location OR old.folder IS NOT new.folder OR old.daily_note_date IS NOT new.daily_note_date OR old.trashed_at IS NOT new.trashed_at) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'document', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.n),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.n AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('location', old.location, 'folder', old.folder, 'daily_note_date', old.daily_note_date, 'trashed_at', old.trashed_at), CASE WHEN old.location IS new.location THEN '$.location' ELSE '$.-' END, CASE WHEN old.folder IS new.folder THEN '$.folder' ELSE '$.-' END, CASE WHEN old.daily_note_date IS new.daily_note_date THEN '$.daily_note_date' ELSE '$.-' END, CASE WHEN old.trashed_at IS new.trashed_at THEN '$.trashed_at' ELSE '$.-' END), NULL, NULL);
  END;
CREATE TRIGGER folder_deletion_logged BEFORE DELETE ON folder WHEN old.n <= (SELECT folder FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'folder', 'delete', old.n, NULL, NULL, json_object('id', old.id, 'parent', old.parent, 'name', old.name, 'created_at', old.created_at), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'folder' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 60 + coalesce(octet_length(old.name), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'folder' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'folder' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER folder_insertion_logged AFTER INSERT ON folder WHEN new.n <= (SELECT folder FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'folder', 'insert', new.n, NULL, NULL, NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'folder' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER folder_update_logged AFTER UPDATE OF parent, name ON folder
  WHEN old.n <= (SELECT folder FROM call_start) AND (old.parent IS NOT new.parent OR old.name IS NOT new.name) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'folder', 'update', old.n, NULL, NULL, json_remove(json_object('parent', old.parent, 'name', old.name), CASE WHEN old.parent IS new.parent THEN '$.parent' ELSE '$.-' END, CASE WHEN old.name IS new.name THEN '$.name' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'folder' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 60 + coalesce(octet_length(old.name), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'folder' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'folder' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER collection_deletion_logged BEFORE DELETE ON collection WHEN old.n <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'collection', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.n),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.n AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('title_key', old.title_key, 'title_name', old.title_name, 'active_view', old.active_view), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'collection' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 30 + coalesce(octet_length(old.title_key), 0) + coalesce(octet_length(old.title_name), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'collection' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER collection_insertion_logged AFTER INSERT ON collection WHEN new.n <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'collection', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.n),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.n AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'collection' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER collection_update_logged AFTER UPDATE OF title_name, active_view ON collection
  WHEN old.n <= (SELECT block FROM call_start) AND (old.title_name IS NOT new.title_name OR old.active_view IS NOT new.active_view) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'collection', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.n),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.n AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('title_name', old.title_name, 'active_view', old.active_view), CASE WHEN old.title_name IS new.title_name THEN '$.title_name' ELSE '$.-' END, CASE WHEN old.active_view IS new.active_view THEN '$.active_view' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'collection' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 30 + coalesce(octet_length(old.title_key), 0) + coalesce(octet_length(old.title_name), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'collection' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER property_deletion_logged BEFORE DELETE ON property WHEN old.n <= (SELECT property FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'property', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.collection),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.collection AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('collection', old.collection, 'key', old.key, 'name', old.name, 'type', old.type, 'position', old.position, 'config', old.config, 'target', old.target, 'other_side', old.other_side, 'is_back_reference', old.is_back_reference), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'property' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 80 + coalesce(octet_length(old.key), 0) + coalesce(octet_length(old.name), 0) + coalesce(octet_length(old.config), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'property' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'property' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER property_insertion_logged AFTER INSERT ON property WHEN new.n <= (SELECT property FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'property', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.collection),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.collection AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'property' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER property_update_logged AFTER UPDATE OF collection, key, name, type, position, config, target, other_side, is_back_reference ON property
  WHEN old.n <= (SELECT property FROM call_start) AND (old.collection IS NOT new.collection OR old.key IS NOT new.key OR old.name IS NOT new.name OR old.type IS NOT new.type OR old.position IS NOT new.position OR old.config IS NOT new.config OR old.target IS NOT new.target OR old.other_side IS NOT new.other_side OR old.is_back_reference IS NOT new.is_back_reference) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'property', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.collection),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.collection AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('collection', old.collection, 'key', old.key, 'name', old.name, 'type', old.type, 'position', old.position, 'config', old.config, 'target', old.target, 'other_side', old.other_side, 'is_back_reference', old.is_back_reference), CASE WHEN old.collection IS new.collection THEN '$.collection' ELSE '$.-' END, CASE WHEN old.key IS new.key THEN '$.key' ELSE '$.-' END, CASE WHEN old.name IS new.name THEN '$.name' ELSE '$.-' END, CASE WHEN old.type IS new.type THEN '$.type' ELSE '$.-' END, CASE WHEN old.position IS new.position THEN '$.position' ELSE '$.-' END, CASE WHEN old.config IS new.config THEN '$.config' ELSE '$.-' END, CASE WHEN old.target IS new.target THEN '$.target' ELSE '$.-' END, CASE WHEN old.other_side IS new.other_side THEN '$.other_side' ELSE '$.-' END, CASE WHEN old.is_back_reference IS new.is_back_reference THEN '$.is_back_reference' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'property' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 80 + coalesce(octet_length(old.key), 0) + coalesce(octet_length(old.name), 0) + coalesce(octet_length(old.config), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'property' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'property' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER option_deletion_logged BEFORE DELETE ON option WHEN old.n <= (SELECT option FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'option', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = coalesce((SELECT collection FROM property WHERE n = old.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = old.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))),
    (SELECT document FROM change WHERE tbl = 'block' AND row = coalesce((SELECT collection FROM property WHERE n = old.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = old.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1)) AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('property', old.property, 'name', old.name, 'color', old.color, 'position', old.position), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'option' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 40 + coalesce(octet_length(old.name), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'option' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'option' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER option_insertion_logged AFTER INSERT ON option WHEN new.n <= (SELECT option FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'option', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = coalesce((SELECT collection FROM property WHERE n = new.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = new.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))),
    (SELECT document FROM change WHERE tbl = 'block' AND row = coalesce((SELECT collection FROM property WHERE n = new.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = new.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1)) AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'option' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER option_update_logged AFTER UPDATE OF property, name, color, position ON option
  WHEN old.n <= (SELECT option FROM call_start) AND (old.property IS NOT new.property OR old.name IS NOT new.name OR old.color IS NOT new.color OR old.position IS NOT new.position) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'option', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = coalesce((SELECT collection FROM property WHERE n = old.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = old.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))),
    (SELECT document FROM change WHERE tbl = 'block' AND row = coalesce((SELECT collection FROM property WHERE n = old.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = old.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1)) AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('property', old.property, 'name', old.name, 'color', old.color, 'position', old.position), CASE WHEN old.property IS new.property THEN '$.property' ELSE '$.-' END, CASE WHEN old.name IS new.name THEN '$.name' ELSE '$.-' END, CASE WHEN old.color IS new.color THEN '$.color' ELSE '$.-' END, CASE WHEN old.position IS new.position THEN '$.position' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'option' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 40 + coalesce(octet_length(old.name), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'option' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'option' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER value_deletion_logged BEFORE DELETE ON value WHEN old.item <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'value', 'delete', old.item, old.property || '/' || old.ordinal, coalesce((SELECT document FROM block WHERE n = old.item),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.item AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('text', old.text, 'number', old.number, 'option', old.option, 'target', old.target), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'value' AND row = old.item AND rest = old.property || '/' || old.ordinal AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 40 + coalesce(octet_length(old.text), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'value' AND row = old.item AND rest = old.property || '/' || old.ordinal),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.item ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER value_insertion_logged AFTER INSERT ON value WHEN new.item <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'value', 'insert', new.item, new.property || '/' || new.ordinal, coalesce((SELECT document FROM block WHERE n = new.item),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.item AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'value' AND row = new.item AND rest = new.property || '/' || new.ordinal AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER value_update_logged AFTER UPDATE OF text, number, option, target ON value
  WHEN old.item <= (SELECT block FROM call_start) AND (old.text IS NOT new.text OR old.number IS NOT new.number OR old.option IS NOT new.option OR old.target IS NOT new.target) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'value', 'update', old.item, old.property || '/' || old.ordinal, coalesce((SELECT document FROM block WHERE n = old.item),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.item AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('text', old.text, 'number', old.number, 'option', old.option, 'target', old.target), CASE WHEN old.text IS new.text THEN '$.text' ELSE '$.-' END, CASE WHEN old.number IS new.number THEN '$.number' ELSE '$.-' END, CASE WHEN old.option IS new.option THEN '$.option' ELSE '$.-' END, CASE WHEN old.target IS new.target THEN '$.target' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'value' AND row = old.item AND rest = old.property || '/' || old.ordinal AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 40 + coalesce(octet_length(old.text), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'value' AND row = old.item AND rest = old.property || '/' || old.ordinal),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.item ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER view_deletion_logged BEFORE DELETE ON view WHEN old.n <= (SELECT view FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'view', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.collection),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.collection AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('id', old.id, 'collection', old.collection, 'position', old.position, 'name', old.name, 'type', old.type, 'settings', old.settings), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'view' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 60 + coalesce(octet_length(old.name), 0) + coalesce(octet_length(old.settings), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'view' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'view' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER view_insertion_logged AFTER INSERT ON view WHEN new.n <= (SELECT view FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'view', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.collection),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.collection AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'view' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER view_update_logged AFTER UPDATE OF position, name, type, settings ON view
  WHEN old.n <= (SELECT view FROM call_start) AND (old.position IS NOT new.position OR old.name IS NOT new.name OR old.type IS NOT new.type OR old.settings IS NOT new.settings) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'view', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.collection),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.collection AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('position', old.position, 'name', old.name, 'type', old.type, 'settings', old.settings), CASE WHEN old.position IS new.position THEN '$.position' ELSE '$.-' END, CASE WHEN old.name IS new.name THEN '$.name' ELSE '$.-' END, CASE WHEN old.type IS new.type THEN '$.type' ELSE '$.-' END, CASE WHEN old.settings IS new.settings THEN '$.settings' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'view' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 60 + coalesce(octet_length(old.name), 0) + coalesce(octet_length(old.settings), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'view' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'view' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER comment_deletion_logged BEFORE DELETE ON comment WHEN old.n <= (SELECT comment FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'comment', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('id', old.id, 'block', old.block, 'author', old.author, 'content', old.content, 'created_at', old.created_at, 'modified_at', old.modified_at, 'resolved_at', old.resolved_at, 'resolved_by', old.resolved_by), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'comment' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 80 + coalesce(octet_length(old.author), 0) + coalesce(octet_length(old.content), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'comment' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'comment' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER comment_insertion_logged AFTER INSERT ON comment WHEN new.n <= (SELECT comment FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'comment', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'comment' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER comment_update_logged AFTER UPDATE OF content, modified_at, resolved_at, resolved_by ON comment
  WHEN old.n <= (SELECT comment FROM call_start) AND (old.content IS NOT new.content OR old.modified_at IS NOT new.modified_at OR old.resolved_at IS NOT new.resolved_at OR old.resolved_by IS NOT new.resolved_by) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'comment', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('content', old.content, 'modified_at', old.modified_at, 'resolved_at', old.resolved_at, 'resolved_by', old.resolved_by), CASE WHEN old.content IS new.content THEN '$.content' ELSE '$.-' END, CASE WHEN old.modified_at IS new.modified_at THEN '$.modified_at' ELSE '$.-' END, CASE WHEN old.resolved_at IS new.resolved_at THEN '$.resolved_at' ELSE '$.-' END, CASE WHEN old.resolved_by IS new.resolved_by THEN '$.resolved_by' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'comment' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 80 + coalesce(octet_length(old.author), 0) + coalesce(octet_length(old.content), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'comment' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'comment' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER reminder_deletion_logged BEFORE DELETE ON reminder WHEN old.n <= (SELECT reminder FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'reminder', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('id', old.id, 'block', old.block, 'participant', old.participant, 'remind_at', old.remind_at, 'completed_at', old.completed_at, 'created_at', old.created_at), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'reminder' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 100 END, coalesce((SELECT writer FROM written_row WHERE tbl = 'reminder' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'reminder' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER reminder_insertion_logged AFTER INSERT ON reminder WHEN new.n <= (SELECT reminder FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'reminder', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'reminder' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER reminder_update_logged AFTER UPDATE OF remind_at, completed_at ON reminder
  WHEN old.n <= (SELECT reminder FROM call_start) AND (old.remind_at IS NOT new.remind_at OR old.completed_at IS NOT new.completed_at) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'reminder', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('remind_at', old.remind_at, 'completed_at', old.completed_at), CASE WHEN old.remind_at IS new.remind_at THEN '$.remind_at' ELSE '$.-' END, CASE WHEN old.completed_at IS new.completed_at THEN '$.completed_at' ELSE '$.-' END), NULL, NULL);
  END;
CREATE TRIGGER element_deletion_logged BEFORE DELETE ON element WHEN old.n <= (SELECT element FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'element', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('board', old.board, 'id', old.id, 'json', old.json), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'element' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 50 + coalesce(octet_length(old.id), 0) + coalesce(octet_length(old.json), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'element' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'element' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER element_insertion_logged AFTER INSERT ON element WHEN new.n <= (SELECT element FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'element', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'element' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER element_update_logged AFTER UPDATE OF json ON element
  WHEN old.n <= (SELECT element FROM call_start) AND (old.json IS NOT new.json) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'element', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('json', old.json), CASE WHEN old.json IS new.json THEN '$.json' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'element' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 50 + coalesce(octet_length(old.id), 0) + coalesce(octet_length(old.json), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'element' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'element' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER board_asset_deletion_logged BEFORE DELETE ON board_asset WHEN old.n <= (SELECT board_asset FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'board_asset', 'delete', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('board', old.board, 'id', old.id, 'json', old.json), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'board_asset' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 50 + coalesce(octet_length(old.id), 0) + coalesce(octet_length(old.json), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'board_asset' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'board_asset' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER board_asset_insertion_logged AFTER INSERT ON board_asset WHEN new.n <= (SELECT board_asset FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'board_asset', 'insert', new.n, NULL, coalesce((SELECT document FROM block WHERE n = new.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'board_asset' AND row = new.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER board_asset_update_logged AFTER UPDATE OF json ON board_asset
  WHEN old.n <= (SELECT board_asset FROM call_start) AND (old.json IS NOT new.json) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'board_asset', 'update', old.n, NULL, coalesce((SELECT document FROM block WHERE n = old.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('json', old.json), CASE WHEN old.json IS new.json THEN '$.json' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'board_asset' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 50 + coalesce(octet_length(old.id), 0) + coalesce(octet_length(old.json), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'board_asset' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'board_asset' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER board_state_deletion_logged BEFORE DELETE ON board_state WHEN old.board <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'board_state', 'delete', old.board, NULL, coalesce((SELECT document FROM block WHERE n = old.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('json', old.json), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'board_state' AND row = old.board AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 20 + coalesce(octet_length(old.json), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'board_state' AND row = old.board AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.board ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER board_state_insertion_logged AFTER INSERT ON board_state WHEN new.board <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'board_state', 'insert', new.board, NULL, coalesce((SELECT document FROM block WHERE n = new.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'board_state' AND row = new.board AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER board_state_update_logged AFTER UPDATE OF json ON board_state
  WHEN old.board <= (SELECT block FROM call_start) AND (old.json IS NOT new.json) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'board_state', 'update', old.board, NULL, coalesce((SELECT document FROM block WHERE n = old.board),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.board AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('json', old.json), CASE WHEN old.json IS new.json THEN '$.json' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'board_state' AND row = old.board AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 20 + coalesce(octet_length(old.json), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'board_state' AND row = old.board AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.board ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER block_file_deletion_logged BEFORE DELETE ON block_file WHEN old.block <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block_file', 'delete', old.block, NULL, coalesce((SELECT document FROM block WHERE n = old.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_object('file', old.file), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'block_file' AND row = old.block AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 30 END, coalesce((SELECT writer FROM written_row WHERE tbl = 'block_file' AND row = old.block AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.block ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER block_file_insertion_logged AFTER INSERT ON block_file WHEN new.block <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block_file', 'insert', new.block, NULL, coalesce((SELECT document FROM block WHERE n = new.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = new.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'block_file' AND row = new.block AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 0 END, NULL);
  END;
CREATE TRIGGER block_file_update_logged AFTER UPDATE OF file ON block_file
  WHEN old.block <= (SELECT block FROM call_start) AND (old.file IS NOT new.file) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block_file', 'update', old.block, NULL, coalesce((SELECT document FROM block WHERE n = old.block),
    (SELECT document FROM change WHERE tbl = 'block' AND row = old.block AND kind = 'delete' ORDER BY n DESC LIMIT 1)), json_remove(json_object('file', old.file), CASE WHEN old.file IS new.file THEN '$.file' ELSE '$.-' END), NULL, NULL);
  END;
CREATE TRIGGER call_logged AFTER INSERT ON write_log BEGIN
  INSERT INTO byte_count (link, documents, history, files)
    SELECT coalesce(new.link, ''), 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = coalesce(new.link, ''));
  INSERT INTO change (call, tbl, kind, row, last, writer)
    SELECT new.n, numbers.name, 'insert', CASE numbers.name WHEN 'block' THEN call_start.block WHEN 'folder' THEN call_start.folder WHEN 'property' THEN call_start.property WHEN 'option' THEN call_start.option WHEN 'view' THEN call_start.view WHEN 'comment' THEN call_start.comment WHEN 'reminder' THEN call_start.reminder WHEN 'element' THEN call_start.element WHEN 'board_asset' THEN call_start.board_asset END + 1, numbers.seq, (SELECT n FROM byte_count WHERE link = coalesce(new.link, ''))
    FROM call_start CROSS JOIN sqlite_sequence AS numbers WHERE numbers.seq > CASE numbers.name WHEN 'block' THEN call_start.block WHEN 'folder' THEN call_start.folder WHEN 'property' THEN call_start.property WHEN 'option' THEN call_start.option WHEN 'view' THEN call_start.view WHEN 'comment' THEN call_start.comment WHEN 'reminder' THEN call_start.reminder WHEN 'element' THEN call_start.element WHEN 'board_asset' THEN call_start.board_asset END;
  UPDATE write_log SET change_bytes = (
    SELECT coalesce(sum(60 + coalesce(length(CAST(before AS BLOB)), 0) + coalesce(CASE WHEN tbl = 'block_file' THEN
      (SELECT size FROM file WHERE n = before ->> '$.file') END, 0)), 0) FROM change WHERE call = new.n
  ) WHERE n = new.n;
  -- What the call added.
  UPDATE byte_count SET
    documents = documents + (SELECT coalesce(sum(CASE entry.tbl WHEN 'block' THEN (SELECT coalesce(sum(100 + coalesce(octet_length(text), 0) + coalesce(octet_length(attributes), 0)), 0) FROM block WHERE n BETWEEN entry.row AND entry.last)
        + (SELECT coalesce(sum(100), 0) FROM document WHERE n BETWEEN entry.row AND entry.last)
        + (SELECT coalesce(sum(30 + coalesce(octet_length(title_key), 0) + coalesce(octet_length(title_name), 0)), 0) FROM collection WHERE n BETWEEN entry.row AND entry.last)
        + (SELECT coalesce(sum(40 + coalesce(octet_length(text), 0)), 0) FROM value WHERE item BETWEEN entry.row AND entry.last)
        + (SELECT coalesce(sum(20 + coalesce(octet_length(json), 0)), 0) FROM board_state WHERE board BETWEEN entry.row AND entry.last)
        + (SELECT coalesce(sum(30), 0) FROM block_file WHERE block BETWEEN entry.row AND entry.last)
      WHEN 'folder' THEN (SELECT coalesce(sum(60 + coalesce(octet_length(name), 0)), 0) FROM folder WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'property' THEN (SELECT coalesce(sum(80 + coalesce(octet_length(key), 0) + coalesce(octet_length(name), 0) + coalesce(octet_length(config), 0)), 0) FROM property WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'option' THEN (SELECT coalesce(sum(40 + coalesce(octet_length(name), 0)), 0) FROM option WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'view' THEN (SELECT coalesce(sum(60 + coalesce(octet_length(name), 0) + coalesce(octet_length(settings), 0)), 0) FROM view WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'comment' THEN (SELECT coalesce(sum(80 + coalesce(octet_length(author), 0) + coalesce(octet_length(content), 0)), 0) FROM comment WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'reminder' THEN (SELECT coalesce(sum(100), 0) FROM reminder WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'element' THEN (SELECT coalesce(sum(50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0)), 0) FROM element WHERE n BETWEEN entry.row AND entry.last)
      WHEN 'board_asset' THEN (SELECT coalesce(sum(50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0)), 0) FROM board_asset WHERE n BETWEEN entry.row AND entry.last) END), 0)
      FROM change AS entry WHERE entry.call = new.n AND entry.last IS NOT NULL),
    history = history + 150 + coalesce(octet_length(new.author), 0) + coalesce(octet_length(new.client), 0) + coalesce(octet_length(new.endpoint), 0) + coalesce(octet_length(new.ids), 0) + coalesce(octet_length(new.undoes), 0)
      + (SELECT coalesce(sum(60 + coalesce(octet_length(before), 0)), 0) FROM change AS entry WHERE entry.call = new.n AND entry.last IS NOT NULL),
    files = files + (SELECT coalesce(sum(size), 0) FROM file AS added WHERE n > (SELECT file FROM call_start)
      AND NOT EXISTS (SELECT 1 FROM file AS known WHERE known.hash = added.hash AND known.n < added.n))
  WHERE link = coalesce(new.link, '');
  INSERT INTO written_range (tbl, first, writer)
    SELECT added.tbl, added.first, (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) FROM (
      SELECT tbl, row AS first FROM change AS entry WHERE entry.call = new.n AND entry.last IS NOT NULL
      UNION ALL SELECT 'file', (SELECT file FROM call_start) + 1 FROM file WHERE n > (SELECT file FROM call_start) GROUP BY 1
    ) AS added
    WHERE (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) IS NOT (
      SELECT writer FROM written_range AS numbers WHERE numbers.tbl = added.tbl ORDER BY numbers.first DESC LIMIT 1);
  UPDATE call_start SET (call, file, block, folder, property, option, view, comment, reminder, element, board_asset) = (
    SELECT new.n + 1, coalesce(max(CASE name WHEN 'file' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'block' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'folder' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'property' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'option' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'view' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'comment' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'reminder' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'element' THEN seq END), 0),
      coalesce(max(CASE name WHEN 'board_asset' THEN seq END), 0)
    FROM sqlite_sequence);
END;
CREATE TRIGGER call_counted AFTER INSERT ON write_log
  WHEN EXISTS (SELECT 1 FROM change WHERE call = new.n AND last IS NULL) BEGIN
  INSERT INTO byte_count (link, documents, history, files)
    SELECT coalesce(new.link, ''), 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = coalesce(new.link, ''));
  -- What an entry without a size keeps was written by the call itself. A row that came back was not there before.
  UPDATE change AS entry SET writer = (SELECT n FROM byte_count WHERE link = coalesce(new.link, ''))
    WHERE entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL AND (size IS NULL OR kind = 'insert') AND writer IS NOT (SELECT n FROM byte_count WHERE link = coalesce(new.link, ''));
  UPDATE byte_count SET documents = documents - part.size, history = history + part.bytes FROM (
    SELECT writer, coalesce(sum(size), 0) AS size, sum(60 + coalesce(octet_length(before), 0)) AS bytes
    FROM change AS entry WHERE entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL AND writer <> (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) GROUP BY writer
  ) AS part WHERE byte_count.n = part.writer;
  UPDATE byte_count SET
    documents = documents + (SELECT coalesce(sum(coalesce(CASE entry.tbl WHEN 'block' THEN (SELECT 100 + coalesce(octet_length(text), 0) + coalesce(octet_length(attributes), 0) FROM block WHERE n = entry.row)
      WHEN 'document' THEN (SELECT 100 FROM document WHERE n = entry.row)
      WHEN 'folder' THEN (SELECT 60 + coalesce(octet_length(name), 0) FROM folder WHERE n = entry.row)
      WHEN 'collection' THEN (SELECT 30 + coalesce(octet_length(title_key), 0) + coalesce(octet_length(title_name), 0) FROM collection WHERE n = entry.row)
      WHEN 'property' THEN (SELECT 80 + coalesce(octet_length(key), 0) + coalesce(octet_length(name), 0) + coalesce(octet_length(config), 0) FROM property WHERE n = entry.row)
      WHEN 'option' THEN (SELECT 40 + coalesce(octet_length(name), 0) FROM option WHERE n = entry.row)
      WHEN 'value' THEN (SELECT 40 + coalesce(octet_length(text), 0) FROM value WHERE item = entry.row AND property = CAST(entry.rest AS INTEGER)
        AND ordinal = CAST(substr(entry.rest, instr(entry.rest, '/') + 1) AS INTEGER))
      WHEN 'view' THEN (SELECT 60 + coalesce(octet_length(name), 0) + coalesce(octet_length(settings), 0) FROM view WHERE n = entry.row)
      WHEN 'comment' THEN (SELECT 80 + coalesce(octet_length(author), 0) + coalesce(octet_length(content), 0) FROM comment WHERE n = entry.row)
      WHEN 'reminder' THEN (SELECT 100 FROM reminder WHERE n = entry.row)
      WHEN 'element' THEN (SELECT 50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0) FROM element WHERE n = entry.row)
      WHEN 'board_asset' THEN (SELECT 50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0) FROM board_asset WHERE n = entry.row)
      WHEN 'board_state' THEN (SELECT 20 + coalesce(octet_length(json), 0) FROM board_state WHERE board = entry.row)
      WHEN 'block_file' THEN (SELECT 30 FROM block_file WHERE block = entry.row) END, 0) - CASE WHEN writer = (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) THEN size ELSE 0 END), 0)
      FROM change AS entry WHERE entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL AND entry.size IS NOT NULL),
    history = history + (SELECT coalesce(sum(60 + coalesce(octet_length(before), 0)), 0)
      FROM change AS entry WHERE entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL AND writer = (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')))
  WHERE link = coalesce(new.link, '');
  DELETE FROM written_row WHERE EXISTS (SELECT 1 FROM written_row) AND (tbl, row, rest) IN (
    SELECT tbl, row, coalesce(rest, '') FROM change AS entry
    WHERE entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL AND size IS NOT NULL AND ((entry.writer <> (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) OR entry.kind = 'insert') OR (kind = 'delete' AND CASE entry.tbl WHEN 'block' THEN (SELECT 100 + coalesce(octet_length(text), 0) + coalesce(octet_length(attributes), 0) FROM block WHERE n = entry.row)
      WHEN 'document' THEN (SELECT 100 FROM document WHERE n = entry.row)
      WHEN 'folder' THEN (SELECT 60 + coalesce(octet_length(name), 0) FROM folder WHERE n = entry.row)
      WHEN 'collection' THEN (SELECT 30 + coalesce(octet_length(title_key), 0) + coalesce(octet_length(title_name), 0) FROM collection WHERE n = entry.row)
      WHEN 'property' THEN (SELECT 80 + coalesce(octet_length(key), 0) + coalesce(octet_length(name), 0) + coalesce(octet_length(config), 0) FROM property WHERE n = entry.row)
      WHEN 'option' THEN (SELECT 40 + coalesce(octet_length(name), 0) FROM option WHERE n = entry.row)
      WHEN 'value' THEN (SELECT 40 + coalesce(octet_length(text), 0) FROM value WHERE item = entry.row AND property = CAST(entry.rest AS INTEGER)
        AND ordinal = CAST(substr(entry.rest, instr(entry.rest, '/') + 1) AS INTEGER))
      WHEN 'view' THEN (SELECT 60 + coalesce(octet_length(name), 0) + coalesce(octet_length(settings), 0) FROM view WHERE n = entry.row)
      WHEN 'comment' THEN (SELECT 80 + coalesce(octet_length(author), 0) + coalesce(octet_length(content), 0) FROM comment WHERE n = entry.row)
      WHEN 'reminder' THEN (SELECT 100 FROM reminder WHERE n = entry.row)
      WHEN 'element' THEN (SELECT 50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0) FROM element WHERE n = entry.row)
      WHEN 'board_asset' THEN (SELECT 50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0) FROM board_asset WHERE n = entry.row)
      WHEN 'board_state' THEN (SELECT 20 + coalesce(octet_length(json), 0) FROM board_state WHERE board = entry.row)
      WHEN 'block_file' THEN (SELECT 30 FROM block_file WHERE block = entry.row) END IS NULL)));
  INSERT INTO written_row (tbl, row, rest, writer)
    SELECT entry.tbl, entry.row, coalesce(entry.rest, ''), (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) FROM change AS entry
    WHERE entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL AND entry.size IS NOT NULL AND (entry.writer <> (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) OR entry.kind = 'insert')
      AND (SELECT n FROM byte_count WHERE link = coalesce(new.link, '')) IS NOT (SELECT writer FROM written_range AS numbers WHERE numbers.tbl = CASE
        WHEN entry.tbl IN ('block', 'folder', 'property', 'option', 'view', 'comment', 'reminder', 'element', 'board_asset') THEN entry.tbl ELSE 'block' END
        AND numbers.first <= entry.row ORDER BY numbers.first DESC LIMIT 1) AND CASE entry.tbl WHEN 'block' THEN (SELECT 100 + coalesce(octet_length(text), 0) + coalesce(octet_length(attributes), 0) FROM block WHERE n = entry.row)
      WHEN 'document' THEN (SELECT 100 FROM document WHERE n = entry.row)
      WHEN 'folder' THEN (SELECT 60 + coalesce(octet_length(name), 0) FROM folder WHERE n = entry.row)
      WHEN 'collection' THEN (SELECT 30 + coalesce(octet_length(title_key), 0) + coalesce(octet_length(title_name), 0) FROM collection WHERE n = entry.row)
      WHEN 'property' THEN (SELECT 80 + coalesce(octet_length(key), 0) + coalesce(octet_length(name), 0) + coalesce(octet_length(config), 0) FROM property WHERE n = entry.row)
      WHEN 'option' THEN (SELECT 40 + coalesce(octet_length(name), 0) FROM option WHERE n = entry.row)
      WHEN 'value' THEN (SELECT 40 + coalesce(octet_length(text), 0) FROM value WHERE item = entry.row AND property = CAST(entry.rest AS INTEGER)
        AND ordinal = CAST(substr(entry.rest, instr(entry.rest, '/') + 1) AS INTEGER))
      WHEN 'view' THEN (SELECT 60 + coalesce(octet_length(name), 0) + coalesce(octet_length(settings), 0) FROM view WHERE n = entry.row)
      WHEN 'comment' THEN (SELECT 80 + coalesce(octet_length(author), 0) + coalesce(octet_length(content), 0) FROM comment WHERE n = entry.row)
      WHEN 'reminder' THEN (SELECT 100 FROM reminder WHERE n = entry.row)
      WHEN 'element' THEN (SELECT 50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0) FROM element WHERE n = entry.row)
      WHEN 'board_asset' THEN (SELECT 50 + coalesce(octet_length(id), 0) + coalesce(octet_length(json), 0) FROM board_asset WHERE n = entry.row)
      WHEN 'board_state' THEN (SELECT 20 + coalesce(octet_length(json), 0) FROM board_state WHERE board = entry.row)
      WHEN 'block_file' THEN (SELECT 30 FROM block_file WHERE block = entry.row) END IS NOT NULL;
END;
CREATE TRIGGER change_uncounted AFTER DELETE ON change BEGIN
  UPDATE byte_count SET history = history - (60 + coalesce(octet_length(old.before), 0))
    WHERE n = coalesce(old.writer, 2) AND old.call < (SELECT call FROM call_start);
  -- The row went in the running call, which will not find what it had been.
  UPDATE byte_count SET documents = documents - old.size
    WHERE n = old.writer AND old.size IS NOT NULL AND NOT (old.call < (SELECT call FROM call_start));
END;
CREATE TRIGGER change_recounted AFTER UPDATE OF before ON change WHEN old.call < (SELECT call FROM call_start) BEGIN
  UPDATE byte_count SET history = history + (60 + coalesce(octet_length(new.before), 0)) - (60 + coalesce(octet_length(old.before), 0))
    WHERE n = coalesce(old.writer, 2);
END;
CREATE TRIGGER write_log_uncounted AFTER DELETE ON write_log BEGIN
  UPDATE byte_count SET history = history - (150 + coalesce(octet_length(old.author), 0) + coalesce(octet_length(old.client), 0) + coalesce(octet_length(old.endpoint), 0) + coalesce(octet_length(old.ids), 0) + coalesce(octet_length(old.undoes), 0)) WHERE link = coalesce(old.link, '');
END;
CREATE TRIGGER kept_answer_counted AFTER INSERT ON kept_answer BEGIN
  INSERT INTO byte_count (link, documents, history, files)
    SELECT coalesce(new.link, ''), 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = coalesce(new.link, ''));
  UPDATE byte_count SET history = history + (120 + coalesce(octet_length(new.key), 0) + coalesce(octet_length(new.call), 0) + coalesce(octet_length(new.answer), 0)) WHERE link = coalesce(new.link, '');
END;
CREATE TRIGGER kept_answer_recounted AFTER UPDATE ON kept_answer BEGIN
  UPDATE byte_count SET history = history - (120 + coalesce(octet_length(old.key), 0) + coalesce(octet_length(old.call), 0) + coalesce(octet_length(old.answer), 0)) WHERE link = coalesce(old.link, '');
  INSERT INTO byte_count (link, documents, history, files)
    SELECT coalesce(new.link, ''), 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = coalesce(new.link, ''));
  UPDATE byte_count SET history = history + (120 + coalesce(octet_length(new.key), 0) + coalesce(octet_length(new.call), 0) + coalesce(octet_length(new.answer), 0)) WHERE link = coalesce(new.link, '');
END;
CREATE TRIGGER kept_answer_uncounted AFTER DELETE ON kept_answer BEGIN
  UPDATE byte_count SET history = history - (120 + coalesce(octet_length(old.key), 0) + coalesce(octet_length(old.call), 0) + coalesce(octet_length(old.answer), 0)) WHERE link = coalesce(old.link, '');
END;
CREATE TRIGGER proposal_counted AFTER INSERT ON proposal BEGIN
  INSERT INTO byte_count (link, documents, history, files)
    SELECT coalesce(new.link, ''), 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = coalesce(new.link, ''));
  UPDATE byte_count SET history = history + (200 + coalesce(octet_length(new.reach), 0) + coalesce(octet_length(new.steps), 0) + coalesce(octet_length(new.ids), 0) + coalesce(octet_length(new.documents), 0) + coalesce(octet_length(new.summary), 0) + coalesce(octet_length(new.diff), 0) + coalesce(octet_length(new.note), 0)), files = files + (CASE WHEN new.state = 'waiting' THEN new.bytes ELSE 0 END) WHERE link = coalesce(new.link, '');
END;
CREATE TRIGGER proposal_recounted AFTER UPDATE ON proposal BEGIN
  UPDATE byte_count SET history = history - (200 + coalesce(octet_length(old.reach), 0) + coalesce(octet_length(old.steps), 0) + coalesce(octet_length(old.ids), 0) + coalesce(octet_length(old.documents), 0) + coalesce(octet_length(old.summary), 0) + coalesce(octet_length(old.diff), 0) + coalesce(octet_length(old.note), 0)), files = files - (CASE WHEN old.state = 'waiting' THEN old.bytes ELSE 0 END) WHERE link = coalesce(old.link, '');
  INSERT INTO byte_count (link, documents, history, files)
    SELECT coalesce(new.link, ''), 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = coalesce(new.link, ''));
  UPDATE byte_count SET history = history + (200 + coalesce(octet_length(new.reach), 0) + coalesce(octet_length(new.steps), 0) + coalesce(octet_length(new.ids), 0) + coalesce(octet_length(new.documents), 0) + coalesce(octet_length(new.summary), 0) + coalesce(octet_length(new.diff), 0) + coalesce(octet_length(new.note), 0)), files = files + (CASE WHEN new.state = 'waiting' THEN new.bytes ELSE 0 END) WHERE link = coalesce(new.link, '');
END;
CREATE TRIGGER proposal_uncounted AFTER DELETE ON proposal BEGIN
  UPDATE byte_count SET history = history - (200 + coalesce(octet_length(old.reach), 0) + coalesce(octet_length(old.steps), 0) + coalesce(octet_length(old.ids), 0) + coalesce(octet_length(old.documents), 0) + coalesce(octet_length(old.summary), 0) + coalesce(octet_length(old.diff), 0) + coalesce(octet_length(old.note), 0)), files = files - (CASE WHEN old.state = 'waiting' THEN old.bytes ELSE 0 END) WHERE link = coalesce(old.link, '');
END;
CREATE TRIGGER imported_counted AFTER INSERT ON imported BEGIN
  UPDATE byte_count SET documents = documents + (150 + coalesce(octet_length(new.path), 0) + coalesce(octet_length(new.anchor), 0)) WHERE n = 2;
END;
CREATE TRIGGER imported_uncounted AFTER DELETE ON imported BEGIN
  UPDATE byte_count SET documents = documents - (150 + coalesce(octet_length(old.path), 0) + coalesce(octet_length(old.anchor), 0)) WHERE n = 2;
END;
CREATE TRIGGER file_uncounted AFTER DELETE ON file
  WHEN old.n <= (SELECT file FROM call_start)
    AND NOT EXISTS (SELECT 1 FROM file WHERE hash = old.hash AND n < old.n) BEGIN
  UPDATE byte_count SET files = files - old.size WHERE n = coalesce((SELECT writer FROM written_range WHERE tbl = 'file' AND first <= old.n ORDER BY first DESC LIMIT 1), 2);
  UPDATE byte_count SET files = files + old.size
    WHERE n = (SELECT coalesce((SELECT writer FROM written_range WHERE tbl = 'file' AND first <= next.n ORDER BY first DESC LIMIT 1), 2) FROM (SELECT min(n) AS n FROM file WHERE hash = old.hash) AS next
      WHERE next.n <= (SELECT file FROM call_start));
END;
CREATE TABLE address_key (
  -- The first 23 characters of long IDs.
  id_prefix TEXT NOT NULL PRIMARY KEY CHECK (length(id_prefix) = 23),
  -- Signs addresses of files. 32 bytes in hex.
  file_key TEXT NOT NULL CHECK (length(file_key) = 64),
  -- 1 for the row that new addresses are made with; those of the other rows are still accepted.
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX address_key_current ON address_key (is_current) WHERE is_current = 1;
CREATE TRIGGER block_deletion_logged BEFORE DELETE ON block WHEN old.n <= (SELECT block FROM call_start) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block', 'delete', old.n, NULL, old.document, json_object('id', old.id, 'document', old.document, 'parent', old.parent, 'position', old.position, 'type', old.type, 'text', old.text, 'indentation', old.indentation, 'list_style', old.list_style, 'attributes', old.attributes, 'created_at', old.created_at, 'created_by', old.created_by, 'modified_at', old.modified_at, 'modified_by', old.modified_by, 'number', old.number, 'previous', (SELECT n FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1),
  'previousPosition', (SELECT position FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1)), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'block' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 100 + coalesce(octet_length(old.text), 0) + coalesce(octet_length(old.attributes), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'block' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
CREATE TRIGGER block_update_logged AFTER UPDATE OF type, text, indentation, list_style, attributes, number ON block
  WHEN old.n <= (SELECT block FROM call_start) AND (old.type IS NOT new.type OR old.text IS NOT new.text OR old.indentation IS NOT new.indentation OR old.list_style IS NOT new.list_style OR old.attributes IS NOT new.attributes OR old.number IS NOT new.number) BEGIN
    INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES ((SELECT call FROM call_start), 'block', 'update', old.n, NULL, old.document, json_remove(json_object('type', old.type, 'text', old.text, 'indentation', old.indentation, 'list_style', old.list_style, 'attributes', old.attributes, 'number', old.number, 'modified_at', old.modified_at, 'modified_by', old.modified_by), CASE WHEN old.type IS new.type THEN '$.type' ELSE '$.-' END, CASE WHEN old.text IS new.text THEN '$.text' ELSE '$.-' END, CASE WHEN old.indentation IS new.indentation THEN '$.indentation' ELSE '$.-' END, CASE WHEN old.list_style IS new.list_style THEN '$.list_style' ELSE '$.-' END, CASE WHEN old.attributes IS new.attributes THEN '$.attributes' ELSE '$.-' END, CASE WHEN old.number IS new.number THEN '$.number' ELSE '$.-' END, CASE WHEN old.modified_at IS new.modified_at THEN '$.modified_at' ELSE '$.-' END, CASE WHEN old.modified_by IS new.modified_by THEN '$.modified_by' ELSE '$.-' END), CASE WHEN NOT EXISTS (SELECT 1 FROM change WHERE tbl = 'block' AND row = old.n AND rest IS NULL AND call = (SELECT call FROM call_start) AND size IS NOT NULL)
      THEN 100 + coalesce(octet_length(old.text), 0) + coalesce(octet_length(old.attributes), 0) END, coalesce((SELECT writer FROM written_row WHERE tbl = 'block' AND row = old.n AND rest = ''),
      (SELECT writer FROM written_range WHERE tbl = 'block' AND first <= old.n ORDER BY first DESC LIMIT 1), 2));
  END;
INSERT INTO search (search, rank) VALUES ('automerge', 8);
INSERT INTO byte_count (n, link, documents, history, files) VALUES (1, '*', 0, 0, 0);
INSERT INTO byte_count (n, link, documents, history, files) VALUES (2, '', 0, 0, 0);
INSERT INTO call_start (one, call, block, folder, property, option, view, comment, reminder, element, board_asset, forgotten, file) VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO change_counter (one, value, listing) VALUES (1, 0, 0);
INSERT INTO location_count (location, documents) VALUES ('unsorted', 0);
INSERT INTO location_count (location, documents) VALUES ('folder', 0);
INSERT INTO location_count (location, documents) VALUES ('daily_notes', 0);
INSERT INTO location_count (location, documents) VALUES ('templates', 0);
INSERT INTO location_count (location, documents) VALUES ('trash', 0);
INSERT INTO location_count (location, documents) VALUES ('inbox', 0);
INSERT INTO location_count (location, documents) VALUES ('logbook', 0);
`
