/** Whiteboards: what was drawn on them, a row an element, and what their pictures and their look need besides. */
export const sql = `
CREATE TABLE element (
  -- Also the order on the board: who comes later lies above.
  n INTEGER PRIMARY KEY,
  board INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  id TEXT NOT NULL CHECK (id <> ''),
  -- The whole element, its ID included.
  json TEXT NOT NULL CHECK (json_valid(json)),
  UNIQUE (board, id)
) STRICT;
CREATE INDEX element_board ON element (board);

CREATE TABLE board_asset (
  n INTEGER PRIMARY KEY,
  board INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  id TEXT NOT NULL,
  json TEXT NOT NULL CHECK (json_valid(json)),
  UNIQUE (board, id)
) STRICT;

CREATE TABLE board_state (
  board INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  json TEXT NOT NULL CHECK (json_valid(json))
) STRICT;
`
