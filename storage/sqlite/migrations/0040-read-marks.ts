/**
 * What members have read of what waits for them, on which day they got their last daily line, and indexes that find
 * open comments and values that name somebody. The expressions are those of `storage/for-me.ts`.
 */
export const sql = `
CREATE TABLE read_mark (
  member INTEGER NOT NULL REFERENCES member (n) ON DELETE CASCADE,
  -- The ID of the task, block, comment or proposal.
  subject INTEGER NOT NULL CHECK (subject BETWEEN 100000000000 AND 999999999999),
  read_at INTEGER NOT NULL,
  PRIMARY KEY (member, subject)
) STRICT, WITHOUT ROWID;
-- Absent if the member wants no daily line; '' before the first one.
ALTER TABLE member ADD COLUMN daily_line TEXT;
CREATE INDEX comment_open ON comment (n) WHERE resolved_at IS NULL;
CREATE INDEX value_person ON value (item) WHERE text LIKE '%person:%';
`
