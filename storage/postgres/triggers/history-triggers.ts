/** Triggers that keep history. They leave the same entries as those of SQLite: see storage/sqlite/triggers. */
import { LOGGED_TABLES, type LoggedTable, type LoggedUpdate } from '../../history-tables.ts'
import { isCounted, restOf } from '../../logged-rows.ts'
import { sizeAndWriter } from './logged-bytes.ts'

/** The document of a block, also of one that is gone. @param block  its number, as SQL */
const documentOf = (row: string, block: string): string =>
  `coalesce((SELECT document FROM block WHERE space = ${row}.space AND n = ${block}),
      (SELECT document FROM change WHERE space = ${row}.space AND tbl = 'block' AND row = ${block} AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))`

/** The collection of an option, also when the property is gone. */
const collectionOfOption = (row: string): string =>
  `coalesce((SELECT collection FROM property WHERE space = ${row}.space AND n = ${row}.property),
      (SELECT (before::json ->> 'collection')::bigint FROM change
        WHERE space = ${row}.space AND tbl = 'property' AND row = ${row}.property AND kind = 'delete'
        ORDER BY n DESC LIMIT 1))`

/** The document that a row belongs to, as SQL; NULL for none. */
function documentOfRow({ name, block }: LoggedTable, row: string): string {
  if (block === undefined) return 'NULL'
  if (name === 'block') return `${row}.document`
  return documentOf(row, name === 'option' ? collectionOfOption(row) : `${row}.${block}`)
}

const field = (column: string): string => `'"${column}":' || coalesce(to_json(OLD.${column})::text, 'null')`
/** A JSON object as text, of parts that are left out where they are NULL. */
const jsonOf = (parts: readonly string[]): string => `'{' || concat_ws(',', ${parts.join(', ')}) || '}'`
/** The block that stood before another, and where; see {@link PREVIOUS_BLOCK}. */
const PREVIOUS_FIELDS = [
  `'"previous":' || coalesce(previous.n::text, 'null')`,
  `'"previousPosition":' || coalesce(previous.position::text, 'null')`,
]
const PREVIOUS_BLOCK = `SELECT n, position INTO previous FROM block
    WHERE space = OLD.space AND document = OLD.document AND parent = OLD.parent
      AND (position, n) < (OLD.position, OLD.n) ORDER BY position DESC, n DESC LIMIT 1;`

const changed = (columns: readonly string[]): string =>
  columns.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ')

/**
 * A function that logs a row which an earlier call made. The rows of one statement are logged as they change, one after
 * another, so that each entry says what was there when the rows before it had changed.
 *
 * @param bytes  the size and the writer of the row, as SQL
 */
function logFunction(table: LoggedTable, suffix: string, kind: 'update' | 'delete', before: string, bytes: string) {
  const { name, key, numbers } = table
  const needsPrevious = before.includes('previous.')
  return `CREATE OR REPLACE FUNCTION log_${name}_${suffix}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  running bigint;
  last_number bigint;${needsPrevious ? '\n  previous record;' : ''}
BEGIN
  SELECT call, call_start.${numbers} INTO running, last_number FROM call_start WHERE space = OLD.space;
  IF OLD.${key} <= last_number THEN${needsPrevious ? `\n    ${PREVIOUS_BLOCK}` : ''}
    INSERT INTO change (space, call, tbl, kind, row, rest, document, before, size, writer)
    VALUES (OLD.space, running, '${name}', '${kind}', OLD.${key}, ${restOf(table, 'OLD') ?? 'NULL'}, ${documentOfRow(table, 'OLD')},
      ${before}, ${bytes});
  END IF;
  RETURN ${kind === 'delete' ? 'OLD' : 'NEW'};
END $$;`
}

/** A function that logs rows which came back. They were not there before. */
function insertionFunction(table: LoggedTable): string {
  const { name, key, numbers } = table
  return `CREATE OR REPLACE FUNCTION log_${name}_insertion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (space, call, tbl, kind, row, rest, document, size, writer)
  SELECT inserted.space, call_start.call, '${name}', 'insert', inserted.${key}, ${restOf(table, 'inserted') ?? 'NULL'},
    ${documentOfRow(table, 'inserted')}, 0, NULL
  FROM inserted JOIN call_start ON call_start.space = inserted.space
  WHERE inserted.${key} <= call_start.${numbers} ORDER BY inserted.${key};
  RETURN NULL;
END $$;`
}

const deletedRow = ({ columns, hasPlace }: LoggedTable): string =>
  jsonOf([...columns.map(field), ...(hasPlace ? PREVIOUS_FIELDS : [])])
function updatedRow({ columns, silent = [], isPlace = false }: LoggedUpdate): string {
  const fields = [...columns, ...silent].map(
    (column) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN ${field(column)} END`,
  )
  return jsonOf([...fields, ...(isPlace ? PREVIOUS_FIELDS : [])])
}

function triggersOf(table: LoggedTable): string[] {
  const { name, updates } = table
  const bytes = sizeAndWriter(table)
  return [
    logFunction(table, 'deletion', 'delete', deletedRow(table), bytes),
    `CREATE OR REPLACE TRIGGER ${name}_deletion_logged BEFORE DELETE ON ${name} FOR EACH ROW
  EXECUTE FUNCTION log_${name}_deletion();`,
    insertionFunction(table),
    `CREATE OR REPLACE TRIGGER ${name}_insertion_logged AFTER INSERT ON ${name} REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION log_${name}_insertion();`,
    ...updates.flatMap((update, index) => {
      const { columns, isPlace = false } = update
      const suffix = index === 0 ? 'update' : `update_${index + 1}`
      // A statement that sets the position alone renumbers siblings.
      const of = isPlace ? columns.filter((column) => column !== 'position') : columns
      return [
        logFunction(table, suffix, 'update', updatedRow(update), isCounted(table, columns) ? bytes : 'NULL, NULL'),
        `CREATE OR REPLACE TRIGGER ${name}_${suffix}_logged BEFORE UPDATE OF ${of.join(', ')} ON ${name} FOR EACH ROW
  WHEN (${changed(columns)}) EXECUTE FUNCTION log_${name}_${suffix}();`,
      ]
    }),
  ]
}

const callDocuments = `
CREATE OR REPLACE FUNCTION mark_call_document(of_space bigint, of_document bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO call_document (space, call, document, is_marked)
  SELECT of_space, call, of_document, 1 FROM call_start WHERE space = of_space
  ON CONFLICT (space, call, document) DO UPDATE SET is_marked = 1;
$$;
CREATE OR REPLACE FUNCTION log_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_call_document(NEW.space, NEW.n);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER document_change_logged AFTER UPDATE OF revision ON document FOR EACH ROW
  EXECUTE FUNCTION log_document_change();
CREATE OR REPLACE FUNCTION log_document_addition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_document (space, call, document, is_marked)
  SELECT added.space, call_start.call, added.n, 1 FROM added JOIN call_start ON call_start.space = added.space
  ON CONFLICT (space, call, document) DO UPDATE SET is_marked = 1;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER document_addition_logged AFTER INSERT ON document REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_document_addition();`

export const historyTriggers = `${LOGGED_TABLES.flatMap(triggersOf).join('\n')}
${callDocuments}`
