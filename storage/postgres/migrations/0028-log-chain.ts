/** The chain of the log, as in schema 50 of SQLite. */
import { TEXT } from './define-table.ts'

const COLUMNS = ['origin', 'detail', 'erased', 'hash', 'content_hash', 'content_salt', 'names_hash', 'names_salt']

export const sql = `
${COLUMNS.map((column) => `ALTER TABLE write_log ADD COLUMN ${column} ${TEXT};`).join('\n')}
CREATE INDEX write_log_unnamed ON write_log (space, n) WHERE content_salt = '';
`
