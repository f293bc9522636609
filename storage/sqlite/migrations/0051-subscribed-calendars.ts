/** Calendars of others that people are subscribed to. History does not keep them, and no undo brings one back. */
export const sql = `
CREATE TABLE subscribed_calendar (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  participant INTEGER REFERENCES participant (n) ON DELETE CASCADE,
  link INTEGER REFERENCES link (n) ON DELETE CASCADE,
  url TEXT NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  checked_at INTEGER NOT NULL,
  read_at INTEGER,
  failing_since INTEGER,
  fault TEXT,
  etag TEXT,
  last_modified TEXT,
  content TEXT NOT NULL DEFAULT '',
  left_out INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX subscribed_calendar_participant ON subscribed_calendar (participant);
CREATE INDEX subscribed_calendar_link ON subscribed_calendar (link);
`
