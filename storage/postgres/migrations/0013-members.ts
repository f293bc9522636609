/** Members, as in schema 35 of SQLite. */
import { ID, INTEGER, OPTIONAL, oneOf, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING, TEXT } from './define-table.ts'

const tables = defineTables([
  {
    name: 'member',
    columns: {
      n: INTEGER,
      id: ID,
      kind: `${WORD} ${oneOf('kind', ['person', 'agent', 'group'])}`,
      participant: OPTIONAL,
      link: OPTIONAL,
      name: `${TEXT} CHECK (name <> '')`,
      handle: `${TEXT} CHECK (handle <> '')`,
      picture: `${TEXT} CHECK (picture <> '')`,
      removed_at: OPTIONAL,
    },
    key: ['n'],
    unique: [['id'], ['participant'], ['link'], ['handle']],
    references: [
      { column: 'participant', table: 'participant' },
      { column: 'link', table: 'link' },
    ],
    checks: ['num_nonnulls(participant, link, name) = 1', "(kind = 'group') = (name IS NOT NULL)"],
    isNumbered: true,
  },
  {
    name: 'group_member',
    columns: { member_group: INTEGER, member: INTEGER },
    key: ['member_group', 'member'],
    references: [
      { column: 'member_group', table: 'member', onDelete: 'CASCADE' },
      { column: 'member', table: 'member', onDelete: 'CASCADE' },
    ],
    indexes: { group_member_member: 'member)' },
  },
])

const RANDOM_ID = '100000000000 + floor(random() * 900000000000)::bigint'

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
    INSERT INTO member (id, kind, participant) SELECT ${RANDOM_ID}, 'person', n FROM participant ORDER BY n;
    -- The links with which people use the pages are no members: what they write is the participant's.
    INSERT INTO member (id, kind, link) SELECT ${RANDOM_ID}, 'agent', n FROM link
      WHERE coalesce(consent, '') NOT LIKE 'page %' ORDER BY n;
  END LOOP;
  PERFORM set_config('${SPACE_SETTING}', '0', true);
END $$;
`
