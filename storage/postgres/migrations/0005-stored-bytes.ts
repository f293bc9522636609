/** Counts of stored bytes, as in schema 27 of SQLite: see storage/sqlite/migrations/0027-stored-bytes.ts. */
import {
  CHANGE_SIZE,
  IMPORTED_SIZE,
  isFirstFile,
  LOG_SIZE,
  NO_LINK,
  PROPOSAL_SIZE,
  proposedFiles,
  RESPONSE_SIZE,
  sizeOf,
  WHOLE_SPACE,
} from '../../row-sizes.ts'
import { LOGGED_TABLES, type Logged } from '../../sqlite/migrations/0019-history.ts'
import { documentSize, isCounted, numbersOf, PRESENT_COUNTS } from '../../sqlite/migrations/0027-stored-bytes.ts'
import { INTEGER, OPTIONAL, WORD } from './column-types.ts'
import { defineTables, SPACE_SETTING } from './define-table.ts'
import { callFunction, NUMBERED_TABLES, replacedFunctions } from './history-triggers.ts'

const tables = defineTables([
  {
    name: 'byte_count',
    columns: { n: INTEGER, link: WORD, documents: INTEGER, history: INTEGER, files: INTEGER },
    key: ['n'],
    unique: [['link']],
    isNumbered: true,
  },
  {
    name: 'written_range',
    columns: { tbl: WORD, first: INTEGER, writer: INTEGER },
    key: ['tbl', 'first'],
    references: [{ column: 'writer', table: 'byte_count' }],
  },
  {
    name: 'written_row',
    columns: { tbl: WORD, row: INTEGER, rest: WORD, writer: INTEGER },
    key: ['tbl', 'row', 'rest'],
    references: [{ column: 'writer', table: 'byte_count' }],
  },
])

/** The link of the range that a row is in. @param space  the number of the space, as SQL, like the others */
const rangeWriter = (space: string, table: string, row: string): string =>
  `(SELECT writer FROM written_range AS numbers WHERE numbers.space = ${space} AND numbers.tbl = ${table}
        AND numbers.first <= ${row} ORDER BY numbers.first DESC LIMIT 1)`

export function loggedBesides(table: Logged) {
  const { name, key = 'n', rest } = table
  const written = `(SELECT writer FROM written_row AS other WHERE other.space = OLD.space AND other.tbl = '${name}'
        AND other.row = OLD.${key} AND other.rest = ${rest?.('OLD') ?? "''"})`
  const writer = `coalesce(${written}, ${rangeWriter('OLD.space', `'${numbersOf(table)}'`, `OLD.${key}`)}, ${NO_LINK.n})`
  const before = `, ${documentSize(name, 'OLD.')}, ${writer}`
  return {
    columns: ', size, writer',
    delete: before,
    // The row was not there before.
    insert: ', 0, NULL',
    update: (set: readonly string[]) => (isCounted(name, set) ? before : ', NULL, NULL'),
  }
}

const OF_CALL = 'entry.space = NEW.space AND entry.call = NEW.n'
const RANGES = `${OF_CALL} AND entry.last IS NOT NULL`
const ENTRIES = `${OF_CALL} AND entry.last IS NULL`
const isNumbered = ({ name }: Logged): boolean => NUMBERED_TABLES.includes(name)
const casesOf = (chosen: readonly Logged[], value: (table: Logged) => string): string =>
  `CASE entry.tbl ${chosen.map((table) => `WHEN '${table.name}' THEN ${value(table)}`).join('\n      ')} END`

/** The sum of the sizes of the rows that a call added, by the range of their numbers. */
const sizesInRange = (numbers: string): string =>
  LOGGED_TABLES.filter((table) => numbersOf(table) === numbers)
    .map(
      ({ name, key = 'n' }) =>
        `(SELECT coalesce(sum(${documentSize(name)}), 0) FROM ${name}
          WHERE ${name}.space = NEW.space AND ${name}.${key} BETWEEN entry.row AND entry.last)`,
    )
    .join('\n        + ')

const isRowOf = ({ name, key = 'n' }: Logged): string =>
  name === 'value'
    ? `item = entry.row AND property = split_part(entry.rest, '/', 1)::bigint
        AND ordinal = split_part(entry.rest, '/', 2)::bigint`
    : `${name}.${key} = entry.row`
const sizeNow = casesOf(
  LOGGED_TABLES,
  (table) =>
    `(SELECT ${documentSize(table.name)} FROM ${table.name} WHERE ${table.name}.space = NEW.space AND ${isRowOf(table)})`,
)

/** The row was of another link before, or was not there. */
const isRewritten = `(entry.writer <> caller OR entry.kind = 'insert')`

/** Counts a link for the first time. @param space  and its ID, as SQL */
const addLink = (space: string, link: string, from = ''): string =>
  `INSERT INTO byte_count (space, link, documents, history, files)
    SELECT DISTINCT ${space}, ${link}, 0, 0, 0 ${from} WHERE NOT EXISTS (
      SELECT 1 FROM byte_count AS known WHERE known.space = ${space} AND known.link = ${link});`

const lastFile = '(SELECT file FROM call_start WHERE space = NEW.space)'

const counted = `
  -- What the call added.
  UPDATE byte_count SET
    documents = documents + (SELECT coalesce(sum(${casesOf(LOGGED_TABLES.filter(isNumbered), ({ name }) => sizesInRange(name))}), 0)
      FROM change AS entry WHERE ${RANGES}),
    history = history + ${sizeOf(LOG_SIZE, 'NEW.')}
      + (SELECT coalesce(sum(${sizeOf(CHANGE_SIZE)}), 0) FROM change AS entry WHERE ${RANGES}),
    files = files + (SELECT coalesce(sum(size), 0) FROM file AS added WHERE added.space = NEW.space
      AND added.n > ${lastFile} AND ${isFirstFile('added', ' AND known.space = added.space')})
  WHERE space = NEW.space AND n = caller;
  -- The rows that were there before.
  IF EXISTS (SELECT 1 FROM change AS entry WHERE ${ENTRIES}) THEN
    -- Of a row that the call changed several times, only the first entry has what was there before.
    UPDATE change SET size = NULL FROM (
      SELECT entry.n, row_number() OVER (PARTITION BY entry.tbl, entry.row, entry.rest ORDER BY entry.n) AS place
      FROM change AS entry WHERE ${ENTRIES} AND entry.size IS NOT NULL
    ) AS later WHERE change.space = NEW.space AND change.n = later.n AND later.place > 1;
    -- What an entry without a size keeps was written by the call itself. A row that came back was not there before.
    UPDATE change AS entry SET writer = caller
      WHERE ${ENTRIES} AND (size IS NULL OR kind = 'insert') AND writer IS DISTINCT FROM caller;
    UPDATE byte_count SET documents = documents - part.size, history = history + part.bytes FROM (
      SELECT writer, coalesce(sum(size), 0) AS size, sum(${sizeOf(CHANGE_SIZE)}) AS bytes
      FROM change AS entry WHERE ${ENTRIES} GROUP BY writer
    ) AS part WHERE byte_count.space = NEW.space AND byte_count.n = part.writer;
    UPDATE byte_count SET documents = documents + (
      SELECT coalesce(sum(${sizeNow}), 0) FROM change AS entry WHERE ${ENTRIES} AND entry.size IS NOT NULL)
    WHERE space = NEW.space AND n = caller;
    IF EXISTS (SELECT 1 FROM written_row WHERE space = NEW.space) THEN
      DELETE FROM written_row USING change AS entry
        WHERE ${ENTRIES} AND entry.size IS NOT NULL AND (${isRewritten} OR (entry.kind = 'delete' AND ${sizeNow} IS NULL))
          AND written_row.space = NEW.space AND written_row.tbl = entry.tbl AND written_row.row = entry.row
          AND written_row.rest = coalesce(entry.rest, '');
    END IF;
    IF EXISTS (SELECT 1 FROM change AS entry WHERE ${ENTRIES} AND entry.size IS NOT NULL AND ${isRewritten}) THEN
      INSERT INTO written_row (space, tbl, row, rest, writer)
        SELECT NEW.space, entry.tbl, entry.row, coalesce(entry.rest, ''), caller FROM change AS entry
        WHERE ${ENTRIES} AND entry.size IS NOT NULL AND ${isRewritten}
          AND caller IS DISTINCT FROM ${rangeWriter(
            'NEW.space',
            `CASE WHEN entry.tbl IN (${NUMBERED_TABLES.map((name) => `'${name}'`).join(', ')}) THEN entry.tbl ELSE 'block' END`,
            'entry.row',
          )}
          AND ${sizeNow} IS NOT NULL;
    END IF;
  END IF;
  INSERT INTO written_range (space, tbl, first, writer)
    SELECT NEW.space, added.tbl, added.first, caller FROM (
      SELECT entry.tbl, entry.row AS first FROM change AS entry WHERE ${RANGES}
      UNION ALL SELECT 'file', ${lastFile} + 1 WHERE EXISTS (
        SELECT 1 FROM file WHERE file.space = NEW.space AND file.n > ${lastFile})
    ) AS added
    WHERE caller IS DISTINCT FROM (SELECT writer FROM written_range AS numbers
      WHERE numbers.space = NEW.space AND numbers.tbl = added.tbl ORDER BY numbers.first DESC LIMIT 1);
`

const callLogged = callFunction({
  create: 'CREATE OR REPLACE FUNCTION',
  declare: 'DECLARE\n  caller bigint;\n',
  // A space that is loaded from elsewhere is counted when all of it is there.
  first: `  IF NOT EXISTS (SELECT 1 FROM call_start WHERE space = NEW.space) THEN RETURN NULL; END IF;
  ${addLink('NEW.space', `coalesce(NEW.link, '${NO_LINK.link}')`)}
  SELECT n INTO caller FROM byte_count WHERE space = NEW.space AND link = coalesce(NEW.link, '${NO_LINK.link}');
`,
  columns: ', writer',
  values: ', caller',
  last: counted,
  numbered: ['file'],
})

const logged = (row: string) => `${row}.call < (SELECT call FROM call_start WHERE call_start.space = ${row}.space)`

const changeTriggers = `
CREATE FUNCTION uncount_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET history = history - part.bytes FROM (
    SELECT space, coalesce(writer, ${NO_LINK.n}) AS writer, sum(${sizeOf(CHANGE_SIZE)}) AS bytes
    FROM gone WHERE ${logged('gone')} GROUP BY 1, 2
  ) AS part WHERE byte_count.space = part.space AND byte_count.n = part.writer;
  -- The rows went in the running call, which will not find what they had been.
  UPDATE byte_count SET documents = documents - part.size FROM (
    SELECT space, writer, sum(size) AS size FROM gone WHERE size IS NOT NULL AND NOT (${logged('gone')}) GROUP BY 1, 2
  ) AS part WHERE byte_count.space = part.space AND byte_count.n = part.writer;
  RETURN NULL;
END $$;
CREATE TRIGGER change_uncounted AFTER DELETE ON change REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_changes();
CREATE FUNCTION recount_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET history = history + (${sizeOf(CHANGE_SIZE, 'NEW.')}) - (${sizeOf(CHANGE_SIZE, 'OLD.')})
    WHERE space = OLD.space AND n = coalesce(OLD.writer, ${NO_LINK.n}) AND ${logged('OLD')};
  RETURN NULL;
END $$;
CREATE TRIGGER change_recounted AFTER UPDATE OF before ON change FOR EACH ROW EXECUTE FUNCTION recount_change();`

/** Triggers of a table whose rows have a link. */
function countedByLink(table: string, size: (row: string) => string, files: (row: string) => string): string {
  const count = (rows: string, sign: '+' | '-') =>
    `UPDATE byte_count SET history = history ${sign} part.bytes, files = byte_count.files ${sign} part.file_bytes FROM (
      SELECT space, coalesce(link, '${NO_LINK.link}') AS link, sum(${size('')}) AS bytes, sum(${files('')}) AS file_bytes
      FROM ${rows} GROUP BY 1, 2
    ) AS part WHERE byte_count.space = part.space AND byte_count.link = part.link;`
  return `
CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    ${count('gone', '-')}
  END IF;
  IF TG_OP <> 'DELETE' THEN
    ${addLink('added.space', `coalesce(added.link, '${NO_LINK.link}')`, 'FROM added')}
    ${count('added', '+')}
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE TRIGGER ${table}_recounted AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();`
}

const logTriggers = `
CREATE FUNCTION uncount_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET history = history - part.bytes FROM (
    SELECT space, coalesce(link, '${NO_LINK.link}') AS link, sum(${sizeOf(LOG_SIZE)}) AS bytes FROM gone GROUP BY 1, 2
  ) AS part WHERE byte_count.space = part.space AND byte_count.link = part.link;
  RETURN NULL;
END $$;
CREATE TRIGGER write_log_uncounted AFTER DELETE ON write_log REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_calls();`

const countImported = (rows: string, sign: '+' | '-') =>
  `UPDATE byte_count SET documents = documents ${sign} part.bytes FROM (
      SELECT space, sum(${sizeOf(IMPORTED_SIZE)}) AS bytes FROM ${rows} GROUP BY 1
    ) AS part WHERE byte_count.space = part.space AND byte_count.n = ${NO_LINK.n};`
const importedTriggers = `
CREATE FUNCTION count_imported() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${countImported('added', '+')}
  ELSE
    ${countImported('gone', '-')}
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER imported_counted AFTER INSERT ON imported REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_imported();
CREATE TRIGGER imported_uncounted AFTER DELETE ON imported REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_imported();`

/** Equal bytes count for the link that wrote the first of the files that have them. */
const countFiles = (files: string, sign: '+' | '-') => `UPDATE byte_count SET files = files ${sign} part.bytes FROM (
    SELECT one.space, coalesce(${rangeWriter('one.space', "'file'", 'one.n')}, ${NO_LINK.n}) AS writer, sum(one.size) AS bytes
    FROM (${files}) AS one WHERE one.n <= (SELECT file FROM call_start WHERE call_start.space = one.space) GROUP BY 1, 2
  ) AS part WHERE byte_count.space = part.space AND byte_count.n = part.writer;`
const FIRST_GONE = `SELECT DISTINCT ON (gone.space, gone.hash) gone.space, gone.n, gone.hash, gone.size FROM gone
      WHERE ${isFirstFile('gone', ' AND known.space = gone.space')} ORDER BY gone.space, gone.hash, gone.n`
const fileTriggers = `
CREATE FUNCTION uncount_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  ${countFiles(FIRST_GONE, '-')}
  ${countFiles(
    `SELECT DISTINCT ON (file.space, file.hash) file.space, file.n, file.hash, file.size
      FROM (${FIRST_GONE}) AS first JOIN file ON file.space = first.space AND file.hash = first.hash
      ORDER BY file.space, file.hash, file.n`,
    '+',
  )}
  RETURN NULL;
END $$;
CREATE TRIGGER file_uncounted AFTER DELETE ON file REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_files();`

const spaceTrigger = `
CREATE FUNCTION sum_byte_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET documents = documents + NEW.documents - OLD.documents,
    history = history + NEW.history - OLD.history, files = files + NEW.files - OLD.files
  WHERE space = NEW.space AND n = ${WHOLE_SPACE.n};
  RETURN NULL;
END $$;
CREATE TRIGGER byte_count_summed AFTER UPDATE OF documents, history, files ON byte_count FOR EACH ROW
  WHEN (NEW.n <> ${WHOLE_SPACE.n}) EXECUTE FUNCTION sum_byte_counts();`

/** The rows that every space has. @param space  its number, as SQL */
const addFirst = (space: string): string => `INSERT INTO byte_count (space, n, link, documents, history, files) VALUES
    (${space}, ${WHOLE_SPACE.n}, '${WHOLE_SPACE.link}', 0, 0, 0), (${space}, ${NO_LINK.n}, '${NO_LINK.link}', 0, 0, 0)
    ON CONFLICT DO NOTHING;`

/** Whichever program makes a space, its counts begin with its first row. */
const firstCounts = `
CREATE FUNCTION begin_byte_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  ${addFirst('NEW.space')}
  RETURN NULL;
END $$;
CREATE TRIGGER byte_counts_begun AFTER INSERT ON call_start FOR EACH ROW EXECUTE FUNCTION begin_byte_counts();`

/** What the spaces have counts for them, and for no link. Row-level security admits one space at a time. */
const presentCounts = `
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN SELECT space FROM tenant ORDER BY space LOOP
    PERFORM set_config('${SPACE_SETTING}', each.space::text, true);
    ${addFirst('each.space')}
    UPDATE call_start SET file = coalesce((SELECT last FROM table_number WHERE name = 'file'), 0);
    UPDATE byte_count SET documents = ${PRESENT_COUNTS.documents.join('\n      + ')},
      history = ${PRESENT_COUNTS.history.join('\n      + ')},
      files = ${PRESENT_COUNTS.files.join('\n      + ')}
    WHERE n = ${NO_LINK.n};
  END LOOP;
END $$;`

export const sql = `${tables}
ALTER TABLE change ADD COLUMN size ${OPTIONAL};
ALTER TABLE change ADD COLUMN writer ${OPTIONAL};
ALTER TABLE call_start ADD COLUMN file bigint NOT NULL DEFAULT 0;
${spaceTrigger}
${presentCounts}
${LOGGED_TABLES.flatMap((table) => replacedFunctions(table, loggedBesides(table))).join('\n')}
${callLogged}
${changeTriggers}
${logTriggers}
${countedByLink(
  'kept_answer',
  (row) => sizeOf(RESPONSE_SIZE, row),
  () => '0',
)}
${countedByLink('proposal', (row) => sizeOf(PROPOSAL_SIZE, row), proposedFiles)}
${importedTriggers}
${fileTriggers}
${firstCounts}
`
