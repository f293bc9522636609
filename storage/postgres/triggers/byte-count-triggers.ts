/** Triggers that keep the counts of stored bytes, apart from those of calls. */
import {
  CHANGE_SIZE,
  IMPORTED_SIZE,
  isFirstFile,
  LOG_SIZE,
  NO_LINK,
  PROPOSAL_SIZE,
  proposedFiles,
  RESPONSE_SIZE,
  type RowSize,
  SOURCE_TEXT_SIZE,
  sizeOf,
  WHOLE_SPACE,
} from '../../row-sizes.ts'
import { addLink, rangeWriter } from './logged-bytes.ts'

const logged = (row: string) => `${row}.call < (SELECT call FROM call_start WHERE call_start.space = ${row}.space)`

const changeTriggers = `
CREATE OR REPLACE FUNCTION uncount_changes() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER change_uncounted AFTER DELETE ON change REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_changes();
CREATE OR REPLACE FUNCTION recount_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET history = history + (${sizeOf(CHANGE_SIZE, 'NEW.')}) - (${sizeOf(CHANGE_SIZE, 'OLD.')})
    WHERE space = OLD.space AND n = coalesce(OLD.writer, ${NO_LINK.n}) AND ${logged('OLD')};
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER change_recounted AFTER UPDATE OF before ON change FOR EACH ROW EXECUTE FUNCTION recount_change();`

/** Triggers of a table whose rows have a link. */
function countedByLink(table: string, size: (row: string) => string, files: (row: string) => string): string {
  const count = (rows: string, sign: '+' | '-') =>
    `UPDATE byte_count SET history = history ${sign} part.bytes, files = byte_count.files ${sign} part.file_bytes FROM (
      SELECT space, coalesce(link, '${NO_LINK.link}') AS link, sum(${size('')}) AS bytes, sum(${files('')}) AS file_bytes
      FROM ${rows} GROUP BY 1, 2
    ) AS part WHERE byte_count.space = part.space AND byte_count.link = part.link;`
  return `
CREATE OR REPLACE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER ${table}_counted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE OR REPLACE TRIGGER ${table}_recounted AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE OR REPLACE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();`
}

const logTriggers = `
CREATE OR REPLACE FUNCTION uncount_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET history = history - part.bytes FROM (
    SELECT space, coalesce(link, '${NO_LINK.link}') AS link, sum(${sizeOf(LOG_SIZE)}) AS bytes FROM gone GROUP BY 1, 2
  ) AS part WHERE byte_count.space = part.space AND byte_count.link = part.link;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER write_log_uncounted AFTER DELETE ON write_log REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_calls();`

const countForSpace = (rows: string, size: RowSize, sign: '+' | '-') =>
  `UPDATE byte_count SET documents = documents ${sign} part.bytes FROM (
      SELECT space, sum(${sizeOf(size)}) AS bytes FROM ${rows} GROUP BY 1
    ) AS part WHERE byte_count.space = part.space AND byte_count.n = ${NO_LINK.n};`
/** Rows of imports count for the space alone. */
const countedForSpace = (table: string, size: RowSize): string => `
CREATE OR REPLACE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${countForSpace('added', size, '+')}
  ELSE
    ${countForSpace('gone', size, '-')}
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER ${table}_counted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE OR REPLACE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();`

/** Equal bytes count for the link that wrote the first of the files that have them. */
const countFiles = (files: string, sign: '+' | '-') => `UPDATE byte_count SET files = files ${sign} part.bytes FROM (
    SELECT one.space, coalesce(${rangeWriter('one.space', "'file'", 'one.n')}, ${NO_LINK.n}) AS writer, sum(one.size) AS bytes
    FROM (${files}) AS one WHERE one.n <= (SELECT file FROM call_start WHERE call_start.space = one.space) GROUP BY 1, 2
  ) AS part WHERE byte_count.space = part.space AND byte_count.n = part.writer;`
const FIRST_GONE = `SELECT DISTINCT ON (gone.space, gone.hash) gone.space, gone.n, gone.hash, gone.size FROM gone
      WHERE ${isFirstFile('gone', ' AND known.space = gone.space')} ORDER BY gone.space, gone.hash, gone.n`
const fileTriggers = `
CREATE OR REPLACE FUNCTION uncount_files() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER file_uncounted AFTER DELETE ON file REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_files();`

const spaceTrigger = `
CREATE OR REPLACE FUNCTION sum_byte_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE byte_count SET documents = documents + NEW.documents - OLD.documents,
    history = history + NEW.history - OLD.history, files = files + NEW.files - OLD.files
  WHERE space = NEW.space AND n = ${WHOLE_SPACE.n};
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER byte_count_summed AFTER UPDATE OF documents, history, files ON byte_count FOR EACH ROW
  WHEN (NEW.n <> ${WHOLE_SPACE.n}) EXECUTE FUNCTION sum_byte_counts();`

/** The rows that every space has. @param space  its number, as SQL */
const addFirst = (space: string): string => `INSERT INTO byte_count (space, n, link, documents, history, files) VALUES
    (${space}, ${WHOLE_SPACE.n}, '${WHOLE_SPACE.link}', 0, 0, 0), (${space}, ${NO_LINK.n}, '${NO_LINK.link}', 0, 0, 0)
    ON CONFLICT DO NOTHING;`

/** Whichever program makes a space, its counts begin with its first row. */
const firstCounts = `
CREATE OR REPLACE FUNCTION begin_byte_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  ${addFirst('NEW.space')}
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER byte_counts_begun AFTER INSERT ON call_start FOR EACH ROW EXECUTE FUNCTION begin_byte_counts();`

export const byteCountTriggers = `${spaceTrigger}
${changeTriggers}
${logTriggers}
${countedByLink(
  'kept_answer',
  (row) => sizeOf(RESPONSE_SIZE, row),
  () => '0',
)}
${countedByLink('proposal', (row) => sizeOf(PROPOSAL_SIZE, row), proposedFiles)}
${countedForSpace('imported', IMPORTED_SIZE)}
${countedForSpace('source_text', SOURCE_TEXT_SIZE)}
${fileTriggers}
${firstCounts}`
