/** The tags of blocks, as in schema 44 of SQLite. Each space indexes those that it has when it is next opened. */
import { FLAG, INTEGER, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING } from './define-table.ts'

const tables = defineTables([
  {
    name: 'block_tag',
    columns: { tag: WORD, block: INTEGER, name: WORD, is_property: FLAG },
    key: ['tag', 'block'],
    references: [{ column: 'block', table: 'block', onDelete: 'CASCADE' }],
    indexes: { block_tag_block: 'block)' },
  },
])

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
      SELECT n FROM block WHERE position('#' IN text) > 0 OR (type = 'code' AND text ILIKE '%tag%')
      ON CONFLICT DO NOTHING;
  END LOOP;
  PERFORM set_config('${SPACE_SETTING}', '0', true);
END $$;
`
