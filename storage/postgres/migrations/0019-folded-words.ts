/** Indexes blocks again whose words changed, as in schema 41 of SQLite. Each space does so when it is next opened. */
import { INTEGER } from './column-types.ts'
import { defineTables, SPACE_SETTING } from './define-table.ts'

const tables = defineTables([{ name: 'unindexed_block', columns: { block: INTEGER }, key: ['block'] }])

const isBeyondAscii = (column: string) => `octet_length(${column}) <> char_length(${column})`

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
DO $$
DECLARE
  one bigint;
BEGIN
  FOR one IN SELECT space FROM tenant ORDER BY space LOOP
    PERFORM set_config('${SPACE_SETTING}', one::text, true);
    INSERT INTO unindexed_block (block)
      SELECT n FROM block WHERE ${isBeyondAscii('text')} OR position('](' IN text) > 0
        OR (attributes IS NOT NULL AND (${isBeyondAscii('attributes')} OR position('"url":' IN attributes) > 0))
      UNION SELECT item FROM value WHERE ${isBeyondAscii('text')}
      UNION SELECT block FROM comment WHERE ${isBeyondAscii('content')}
      UNION SELECT board FROM element WHERE ${isBeyondAscii('json')};
  END LOOP;
  PERFORM set_config('${SPACE_SETTING}', '0', true);
END $$;
`
