/** The log of writes names the client beside the author, which was the client's own name before. */
export const sql = `
ALTER TABLE write_log ADD COLUMN client TEXT;
`
