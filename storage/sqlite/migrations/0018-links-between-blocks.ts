/**
 * Comments can be changed and resolved, and blocks know which others link to them.
 *
 * What only reading the texts can say, the links of existing blocks and the words on existing boards, is added to the
 * index when the space is next opened: `unindexed_block` names the blocks.
 */
export const sql = `
ALTER TABLE comment ADD COLUMN modified_at INTEGER;
ALTER TABLE comment ADD COLUMN resolved_at INTEGER;
ALTER TABLE comment ADD COLUMN resolved_by TEXT;

CREATE TABLE block_link (
  target INTEGER NOT NULL,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  PRIMARY KEY (target, block)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_link_block ON block_link (block);

CREATE TABLE unindexed_block (
  block INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE
) STRICT;
INSERT INTO unindexed_block (block)
SELECT n FROM block WHERE type = 'whiteboard'
  OR text LIKE '%block:%' OR text LIKE '%scriptorium:%' OR text LIKE '%/d/%'
  OR attributes LIKE '%block:%' OR attributes LIKE '%scriptorium:%' OR attributes LIKE '%/d/%';
`
