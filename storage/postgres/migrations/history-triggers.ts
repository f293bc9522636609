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

/** How a function is made, and what it logs besides: columns and their values as SQL, with a comma before each. */
export interface LoggingFunction {
  create: 'CREATE FUNCTION' | 'CREATE OR REPLACE FUNCTION'
  columns: string
  values: string
}

const ORIGINAL: LoggingFunction = { create: 'CREATE FUNCTION', columns: '', values: '' }

/**
 * A function that logs a row which an earlier call made. The rows of one statement are logged as they change, one after
 * another, so that each entry says what was there when the rows before it had changed.
 */
function logFunction(
  table: Logged,
  suffix: string,
  kind: 'update' | 'delete',
  before: string,
  { create, columns, values } = ORIGINAL,
): string {
  const { name, key = 'n', rest, numbers = name } = table
  const needsPrevious = before.includes('previous.')
  return `${create} log_${name}_${suffix}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  running bigint;
  last_number bigint;${needsPrevious ? '\n  previous record;' : ''}
BEGIN
  SELECT call, call_start.${numbers} INTO running, last_number FROM call_start WHERE space = OLD.space;
  IF OLD.${key} <= last_number THEN${needsPrevious ? `\n    ${PREVIOUS_BLOCK}` : ''}
    INSERT INTO change (space, call, tbl, kind, row, rest, document, before${columns})
    VALUES (OLD.space, running, '${name}', '${kind}', OLD.${key}, ${rest?.('OLD') ?? 'NULL'}, ${documentOfRow(table, 'OLD')},
      ${before}${values});
  END IF;
  RETURN ${kind === 'delete' ? 'OLD' : 'NEW'};
END $$;`
}

/** A function that logs rows which came back. */
function insertionFunction(table: Logged, { create, columns, values } = ORIGINAL): string {
  const { name, key = 'n', rest, numbers = name } = table
  return `${create} log_${name}_insertion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (space, call, tbl, kind, row, rest, document${columns})
  SELECT inserted.space, call_start.call, '${name}', 'insert', inserted.${key}, ${rest?.('inserted') ?? 'NULL'},
    ${documentOfRow(table, 'inserted')}${values}
  FROM inserted JOIN call_start ON call_start.space = inserted.space
  WHERE inserted.${key} <= call_start.${numbers} ORDER BY inserted.${key};
  RETURN NULL;
END $$;`
}

const deletedRow = ({ columns, more }: Logged): string =>
  jsonOf([...columns.map(field), ...(more === undefined ? [] : PREVIOUS_FIELDS)])
const updateSuffix = (index: number): string => (index === 0 ? 'update' : `update_${index + 1}`)
function updatedRow({ columns: set, silent = [], more }: Logged['updates'][number]): string {
  const fields = [...set, ...silent].map(
    (column) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN ${field(column)} END`,
  )
  return jsonOf([...fields, ...(more === undefined ? [] : PREVIOUS_FIELDS)])
}

/** What the functions of a table log besides. */
export interface LogsBesides {
  columns: string
  delete: string
  insert: string
  update(set: readonly string[]): string
}

/** The functions of a table again, which log more than before. Its triggers call them by name. */
export function replacedFunctions(table: Logged, besides: LogsBesides): string[] {
  const logging = (values: string): LoggingFunction => ({
    ...{ create: 'CREATE OR REPLACE FUNCTION', columns: besides.columns, values },
  })
  return [
    logFunction(table, 'deletion', 'delete', deletedRow(table), logging(besides.delete)),
    insertionFunction(table, logging(besides.insert)),
    ...table.updates.map((update, index) =>
      logFunction(table, updateSuffix(index), 'update', updatedRow(update), logging(besides.update(update.columns))),
    ),
  ]
}

/** The trigger that logs the first set of columns, after one was added to it. */
export function replacedTrigger(table: Logged): string {
  const [set] = table.updates
  if (set === undefined) throw new Error(`Expected columns of ${table.name} that are logged, found none.`)
  return `DROP TRIGGER ${table.name}_update_logged ON ${table.name};\n${updateTrigger(table.name, set, 0)}`
}

function updateTrigger(name: string, { columns: set, more }: Logged['updates'][number], index: number): string {
  const suffix = updateSuffix(index)
  // A statement that sets the position alone renumbers siblings.
  const of = more === undefined ? set : set.filter((column) => column !== 'position')
  return `CREATE TRIGGER ${name}_${suffix}_logged BEFORE UPDATE OF ${of.join(', ')} ON ${name} FOR EACH ROW
  WHEN (${changed(set)}) EXECUTE FUNCTION log_${name}_${suffix}();`
}

function triggersOf(table: Logged): string[] {
  const { name, updates } = table
  const statements = [
    logFunction(table, 'deletion', 'delete', deletedRow(table)),
    `CREATE TRIGGER ${name}_deletion_logged BEFORE DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION log_${name}_deletion();`,
    insertionFunction(table),
    `CREATE TRIGGER ${name}_insertion_logged AFTER INSERT ON ${name} REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION log_${name}_insertion();`,
  ]
  for (const [index, update] of updates.entries()) {
    statements.push(
      logFunction(table, updateSuffix(index), 'update', updatedRow(update)),
      updateTrigger(name, update, index),
    )
  }
  return statements
}

const lastOf = `CASE numbers.name ${NUMBERED.map((name) => `WHEN '${name}' THEN call_start.${name}`).join(' ')} END`

/** What the function of a call does besides. Parts are SQL; columns and values have a comma before each. */
export interface CallBesides extends LoggingFunction {
  declare: string
  first: string
  /** Before the numbers of the next call are noted. */
  last: string
  /** Further tables whose last number is noted. */
  numbered: readonly string[]
}

/** Runs once for each call, when its row in the audit log is written. */
export function callFunction(besides: CallBesides = { ...ORIGINAL, declare: '', first: '', last: '', numbered: [] }) {
  const numbered = [...besides.numbered, ...NUMBERED]
  return `${besides.create} log_call() RETURNS trigger LANGUAGE plpgsql AS $$
${besides.declare}BEGIN
${besides.first}  -- A range of numbers for the rows that the call added to each table.
  INSERT INTO change (space, call, tbl, kind, row, last${besides.columns})
  SELECT NEW.space, NEW.n, numbers.name, 'insert', ${lastOf} + 1, numbers.last${besides.values}
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
${besides.last}  UPDATE call_start SET (call, ${numbered.join(', ')}) = (
    SELECT NEW.n + 1, ${numbered.map((name) => `coalesce(max(CASE name WHEN '${name}' THEN last END), 0)`).join(',\n      ')}
    FROM table_number WHERE space = NEW.space)
  WHERE space = NEW.space;
  RETURN NULL;
END $$;`
}

const callLogged = `${callFunction()}
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
