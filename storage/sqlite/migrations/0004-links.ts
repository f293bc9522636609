/** Links, what they may reach, what was written over them, and the answers that a retry gets again. */
export const sql = `
CREATE TABLE link (
  n INTEGER PRIMARY KEY,
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
  revoked_at INTEGER
) STRICT;

CREATE TABLE link_document (
  link INTEGER NOT NULL REFERENCES link (n) ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  PRIMARY KEY (link, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_document_document ON link_document (document);

CREATE TABLE write_log (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- The ID of the link; absent for whoever ran the program.
  link TEXT,
  author TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  -- What was written: a JSON array.
  ids TEXT NOT NULL CHECK (json_valid(ids))
) STRICT;

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
`
