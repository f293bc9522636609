/** Sessions of the pages that ended before they expire, as in schema 25 of SQLite. */
import { INTEGER, WORD } from './column-types.ts'
import { defineTables } from './define-table.ts'

export const sql = defineTables([
  {
    name: 'ended_session',
    columns: { link: WORD, nonce: WORD, started_at: INTEGER, expires_at: INTEGER },
    key: ['link', 'nonce'],
  },
])
