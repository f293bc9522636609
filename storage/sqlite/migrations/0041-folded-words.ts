/**
 * Indexes again what the index would now have other words of: letters that are folded since, and addresses. Texts beyond
 * ASCII are those with more bytes than characters.
 */
const isBeyondAscii = (column: string) => `length(CAST(${column} AS BLOB)) <> length(${column})`

export const sql = `
INSERT OR IGNORE INTO unindexed_block (block)
  SELECT n FROM block WHERE ${isBeyondAscii('text')} OR instr(text, '](') > 0
    OR (attributes IS NOT NULL AND (${isBeyondAscii('attributes')} OR instr(attributes, '"url":') > 0));
INSERT OR IGNORE INTO unindexed_block (block) SELECT item FROM value WHERE ${isBeyondAscii('text')};
INSERT OR IGNORE INTO unindexed_block (block) SELECT block FROM comment WHERE ${isBeyondAscii('content')};
INSERT OR IGNORE INTO unindexed_block (block) SELECT board FROM element WHERE ${isBeyondAscii('json')};
`
