/** Finds the pages directly within a document or page, as in schema 53 of SQLite. */
export const sql = `
CREATE INDEX block_nested_page ON block (space, parent, position, n) WHERE type = 'page' AND parent IS NOT NULL;
`
