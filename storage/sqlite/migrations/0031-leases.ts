/** Who works on which row: claims, the clock of their leases, and what an event says besides its subject. */
export const sql = `
CREATE TABLE lease (
  -- One lease per row, so that no two can hold it.
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  fence INTEGER NOT NULL UNIQUE,
  -- Who may find it again: a key of the link, and the connection if there is one.
  caller TEXT NOT NULL,
  connection TEXT,
  author TEXT NOT NULL,
  client TEXT,
  since INTEGER NOT NULL,
  -- By the clock of leases, and how long it lasts from each renewal.
  ends_at INTEGER NOT NULL,
  duration INTEGER NOT NULL CHECK (duration > 0),
  -- The call that claimed the row.
  call INTEGER NOT NULL,
  -- The values that the claim wrote and those of before, as JSON.
  restores TEXT CHECK (restores IS NULL OR json_valid(restores))
) STRICT;
CREATE INDEX lease_ends_at ON lease (ends_at);
CREATE INDEX lease_caller ON lease (caller);
CREATE INDEX lease_call ON lease (call);
CREATE TABLE lease_clock (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  -- The time, and what the steady clock showed at that time.
  at INTEGER NOT NULL,
  steady INTEGER NOT NULL,
  -- The last fence that was given out.
  fence INTEGER NOT NULL
) STRICT;
ALTER TABLE event ADD COLUMN detail TEXT CHECK (detail IS NULL OR json_valid(detail));
`
