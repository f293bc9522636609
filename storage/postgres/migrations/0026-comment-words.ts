import { OPTIONAL } from './column-types.ts'
import { TEXT } from './define-table.ts'

/** Comments on words, as in schema 48 of SQLite. */
export const sql = `
ALTER TABLE comment ADD COLUMN thread ${OPTIONAL};
ALTER TABLE comment ADD COLUMN words ${TEXT};
`
