/** A link may have access `comment`, as in schema 43 of SQLite. */
import { oneOf } from './column-types.ts'

export const sql = `
ALTER TABLE link DROP CONSTRAINT link_access_check;
ALTER TABLE link ADD CONSTRAINT link_access_check ${oneOf('access', ['full', 'no-delete', 'propose', 'comment', 'read'])};
`
