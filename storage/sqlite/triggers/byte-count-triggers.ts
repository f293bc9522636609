/**
 * Counts of the bytes that are stored, of the whole space and of what each link wrote.
 *
 * Every stored version of a row counts for the link whose call wrote it: the present one among the documents, and each
 * earlier one that history keeps among the history. So a caller who deletes or changes what another link wrote is not
 * charged for it. Triggers keep the counts, so that no code can forget to.
 *
 * Which link wrote a row follows from its number: `written_range` has from which number on the rows of a table are of
 * which link. Rows that another link wrote later are in `written_row`. Rows of the running call are counted when it is
 * logged: new ones by their numbers, and others by their entries in `change`, whose first one has the size of the row
 * before the call, and who had written it.
 */
import { LOGGED_TABLES, type LoggedTable, NUMBERED_TABLES, type TableName } from '../../history-tables.ts'
import { documentSize } from '../../logged-rows.ts'
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
import { lastRange } from './logged-bytes.ts'
import { RUNNING_CALL } from './running-call.ts'

/** The sum of the sizes of the rows that a call added, by the range of their numbers. */
const sizesInRange = (numbers: TableName): string =>
  LOGGED_TABLES.filter((table) => table.numbers === numbers)
    .map(
      (table) =>
        `(SELECT coalesce(sum(${documentSize(table)}), 0) FROM ${table.name} WHERE ${table.key} BETWEEN entry.row AND entry.last)`,
    )
    .join('\n        + ')

/** The condition that a row is that of an entry of `change`. */
const isRowOf = ({ name, key }: LoggedTable): string =>
  name === 'value'
    ? `item = entry.row AND property = CAST(entry.rest AS INTEGER)
        AND ordinal = CAST(substr(entry.rest, instr(entry.rest, '/') + 1) AS INTEGER)`
    : `${key} = entry.row`

const callersLink = `coalesce(new.link, '${NO_LINK.link}')`
const caller = `(SELECT n FROM byte_count WHERE link = ${callersLink})`
const lastFile = '(SELECT file FROM call_start)'

/** Counts a link for the first time. @param link  its ID as SQL. Not by OR IGNORE: see history-triggers.ts */
const addLink = (link: string): string =>
  `INSERT INTO byte_count (link, documents, history, files)
    SELECT ${link}, 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM byte_count WHERE link = ${link});`

const lastOf = `CASE numbers.name ${NUMBERED_TABLES.map((name) => `WHEN '${name}' THEN call_start.${name}`).join(' ')} END`

const casesOf = (tables: readonly LoggedTable[], value: (table: LoggedTable) => string): string =>
  `CASE entry.tbl ${tables.map((table) => `WHEN '${table.name}' THEN ${value(table)}`).join('\n      ')} END`
const RANGES = 'entry.call = new.n AND entry.last IS NOT NULL'
const numbered = LOGGED_TABLES.filter(({ name, numbers }) => name === numbers)

/** Runs once for each call, when its row in the audit log is written. */
const callLogged = `CREATE TRIGGER call_logged AFTER INSERT ON write_log BEGIN
  ${addLink(callersLink)}
  INSERT INTO change (call, tbl, kind, row, last, writer)
    SELECT new.n, numbers.name, 'insert', ${lastOf} + 1, numbers.seq, ${caller}
    FROM call_start CROSS JOIN sqlite_sequence AS numbers WHERE numbers.seq > ${lastOf}
    ORDER BY instr(' ${NUMBERED_TABLES.join(' ')} ', ' ' || numbers.name || ' ');
  UPDATE write_log SET change_bytes = (
    SELECT coalesce(sum(60 + coalesce(length(CAST(before AS BLOB)), 0) + coalesce(CASE WHEN tbl = 'block_file' THEN
      (SELECT size FROM file WHERE n = before ->> '$.file') END, 0)), 0) FROM change WHERE call = new.n
  ) WHERE n = new.n;
  -- What the call added.
  UPDATE byte_count SET
    documents = documents + (SELECT coalesce(sum(${casesOf(numbered, ({ name }) => sizesInRange(name))}), 0)
      FROM change AS entry WHERE ${RANGES}),
    history = history + ${sizeOf(LOG_SIZE, 'new.')}
      + (SELECT coalesce(sum(${sizeOf(CHANGE_SIZE)}), 0) FROM change AS entry WHERE ${RANGES}),
    files = files + (SELECT coalesce(sum(size), 0) FROM file AS added WHERE n > ${lastFile}
      AND ${isFirstFile('added')})
  WHERE link = ${callersLink};
  INSERT INTO written_range (tbl, first, writer)
    SELECT added.tbl, added.first, ${caller} FROM (
      SELECT tbl, row AS first FROM change AS entry WHERE ${RANGES}
      UNION ALL SELECT 'file', ${lastFile} + 1 FROM file WHERE n > ${lastFile} GROUP BY 1
    ) AS added
    WHERE ${caller} IS NOT (
      SELECT writer FROM written_range AS numbers WHERE numbers.tbl = added.tbl ORDER BY numbers.first DESC LIMIT 1);
  UPDATE call_start SET (call, file, ${NUMBERED_TABLES.join(', ')}) = (
    SELECT new.n + 1, ${['file', ...NUMBERED_TABLES].map((name) => `coalesce(max(CASE name WHEN '${name}' THEN seq END), 0)`).join(',\n      ')}
    FROM sqlite_sequence);
END;`

/** Entries of rows. No other call has entries with higher numbers. */
const ENTRIES = 'entry.n >= (SELECT min(n) FROM change WHERE call = new.n) AND entry.last IS NULL'
/** The link of the range that the row of an entry is in. */
const rangeWriter = `(SELECT writer FROM written_range AS numbers WHERE numbers.tbl = CASE
        WHEN entry.tbl IN (${NUMBERED_TABLES.map((name) => `'${name}'`).join(', ')}) THEN entry.tbl ELSE 'block' END
        AND numbers.first <= entry.row ORDER BY numbers.first DESC LIMIT 1)`
const sizeNow = casesOf(
  LOGGED_TABLES,
  (table) => `(SELECT ${documentSize(table)} FROM ${table.name} WHERE ${isRowOf(table)})`,
)

/** The row was of another link before, or was not there. */
const isRewritten = `(entry.writer <> ${caller} OR entry.kind = 'insert')`

/** Counts the rows that were there before the call. */
const rowsCounted = `CREATE TRIGGER call_counted AFTER INSERT ON write_log
  WHEN EXISTS (SELECT 1 FROM change WHERE call = new.n AND last IS NULL) BEGIN
  ${addLink(callersLink)}
  -- What an entry without a size keeps was written by the call itself. A row that came back was not there before.
  UPDATE change AS entry SET writer = ${caller}
    WHERE ${ENTRIES} AND (size IS NULL OR kind = 'insert') AND writer IS NOT ${caller};
  UPDATE byte_count SET documents = documents - part.size, history = history + part.bytes FROM (
    SELECT writer, coalesce(sum(size), 0) AS size, sum(${sizeOf(CHANGE_SIZE)}) AS bytes
    FROM change AS entry WHERE ${ENTRIES} AND writer <> ${caller} GROUP BY writer
  ) AS part WHERE byte_count.n = part.writer;
  UPDATE byte_count SET
    documents = documents + (SELECT coalesce(sum(coalesce(${sizeNow}, 0) - CASE WHEN writer = ${caller} THEN size ELSE 0 END), 0)
      FROM change AS entry WHERE ${ENTRIES} AND entry.size IS NOT NULL),
    history = history + (SELECT coalesce(sum(${sizeOf(CHANGE_SIZE)}), 0)
      FROM change AS entry WHERE ${ENTRIES} AND writer = ${caller})
  WHERE link = ${callersLink};
  DELETE FROM written_row WHERE EXISTS (SELECT 1 FROM written_row) AND (tbl, row, rest) IN (
    SELECT tbl, row, coalesce(rest, '') FROM change AS entry
    WHERE ${ENTRIES} AND size IS NOT NULL AND (${isRewritten} OR (kind = 'delete' AND ${sizeNow} IS NULL)));
  INSERT INTO written_row (tbl, row, rest, writer)
    SELECT entry.tbl, entry.row, coalesce(entry.rest, ''), ${caller} FROM change AS entry
    WHERE ${ENTRIES} AND entry.size IS NOT NULL AND ${isRewritten}
      AND ${caller} IS NOT ${rangeWriter} AND ${sizeNow} IS NOT NULL;
END;`

const isLogged = `old.call < ${RUNNING_CALL}`
const changeTriggers = `
CREATE TRIGGER change_uncounted AFTER DELETE ON change BEGIN
  UPDATE byte_count SET history = history - (${sizeOf(CHANGE_SIZE, 'old.')})
    WHERE n = coalesce(old.writer, ${NO_LINK.n}) AND ${isLogged};
  -- The row went in the running call, which will not find what it had been.
  UPDATE byte_count SET documents = documents - old.size
    WHERE n = old.writer AND old.size IS NOT NULL AND NOT (${isLogged});
END;
CREATE TRIGGER change_recounted AFTER UPDATE OF before ON change WHEN ${isLogged} BEGIN
  UPDATE byte_count SET history = history + (${sizeOf(CHANGE_SIZE, 'new.')}) - (${sizeOf(CHANGE_SIZE, 'old.')})
    WHERE n = coalesce(old.writer, ${NO_LINK.n});
END;`

/** Triggers of a table whose rows have a link. */
function countedByLink(table: string, counts: Readonly<Record<string, (row: string) => string>>): string {
  const change = (sign: '+' | '-', row: string) =>
    Object.entries(counts)
      .map(([count, size]) => `${count} = ${count} ${sign} (${size(row)})`)
      .join(', ')
  const linkOf = (row: string) => `coalesce(${row}link, '${NO_LINK.link}')`
  const add = `${addLink(linkOf('new.'))}
  UPDATE byte_count SET ${change('+', 'new.')} WHERE link = ${linkOf('new.')};`
  const subtract = `UPDATE byte_count SET ${change('-', 'old.')} WHERE link = ${linkOf('old.')};`
  return `
CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} BEGIN
  ${add}
END;
CREATE TRIGGER ${table}_recounted AFTER UPDATE ON ${table} BEGIN
  ${subtract}
  ${add}
END;
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN
  ${subtract}
END;`
}

/** Rows of imports count for the space alone. */
const countedForSpace = (table: string, size: RowSize): string => `
CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} BEGIN
  UPDATE byte_count SET documents = documents + (${sizeOf(size, 'new.')}) WHERE n = ${NO_LINK.n};
END;
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN
  UPDATE byte_count SET documents = documents - (${sizeOf(size, 'old.')}) WHERE n = ${NO_LINK.n};
END;`

/** Equal bytes are stored once. They count for the link that wrote the first of the files that have them. */
const fileWriter = (n: string): string => `coalesce(${lastRange('file', ` AND first <= ${n}`)}, ${NO_LINK.n})`
const fileTriggers = `
CREATE TRIGGER file_uncounted AFTER DELETE ON file
  WHEN old.n <= (SELECT file FROM call_start)
    AND NOT EXISTS (SELECT 1 FROM file WHERE hash = old.hash AND n < old.n) BEGIN
  UPDATE byte_count SET files = files - old.size WHERE n = ${fileWriter('old.n')};
  UPDATE byte_count SET files = files + old.size
    WHERE n = (SELECT ${fileWriter('next.n')} FROM (SELECT min(n) AS n FROM file WHERE hash = old.hash) AS next
      WHERE next.n <= (SELECT file FROM call_start));
END;`

const logTriggers = `
CREATE TRIGGER write_log_uncounted AFTER DELETE ON write_log BEGIN
  UPDATE byte_count SET history = history - (${sizeOf(LOG_SIZE, 'old.')}) WHERE link = coalesce(old.link, '${NO_LINK.link}');
END;`

const spaceTrigger = `
CREATE TRIGGER byte_count_summed AFTER UPDATE OF documents, history, files ON byte_count WHEN new.n <> ${WHOLE_SPACE.n} BEGIN
  UPDATE byte_count SET documents = documents + new.documents - old.documents,
    history = history + new.history - old.history, files = files + new.files - old.files
  WHERE n = ${WHOLE_SPACE.n};
END;`

export const byteCountTriggers = `${spaceTrigger}
${callLogged}
${rowsCounted}
${changeTriggers}
${logTriggers}
${countedByLink('kept_answer', { history: (row) => sizeOf(RESPONSE_SIZE, row) })}
${countedByLink('proposal', { history: (row) => sizeOf(PROPOSAL_SIZE, row), files: proposedFiles })}
${countedForSpace('imported', IMPORTED_SIZE)}
${countedForSpace('source_text', SOURCE_TEXT_SIZE)}
${fileTriggers}`
