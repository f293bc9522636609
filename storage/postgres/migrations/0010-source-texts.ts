/** The texts that documents were imported from, as in schema 32 of SQLite. */
import { INTEGER, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING } from './define-table.ts'

const tables = defineTables([
  {
    name: 'source_text',
    columns: {
      document: INTEGER,
      path: WORD,
      title: WORD,
      is_vault: INTEGER,
      files: WORD,
      text: WORD,
      revision: INTEGER,
    },
    key: ['document'],
    references: [{ column: 'document', table: 'document', onDelete: 'CASCADE' }],
  },
])

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
`
