/** The texts that documents were imported from, so that an export can write them as they were. */
export const sql = `
CREATE TABLE source_text (
  document INTEGER PRIMARY KEY REFERENCES document (n) ON DELETE CASCADE,
  -- Where the file was in its source, and the title that it gave the document.
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  -- Whether it was read as a note of a vault.
  is_vault INTEGER NOT NULL CHECK (is_vault IN (0, 1)),
  -- The paths in the source of the files that it shows, by the ID of the file, as JSON.
  files TEXT NOT NULL CHECK (json_valid(files)),
  -- The text of the file, compressed, in base64.
  text TEXT NOT NULL,
  -- The revision of the document that was made from it. A document with a later one may have lost some of this text.
  revision INTEGER NOT NULL
) STRICT;
`
