/** Links that are given to a group, as in schema 39 of SQLite. */
import { INTEGER, OPTIONAL } from './column-types.ts'
import { defineTables, SPACE_SETTING } from './define-table.ts'

const tables = defineTables([
  {
    name: 'group_link',
    columns: { link: INTEGER, member_group: INTEGER, given_with: OPTIONAL },
    key: ['link'],
    references: [
      { column: 'link', table: 'link' },
      { column: 'member_group', table: 'member' },
      { column: 'given_with', table: 'link' },
    ],
    indexes: { group_link_group: 'member_group)', group_link_given: 'given_with)' },
  },
])

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
`
