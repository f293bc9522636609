/** The day on which weeks begin on the pages: 1 for Monday to 7 for Sunday. Absent, the language of the reader decides. */
export const sql = `
ALTER TABLE space ADD COLUMN week_start INTEGER CHECK (week_start BETWEEN 1 AND 7);
`
