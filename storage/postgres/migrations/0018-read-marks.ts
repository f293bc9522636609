/** What members have read of what waits for them, as in schema 40 of SQLite. */
import { INTEGER } from './column-types.ts'
import { defineTables, SPACE_SETTING, TEXT } from './define-table.ts'

const tables = defineTables([
  {
    name: 'read_mark',
    columns: {
      member: INTEGER,
      subject: `${INTEGER} CHECK (subject BETWEEN 100000000000 AND 999999999999)`,
      read_at: INTEGER,
    },
    key: ['member', 'subject'],
    references: [{ column: 'member', table: 'member', onDelete: 'CASCADE' }],
  },
])

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
ALTER TABLE member ADD COLUMN daily_line ${TEXT};
CREATE INDEX comment_open ON comment (space, n) WHERE resolved_at IS NULL;
CREATE INDEX value_person ON value (space, item) WHERE text LIKE '%person:%';
`
