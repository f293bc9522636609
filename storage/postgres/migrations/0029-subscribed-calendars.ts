/** Calendars of others that people are subscribed to, as in schema 51 of SQLite. */
import { FLAG, INTEGER, NAME, OPTIONAL, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING, TEXT } from './define-table.ts'

const tables = defineTables([
  {
    name: 'subscribed_calendar',
    columns: {
      ...{ n: INTEGER, participant: OPTIONAL, link: OPTIONAL, url: WORD, name: NAME, created_at: INTEGER },
      ...{ checked_at: INTEGER, read_at: OPTIONAL, failing_since: OPTIONAL, fault: TEXT, etag: TEXT },
      ...{ last_modified: TEXT, content: `${WORD} DEFAULT ''`, left_out: FLAG },
    },
    key: ['n'],
    references: [
      { column: 'participant', table: 'participant', onDelete: 'CASCADE' },
      { column: 'link', table: 'link', onDelete: 'CASCADE' },
    ],
    indexes: {
      subscribed_calendar_participant: 'participant)',
      subscribed_calendar_link: 'link)',
    },
    isNumbered: true,
  },
])

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
${tables}
`
