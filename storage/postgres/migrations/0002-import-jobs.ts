/** Imports over HTTP, as in schema 24 of SQLite: which one runs, how far it is, and how the last ones ended. */
import { INTEGER, oneOf, WORD } from './column-types.ts'
import { defineTables, TEXT } from './define-table.ts'

export const sql = defineTables([
  {
    name: 'import_job',
    columns: {
      n: INTEGER,
      id: WORD,
      name: WORD,
      status: `${WORD} ${oneOf('status', ['running', 'done', 'failed', 'stopped'])}`,
      done: INTEGER,
      total: INTEGER,
      elapsed: INTEGER,
      alive_until: INTEGER,
      outcome: TEXT,
    },
    key: ['n'],
    unique: [['id']],
    isNumbered: true,
  },
])
