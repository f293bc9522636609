/**
 * The number of a list item, if it is another one than counting its list gives. Absent for all other blocks.
 *
 * History keeps it, so the triggers that log the block's columns are made again.
 */
import { LOGGED_TABLES, type Logged, triggersOf } from './0019-history.ts'
import { loggedBesides } from './0027-stored-bytes.ts'

/** The table of blocks as it is logged from here on. */
export const LOGGED_BLOCKS: Logged = withNumber(LOGGED_TABLES.find(({ name }) => name === 'block'))

/** @throws Error without the table */
function withNumber(table: Logged | undefined): Logged {
  const [content, ...others] = table?.updates ?? []
  if (table === undefined || content === undefined) throw new Error('Expected the table of blocks, found none.')
  return {
    ...table,
    columns: [...table.columns, 'number'],
    updates: [{ ...content, columns: [...content.columns, 'number'] }, ...others],
  }
}

/** The triggers that log columns of the content. */
const LOGGING = ['block_deletion_logged', 'block_update_logged']

export const sql = `
ALTER TABLE block ADD COLUMN number INTEGER CHECK (number BETWEEN 0 AND 999999999);
${LOGGING.map((name) => `DROP TRIGGER ${name};`).join('\n')}
${triggersOf(LOGGED_BLOCKS, loggedBesides(LOGGED_BLOCKS))
  .filter((trigger) => LOGGING.some((name) => trigger.startsWith(`CREATE TRIGGER ${name} `)))
  .join('\n')}
`
