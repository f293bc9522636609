/** Documents by when they changed, for those who watch them; and whiteboards, which are few among blocks. */
export const sql = `
CREATE INDEX document_modified ON document (modified_at);
CREATE INDEX block_whiteboard ON block (n) WHERE type = 'whiteboard';
`
