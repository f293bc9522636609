/** Links that open a calendar, and nothing else, as in schema 47 of SQLite. */
import { FLAG } from './column-types.ts'

export const sql = `
ALTER TABLE link ADD COLUMN is_calendar ${FLAG};
`
