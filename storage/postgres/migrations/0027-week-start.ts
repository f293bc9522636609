/** The day on which weeks begin on the pages, as in schema 49 of SQLite. */
import { OPTIONAL } from './column-types.ts'

export const sql = `
ALTER TABLE space ADD COLUMN week_start ${OPTIONAL} CHECK (week_start BETWEEN 1 AND 7);
`
