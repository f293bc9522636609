/** Claims and the clock of their leases, as in schema 31 of SQLite. */
import { INTEGER, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING, TEXT } from './define-table.ts'

const tables = defineTables([
  {
    name: 'lease',
    columns: {
      block: INTEGER,
      fence: INTEGER,
      caller: WORD,
      connection: TEXT,
      author: WORD,
      client: TEXT,
      since: INTEGER,
      ends_at: INTEGER,
      duration: `${INTEGER} CHECK (duration > 0)`,
      call: INTEGER,
      restores: TEXT,
    },
    key: ['block'],
    unique: [['fence']],
    references: [{ column: 'block', table: 'block', onDelete: 'CASCADE' }],
    indexes: { lease_ends_at: 'ends_at)', lease_caller: 'caller)', lease_call: 'call)' },
  },
  {
    name: 'lease_clock',
    columns: { one: 'bigint NOT NULL CHECK (one = 1)', at: INTEGER, steady: INTEGER, fence: INTEGER },
    key: ['one'],
  },
])

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
ALTER TABLE event ADD COLUMN detail ${TEXT};
`
