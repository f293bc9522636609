/** When a person paused a link. */
export const sql = `
ALTER TABLE link ADD COLUMN paused_at INTEGER;
`
