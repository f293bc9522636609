/**
 * The feed of changes: events that are no calls, from where the log of changes is whole, when the reach of a link
 * changed, and addresses that are told of what happens.
 */
export const sql = `
-- What happened without being a call, such as that a reminder was due.
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

-- The last call whose changes are not kept any more, nor those of any call before it.
ALTER TABLE call_start ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
UPDATE call_start SET forgotten = coalesce((SELECT min(call) - 1 FROM change), call - 1);

-- How often it came to reach other documents, or another kind of them.
ALTER TABLE link ADD COLUMN reach_changes INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER link_document_exposed AFTER INSERT ON link_document BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = new.link;
END;
CREATE TRIGGER link_document_unexposed AFTER DELETE ON link_document BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = old.link;
END;
CREATE TRIGGER link_kind_changed AFTER UPDATE OF kind ON link WHEN old.kind IS NOT new.kind BEGIN
  UPDATE link SET reach_changes = reach_changes + 1 WHERE n = new.n;
END;

-- An address that is sent what happens within the reach of a link.
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

-- Which process sends to the addresses of this space, and until when it need not say so again.
CREATE TABLE webhook_lease (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
`
