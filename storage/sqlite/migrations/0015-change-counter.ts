/**
 * A number for each transaction that changed anything, counted up in the transaction itself: watching goes by it, since
 * clocks go backwards and far ahead.
 */
export const sql = `
CREATE TABLE change_counter (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value INTEGER NOT NULL,
  -- What the value was when documents, files or whiteboards were last added, removed or restored.
  listing INTEGER NOT NULL
) STRICT;
INSERT INTO change_counter VALUES (1, 0, 0);

ALTER TABLE document ADD COLUMN change_number INTEGER NOT NULL DEFAULT 0;
CREATE INDEX document_change ON document (change_number);
`
