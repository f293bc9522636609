/** Documents that agents may not change. A table of its own, which history does not keep, so that no undo unlocks one. */
export const sql = `
CREATE TABLE document_lock (
  document INTEGER PRIMARY KEY REFERENCES document (n) ON DELETE CASCADE,
  locked_at INTEGER NOT NULL,
  locked_by TEXT NOT NULL
) STRICT;
`
