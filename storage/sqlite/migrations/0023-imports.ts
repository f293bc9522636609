/**
 * What was imported, so that a second import of the same source continues the first one and changes only what changed.
 *
 * The rows are written before the documents, with the IDs that these will have: links between documents are the same
 * whichever is written first, and also when an import that was interrupted is run again.
 */
export const sql = `
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
`
