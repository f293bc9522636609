/** Members: who can be given work, named and asked. Every participant is one, every link of a program, and groups. */
export const sql = `
CREATE TABLE member (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id INTEGER NOT NULL UNIQUE CHECK (id BETWEEN 100000000000 AND 999999999999),
  kind TEXT NOT NULL CHECK (kind IN ('person', 'agent', 'group')),
  -- The participant or the link that it is, whose name it has.
  participant INTEGER UNIQUE REFERENCES participant (n),
  link INTEGER UNIQUE REFERENCES link (n),
  -- Of a group alone.
  name TEXT CHECK (name <> ''),
  handle TEXT UNIQUE CHECK (handle <> ''),
  picture TEXT CHECK (picture <> ''),
  removed_at INTEGER,
  CHECK ((participant IS NOT NULL) + (link IS NOT NULL) + (name IS NOT NULL) = 1),
  CHECK ((kind = 'group') = (name IS NOT NULL))
) STRICT;
CREATE TABLE group_member (
  member_group INTEGER NOT NULL REFERENCES member (n) ON DELETE CASCADE,
  member INTEGER NOT NULL REFERENCES member (n) ON DELETE CASCADE,
  PRIMARY KEY (member_group, member)
) STRICT, WITHOUT ROWID;
CREATE INDEX group_member_member ON group_member (member);
INSERT INTO member (id, kind, participant)
  SELECT 100000000000 + abs(random() % 900000000000), 'person', n FROM participant ORDER BY n;
-- The links with which people use the pages are no members: what they write is the participant's.
INSERT INTO member (id, kind, link)
  SELECT 100000000000 + abs(random() % 900000000000), 'agent', n FROM link
  WHERE coalesce(consent, '') NOT LIKE 'page %' ORDER BY n;
`
