/**
 * Triggers that keep history, from the list that SQLite's are made from. They leave the same entries: see
 * storage/sqlite/migrations/0019-history.ts.
 */
import { LOGGED_TABLES, type Logged, NUMBERED } from '../../sqlite/migrations/0019-history.ts'

/** Tables whose new rows get numbers of their own. */
export const NUMBERED_TABLES: readonly string[] = NUMBERED

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
function documentOfRow({ name, block }: Logged, row: string): string {
  if (block === undefined) return 'NULL'
  if (name === 'block') return `${row}.document`
  return documentOf(row, name === 'option' ? collectionOfOption(row) : block(row))
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
 */
function logFunction(table: Logged, suffix: string, kind: 'update' | 'delete', before: string): string {
  const { name, key = 'n', rest, numbers = name } = table
  const needsPrevious = before.includes('previous.')
  return `CREATE FUNCTION log_${name}_${suffix}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  running bigint;
  last_number bigint;${needsPrevious ? '\n  previous record;' : ''}
BEGIN
  SELECT call, call_start.${numbers} INTO running, last_number FROM call_start WHERE space = OLD.space;
  IF OLD.${key} <= last_number THEN${needsPrevious ? `\n    ${PREVIOUS_BLOCK}` : ''}
    INSERT INTO change (space, call, tbl, kind, row, rest, document, before)
    VALUES (OLD.space, running, '${name}', '${kind}', OLD.${key}, ${rest?.('OLD') ?? 'NULL'}, ${documentOfRow(table, 'OLD')},
      ${before});
  END IF;
  RETURN ${kind === 'delete' ? 'OLD' : 'NEW'};
END $$;`
}

function triggersOf(table: Logged): string[] {
  const { name, columns, updates, key = 'n', rest, numbers = name, more } = table
  const deleted = jsonOf([...columns.map(field), ...(more === undefined ? [] : PREVIOUS_FIELDS)])
  const statements = [
    logFunction(table, 'deletion', 'delete', deleted),
    `CREATE TRIGGER ${name}_deletion_logged BEFORE DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION log_${name}_deletion();`,
    `CREATE FUNCTION log_${name}_insertion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (space, call, tbl, kind, row, rest, document)
  SELECT inserted.space, call_start.call, '${name}', 'insert', inserted.${key}, ${rest?.('inserted') ?? 'NULL'},
    ${documentOfRow(table, 'inserted')}
  FROM inserted JOIN call_start ON call_start.space = inserted.space
  WHERE inserted.${key} <= call_start.${numbers} ORDER BY inserted.${key};
  RETURN NULL;
END $$;`,
    `CREATE TRIGGER ${name}_insertion_logged AFTER INSERT ON ${name} REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION log_${name}_insertion();`,
  ]
  for (const [index, { columns: set, silent = [], more: besides }] of updates.entries()) {
    const suffix = index === 0 ? 'update' : `update_${index + 1}`
    const fields = [...set, ...silent].map(
      (column) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN ${field(column)} END`,
    )
    const before = jsonOf([...fields, ...(besides === undefined ? [] : PREVIOUS_FIELDS)])
    // A statement that sets the position alone renumbers siblings.
    const of = besides === undefined ? set : set.filter((column) => column !== 'position')
    statements.push(
      logFunction(table, suffix, 'update', before),
      `CREATE TRIGGER ${name}_${suffix}_logged BEFORE UPDATE OF ${of.join(', ')} ON ${name} FOR EACH ROW
  WHEN (${changed(set)}) EXECUTE FUNCTION log_${name}_${suffix}();`,
    )
  }
  return statements
}

const lastOf = `CASE numbers.name ${NUMBERED.map((name) => `WHEN '${name}' THEN call_start.${name}`).join(' ')} END`

/** Runs once for each call, when its row in the audit log is written. */
const callLogged = `CREATE FUNCTION log_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A range of numbers for the rows that the call added to each table.
  INSERT INTO change (space, call, tbl, kind, row, last)
  SELECT NEW.space, NEW.n, numbers.name, 'insert', ${lastOf} + 1, numbers.last
  FROM call_start JOIN table_number AS numbers ON numbers.space = call_start.space
  WHERE call_start.space = NEW.space AND numbers.last > ${lastOf}
  ORDER BY array_position(ARRAY[${NUMBERED.map((name) => `'${name}'`).join(', ')}], numbers.name);
  INSERT INTO call_document (space, call, document, is_marked)
  SELECT DISTINCT NEW.space, NEW.n, document, 0 FROM change
  WHERE space = NEW.space AND call = NEW.n AND document IS NOT NULL
  ON CONFLICT DO NOTHING;
  -- Reminders leave the revision of the document as it is.
  INSERT INTO call_document (space, call, document, is_marked)
  SELECT DISTINCT NEW.space, NEW.n, block.document, 1
  FROM change JOIN reminder ON reminder.space = change.space AND reminder.n BETWEEN change.row AND change.last
    JOIN block ON block.space = reminder.space AND block.n = reminder.block
  WHERE change.space = NEW.space AND change.call = NEW.n AND change.tbl = 'reminder' AND change.last IS NOT NULL
  ON CONFLICT DO NOTHING;
  UPDATE write_log SET change_bytes = (
    SELECT coalesce(sum(60 + coalesce(octet_length(before), 0) + coalesce(CASE WHEN tbl = 'block_file' THEN
      (SELECT size FROM file WHERE file.space = NEW.space AND file.n = (before::json ->> 'file')::bigint) END, 0)), 0)
    FROM change WHERE space = NEW.space AND call = NEW.n
  ) WHERE space = NEW.space AND n = NEW.n;
  UPDATE call_start SET (call, ${NUMBERED.join(', ')}) = (
    SELECT NEW.n + 1, ${NUMBERED.map((name) => `coalesce(max(CASE name WHEN '${name}' THEN last END), 0)`).join(',\n      ')}
    FROM table_number WHERE space = NEW.space)
  WHERE space = NEW.space;
  RETURN NULL;
END $$;
CREATE TRIGGER call_logged AFTER INSERT ON write_log FOR EACH ROW EXECUTE FUNCTION log_call();

CREATE FUNCTION mark_call_document(of_space bigint, of_document bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO call_document (space, call, document, is_marked)
  SELECT of_space, call, of_document, 1 FROM call_start WHERE space = of_space
  ON CONFLICT (space, call, document) DO UPDATE SET is_marked = 1;
$$;
CREATE FUNCTION log_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_call_document(NEW.space, NEW.n);
  RETURN NULL;
END $$;
CREATE TRIGGER document_change_logged AFTER UPDATE OF revision ON document FOR EACH ROW
  EXECUTE FUNCTION log_document_change();
CREATE FUNCTION log_document_addition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_document (space, call, document, is_marked)
  SELECT added.space, call_start.call, added.n, 1 FROM added JOIN call_start ON call_start.space = added.space
  ON CONFLICT (space, call, document) DO UPDATE SET is_marked = 1;
  RETURN NULL;
END $$;
CREATE TRIGGER document_addition_logged AFTER INSERT ON document REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_document_addition();`

export const historyTriggers = `${LOGGED_TABLES.flatMap(triggersOf).join('\n')}
${callLogged}`
