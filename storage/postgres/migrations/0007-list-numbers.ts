/** The number of a list item, as in schema 29 of SQLite: see storage/sqlite/migrations/0029-list-numbers.ts. */
import { LOGGED_BLOCKS } from '../../sqlite/migrations/0029-list-numbers.ts'
import { loggedBesides } from './0005-stored-bytes.ts'
import { replacedFunctions, replacedTrigger } from './history-triggers.ts'

export const sql = `
ALTER TABLE block ADD COLUMN number bigint CHECK (number BETWEEN 0 AND 999999999);
${replacedFunctions(LOGGED_BLOCKS, loggedBesides(LOGGED_BLOCKS)).join('\n')}
${replacedTrigger(LOGGED_BLOCKS)}
`
