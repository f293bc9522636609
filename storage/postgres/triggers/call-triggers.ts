/**
 * What is done once for each call, when its row in the audit log is written: a range of numbers is logged for the rows
 * that it added to each table, its documents are noted, and its bytes are counted for the link that made it. See
 * storage/sqlite/triggers/byte-count-triggers.ts for how bytes are counted.
 */
import { LOGGED_TABLES, type LoggedTable, NUMBERED_TABLES, type TableName } from '../../history-tables.ts'
import { documentSize } from '../../logged-rows.ts'
import { CHANGE_SIZE, isFirstFile, LOG_SIZE, NO_LINK, sizeOf } from '../../row-sizes.ts'
import { addLink, rangeWriter } from './logged-bytes.ts'

const OF_CALL = 'entry.space = NEW.space AND entry.call = NEW.n'
const RANGES = `${OF_CALL} AND entry.last IS NOT NULL`
const ENTRIES = `${OF_CALL} AND entry.last IS NULL`
const numbered = LOGGED_TABLES.filter(({ name, numbers }) => name === numbers)
const casesOf = (chosen: readonly LoggedTable[], value: (table: LoggedTable) => string): string =>
  `CASE entry.tbl ${chosen.map((table) => `WHEN '${table.name}' THEN ${value(table)}`).join('\n      ')} END`

/** The sum of the sizes of the rows that a call added, by the range of their numbers. */
const sizesInRange = (numbers: TableName): string =>
  LOGGED_TABLES.filter((table) => table.numbers === numbers)
    .map(
      (table) =>
        `(SELECT coalesce(sum(${documentSize(table)}), 0) FROM ${table.name}
          WHERE ${table.name}.space = NEW.space AND ${table.name}.${table.key} BETWEEN entry.row AND entry.last)`,
    )
    .join('\n        + ')

const isRowOf = ({ name, key }: LoggedTable): string =>
  name === 'value'
    ? `item = entry.row AND property = split_part(entry.rest, '/', 1)::bigint
        AND ordinal = split_part(entry.rest, '/', 2)::bigint`
    : `${name}.${key} = entry.row`
const sizeNow = casesOf(
  LOGGED_TABLES,
  (table) =>
    `(SELECT ${documentSize(table)} FROM ${table.name} WHERE ${table.name}.space = NEW.space AND ${isRowOf(table)})`,
)

/** The row was of another link before, or was not there. */
const isRewritten = `(entry.writer <> caller OR entry.kind = 'insert')`

const lastFile = '(SELECT file FROM call_start WHERE space = NEW.space)'

const counted = `
  -- What the call added.
  UPDATE byte_count SET
    documents = documents + (SELECT coalesce(sum(${casesOf(numbered, ({ name }) => sizesInRange(name))}), 0)
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

const lastOf = `CASE numbers.name ${NUMBERED_TABLES.map((name) => `WHEN '${name}' THEN call_start.${name}`).join(' ')} END`

export const callTriggers = `
CREATE OR REPLACE FUNCTION log_call() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  caller bigint;
BEGIN
  -- A space that is loaded from elsewhere is counted when all of it is there.
  IF NOT EXISTS (SELECT 1 FROM call_start WHERE space = NEW.space) THEN RETURN NULL; END IF;
  ${addLink('NEW.space', `coalesce(NEW.link, '${NO_LINK.link}')`)}
  SELECT n INTO caller FROM byte_count WHERE space = NEW.space AND link = coalesce(NEW.link, '${NO_LINK.link}');
  -- A range of numbers for the rows that the call added to each table.
  INSERT INTO change (space, call, tbl, kind, row, last, writer)
  SELECT NEW.space, NEW.n, numbers.name, 'insert', ${lastOf} + 1, numbers.last, caller
  FROM call_start JOIN table_number AS numbers ON numbers.space = call_start.space
  WHERE call_start.space = NEW.space AND numbers.last > ${lastOf}
  ORDER BY array_position(ARRAY[${NUMBERED_TABLES.map((name) => `'${name}'`).join(', ')}], numbers.name);
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
${counted}  UPDATE call_start SET (call, file, ${NUMBERED_TABLES.join(', ')}) = (
    SELECT NEW.n + 1, ${['file', ...NUMBERED_TABLES].map((name) => `coalesce(max(CASE name WHEN '${name}' THEN last END), 0)`).join(',\n      ')}
    FROM table_number WHERE space = NEW.space)
  WHERE space = NEW.space;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER call_logged AFTER INSERT ON write_log FOR EACH ROW EXECUTE FUNCTION log_call();`
