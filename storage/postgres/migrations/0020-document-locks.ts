/** Documents that agents may not change, as in schema 42 of SQLite. */
import { INTEGER, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING } from './define-table.ts'

const tables = defineTables([
  {
    name: 'document_lock',
    columns: { document: INTEGER, locked_at: INTEGER, locked_by: WORD },
    key: ['document'],
    references: [{ column: 'document', table: 'document', onDelete: 'CASCADE' }],
  },
])

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
`
