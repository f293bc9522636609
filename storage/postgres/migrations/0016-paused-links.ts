import { OPTIONAL } from './column-types.ts'

/** When a person paused a link, as in schema 38 of SQLite. */
export const sql = `
ALTER TABLE link ADD COLUMN paused_at ${OPTIONAL};
`
