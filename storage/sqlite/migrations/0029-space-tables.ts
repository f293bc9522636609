/** The tables of participants, links, calls, history, webhooks, proposals, imports and counts. Part of schema 29. */
export const spaceTables = `
CREATE TABLE "participant" (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  -- When the participant left; absent while active.
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX participant_name ON participant (name) WHERE removed_at IS NULL;
CREATE TABLE password (
  participant INTEGER PRIMARY KEY REFERENCES participant (n),
  -- How it was hashed, with its salt: the password itself is kept nowhere.
  hash TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
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
CREATE TABLE sign_in (
  identity INTEGER NOT NULL REFERENCES identity (n) ON DELETE CASCADE,
  -- The program that was signed in with, as the issuer names it; '' where it does not.
  client TEXT NOT NULL,
  link INTEGER NOT NULL REFERENCES link (n),
  PRIMARY KEY (identity, client)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_link ON sign_in (link);
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
CREATE TABLE link_document (
  link INTEGER NOT NULL REFERENCES link (n) ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE, since INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (link, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_document_document ON link_document (document);
CREATE TABLE upload (
  -- SHA-256 of the secret, in hex.
  secret_hash TEXT PRIMARY KEY CHECK (length(secret_hash) = 64),
  link TEXT NOT NULL,
  -- The input of the call, as JSON.
  asked TEXT NOT NULL CHECK (json_valid(asked)),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE ended_session (
  -- The ID of a link, or 'operator'.
  link TEXT NOT NULL,
  -- The part of the cookie that differs for each session; '' for all sessions of the link until started_at.
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (link, nonce)
) STRICT, WITHOUT ROWID;
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
CREATE INDEX change_row ON change (tbl, row, rest, call);
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
INSERT INTO byte_count (n, link, documents, history, files) VALUES (1, '*', 0, 0, 0);
INSERT INTO byte_count (n, link, documents, history, files) VALUES (2, '', 0, 0, 0);
INSERT INTO call_start (one, call, block, folder, property, option, view, comment, reminder, element, board_asset, forgotten, file) VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
`
