/** Links that open a calendar, and nothing else. */
export const sql = `
ALTER TABLE link ADD COLUMN is_calendar INTEGER NOT NULL DEFAULT 0;
`
