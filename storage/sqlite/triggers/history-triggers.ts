/**
 * History: every call leaves what it changed, so that it can be shown and undone.
 *
 * `change` has a row for each row that a call changed: of a deleted row all columns, of a changed one the columns as
 * they were, and of inserted ones a range of numbers for each table. Triggers write it, so that no code can forget to.
 * Rows that were inserted by the same call leave nothing more: `call_start` knows the last number of each table before
 * it. A row that comes back under its old number leaves an entry of its own. The number of a call is that of its row in
 * `write_log`, which is written last.
 */
import { LOGGED_TABLES, type LoggedTable, type LoggedUpdate } from '../../history-tables.ts'
import { restOf } from '../../logged-rows.ts'
import { loggedBytes } from './logged-bytes.ts'
import { RUNNING_CALL } from './running-call.ts'

/** The block that stands before another, and where. */
const PREVIOUS = `'previous', (SELECT n FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1),
  'previousPosition', (SELECT position FROM block WHERE document = old.document AND parent = old.parent
    AND (position, n) < (old.position, old.n) ORDER BY position DESC, n DESC LIMIT 1)`

/** The document of a block, which may have been deleted before what hangs on it. */
const documentOf = (block: string): string =>
  `coalesce((SELECT document FROM block WHERE n = ${block}),
    (SELECT document FROM change WHERE tbl = 'block' AND row = ${block} AND kind = 'delete' ORDER BY n DESC LIMIT 1))`

/** The collection of an option, also when its property is gone. */
const collectionOfOption = (row: string): string =>
  `coalesce((SELECT collection FROM property WHERE n = ${row}.property),
      (SELECT before ->> '$.collection' FROM change WHERE tbl = 'property' AND row = ${row}.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))`

/** The document that a row belongs to, as SQL; NULL for none. */
function documentOfRow({ name, block }: LoggedTable, row: string): string {
  if (block === undefined) return 'NULL'
  if (name === 'block') return `${row}.document`
  return documentOf(name === 'option' ? collectionOfOption(row) : `${row}.${block}`)
}

const fields = (columns: readonly string[]): string => columns.map((column) => `'${column}', old.${column}`).join(', ')

function updatedColumns({ columns, silent = [], isPlace = false }: LoggedUpdate): string {
  const kept = [...columns, ...silent]
  const unchanged = kept.map((column) => `CASE WHEN old.${column} IS new.${column} THEN '$.${column}' ELSE '$.-' END`)
  return `json_remove(json_object(${fields(kept)}${isPlace ? `, ${PREVIOUS}` : ''}), ${unchanged.join(', ')})`
}

/** The triggers that log the changes of a table. */
function triggersOf(table: LoggedTable): string[] {
  const { name, key, columns, updates, hasPlace, numbers } = table
  const bytes = loggedBytes(table)
  const isOlder = (row: string) => `${row}.${key} <= (SELECT ${numbers} FROM call_start)`
  const log = (row: 'old' | 'new', kind: string, before: string, size: string) =>
    `INSERT INTO change (call, tbl, kind, row, rest, document, before, size, writer)
    VALUES (${RUNNING_CALL}, '${name}', '${kind}', ${row}.${key}, ${restOf(table, row) ?? 'NULL'}, ${documentOfRow(table, row)}, ${before}, ${size});`
  const deleted = `json_object(${fields(columns)}${hasPlace ? `, ${PREVIOUS}` : ''})`
  return [
    `CREATE TRIGGER ${name}_deletion_logged BEFORE DELETE ON ${name} WHEN ${isOlder('old')} BEGIN
    ${log('old', 'delete', deleted, bytes.before)}
END;`,
    `CREATE TRIGGER ${name}_insertion_logged AFTER INSERT ON ${name} WHEN ${isOlder('new')} BEGIN
    ${log('new', 'insert', 'NULL', bytes.none)}
END;`,
    ...updates.map((update, index) => {
      // A statement that sets the position alone renumbers siblings.
      const of = update.isPlace ? update.columns.filter((column) => column !== 'position') : update.columns
      const isChanged = update.columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')
      const size = bytes.isCounted(update.columns) ? bytes.before : 'NULL, NULL'
      return `CREATE TRIGGER ${name}_update_logged${index === 0 ? '' : `_${index + 1}`} AFTER UPDATE OF ${of.join(', ')} ON ${name}
  WHEN ${isOlder('old')} AND (${isChanged}) BEGIN
    ${log('old', 'update', updatedColumns(update), size)}
END;`
    }),
  ]
}

/** Not by OR IGNORE or ON CONFLICT: the statement that fires a trigger may override that. */
const addCallDocument = (call: string, document: string): string =>
  `INSERT INTO call_document (call, document, is_marked) SELECT ${call}, ${document}, 0
    WHERE NOT EXISTS (SELECT 1 FROM call_document WHERE call = ${call} AND document = ${document});`
const markCallDocument = `${addCallDocument(RUNNING_CALL, 'new.n')}
  UPDATE call_document SET is_marked = 1 WHERE call = ${RUNNING_CALL} AND document = new.n;`

/** Which documents a call changed. Reminders leave the revision of their document as it is. */
const callDocuments = `
CREATE TRIGGER change_document_logged AFTER INSERT ON change WHEN new.document IS NOT NULL BEGIN
  ${addCallDocument('new.call', 'new.document')}
END;
CREATE TRIGGER document_change_logged AFTER UPDATE OF revision ON document BEGIN
  ${markCallDocument}
END;
CREATE TRIGGER document_addition_logged AFTER INSERT ON document BEGIN
  ${markCallDocument}
END;
CREATE TRIGGER reminder_range_logged AFTER INSERT ON change WHEN new.tbl = 'reminder' AND new.last IS NOT NULL BEGIN
  INSERT INTO call_document (call, document, is_marked)
  SELECT DISTINCT new.call, block.document, 1 FROM reminder JOIN block ON block.n = reminder.block
  WHERE reminder.n BETWEEN new.row AND new.last AND NOT EXISTS (
    SELECT 1 FROM call_document AS known WHERE known.call = new.call AND known.document = block.document);
END;`

export const historyTriggers = `${callDocuments}
${LOGGED_TABLES.flatMap(triggersOf).join('\n')}`
