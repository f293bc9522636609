/** Who made a link, what a participant may do, and the language of dates, as in schema 52 of SQLite. */
import { OPTIONAL, oneOf, WORD } from './column-types.ts'
import { SPACE_SETTING, TEXT } from './define-table.ts'

const LEVELS = ['full', 'no-delete', 'propose', 'comment', 'read']

// A reference to a table with a policy reads that table, which is an error without a space. No row is in space 0.
export const sql = `
SELECT set_config('${SPACE_SETTING}', '0', true);
ALTER TABLE link ADD COLUMN made_by ${OPTIONAL};
ALTER TABLE link ADD FOREIGN KEY (space, made_by) REFERENCES participant (space, n) DEFERRABLE;
ALTER TABLE participant ADD COLUMN access ${WORD} DEFAULT 'full' ${oneOf('access', LEVELS)};
ALTER TABLE space ADD COLUMN date_language ${TEXT};
`
