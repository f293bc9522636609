/** Finds the pages directly within a document or page, for the tree of the pages. Documents themselves are not in it. */
export const sql = `
CREATE INDEX block_nested_page ON block (parent, position, n) WHERE type = 'page' AND parent IS NOT NULL;
`
