/** Files: their bytes lie beside the space, named by what they are; blocks show them. */
export const sql = `
CREATE TABLE file (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- SHA-256 of the bytes, in hex.
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  size INTEGER NOT NULL CHECK (size > 0),
  mime_type TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX file_hash ON file (hash);

-- A file is there as long as a block shows it.
CREATE TABLE block_file (
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  file INTEGER NOT NULL REFERENCES file (n)
) STRICT;
CREATE INDEX block_file_file ON block_file (file);

-- An address that takes one file, for a caller who cannot send it with the call.
CREATE TABLE upload (
  -- SHA-256 of the secret, in hex.
  secret_hash TEXT PRIMARY KEY CHECK (length(secret_hash) = 64),
  link TEXT NOT NULL,
  -- The input of the call, as JSON.
  asked TEXT NOT NULL CHECK (json_valid(asked)),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
