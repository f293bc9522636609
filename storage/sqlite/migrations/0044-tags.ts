/** The tags of blocks. Blocks that may have some are indexed again when the file is opened. */
export const sql = `
CREATE TABLE block_tag (
  tag TEXT NOT NULL,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  name TEXT NOT NULL,
  is_property INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tag, block)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_tag_block ON block_tag (block);
INSERT OR IGNORE INTO unindexed_block (block)
  SELECT n FROM block WHERE instr(text, '#') > 0 OR (type = 'code' AND text LIKE '%tag%');
`
