/**
 * Counts of stored bytes: of the whole space, and of what each link wrote and is still stored. Triggers maintain them:
 * see the migration that created the tables. What a row counts is defined in row-sizes.ts.
 */
import { sql } from 'drizzle-orm'
import { HISTORY_TABLES, type HistoryTable } from './history-tables.ts'
import {
  CHANGE_SIZE,
  DOCUMENT_SIZES,
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
} from './row-sizes.ts'
import { type ByteCountRow, byteCount } from './schema.ts'
import { insertInto, param, selectFrom, statement, updateWhere } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Numbers of bytes. History includes the audit log, responses stored for retries, and proposals. */
export type ByteCounts = Pick<ByteCountRow, 'documents' | 'history' | 'files'>

export const NO_BYTES: ByteCounts = { documents: 0, history: 0, files: 0 }

export const sumOfBytes = ({ documents, history, files }: ByteCounts): number => documents + history + files

const OF_SPACE_AND_LINK = statement<ByteCountRow>(
  () => sql`${selectFrom(byteCount)} WHERE link IN (${WHOLE_SPACE.link}, ${param('link')}) ORDER BY n`,
)

/** The counts of the whole space and of one link. @param link  its ID */
export async function byteCountsOf(
  tx: Transaction,
  link: string | undefined,
): Promise<{ space: ByteCounts; link: ByteCounts }> {
  const [space = NO_BYTES, ofLink = NO_BYTES] = await tx.all(OF_SPACE_AND_LINK, { link: link ?? WHOLE_SPACE.link })
  return { space, link: ofLink }
}

const ALL = statement<ByteCountRow>(() => sql`${selectFrom(byteCount)} ORDER BY n`)

/** Counts of the whole space, and of each link that wrote something, by its ID. */
export interface StoredBytes {
  space: ByteCounts
  links: ReadonlyMap<string, ByteCounts>
}

export async function byteCountsByLink(tx: Transaction): Promise<StoredBytes> {
  const rows = await tx.all(ALL)
  const links = rows.filter(({ link }) => link !== WHOLE_SPACE.link && link !== NO_LINK.link)
  return {
    space: rows.find(({ link }) => link === WHOLE_SPACE.link) ?? NO_BYTES,
    links: new Map(links.map(({ link, ...counts }) => [link, counts])),
  }
}

const lastRange = (table: string, number: string): string =>
  `(SELECT writer FROM written_range WHERE tbl = '${table}' AND first <= ${number} ORDER BY first DESC LIMIT 1)`

/** Changes that no call has logged yet count with the next one. */
const RUNNING = '(SELECT call FROM call_start)'

/** Counts the rows of a table of documents, by the links that wrote them last. */
function documentRows([name, size]: [string, RowSize]): string {
  const { key, isNumbered }: HistoryTable = HISTORY_TABLES[name as keyof typeof HISTORY_TABLES]
  const [number = 'n', ...others] = key.map((column) => `${name}.${column}`)
  const rest = others.length === 0 ? "''" : others.join(" || '/' || ")
  const numbers = isNumbered ? name : 'block'
  const written = `(SELECT writer FROM written_row WHERE tbl = '${name}' AND row = ${number} AND rest = ${rest})`
  const writer = `coalesce(${written}, ${lastRange(numbers, number)}, ${NO_LINK.n})`
  return `SELECT ${writer} AS writer, ${sizeOf(size)} AS documents, 0 AS history, 0 AS files FROM ${name}
    WHERE ${number} <= (SELECT call_start.${numbers} FROM call_start) AND NOT EXISTS (
      SELECT 1 FROM change WHERE change.tbl = '${name}' AND change.row = ${number}
        AND change.rest ${others.length === 0 ? 'IS NULL' : `= ${rest}`} AND change.call = ${RUNNING}
        AND change.size IS NOT NULL)`
}

/** What rows counted before changes that no call has logged yet. */
const RUNNING_CHANGES = `SELECT writer, size AS documents, 0 AS history, 0 AS files FROM change
    WHERE call = ${RUNNING} AND size IS NOT NULL AND writer IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM change AS earlier WHERE earlier.tbl = change.tbl AND earlier.row = change.row
        AND coalesce(earlier.rest, '') = coalesce(change.rest, '') AND earlier.call = change.call
        AND earlier.size IS NOT NULL AND earlier.n < change.n)`

/** Counts the rows of a table that say which link they are of. */
const linkRows = (table: string, size: RowSize, files = '0'): string =>
  `SELECT coalesce((SELECT n FROM byte_count WHERE byte_count.link = coalesce(${table}.link, '${NO_LINK.link}')), ${NO_LINK.n}) AS writer,
    0 AS documents, ${sizeOf(size)} AS history, ${files} AS files FROM ${table}`

const ROWS = [
  ...Object.entries(DOCUMENT_SIZES).map(documentRows),
  RUNNING_CHANGES,
  `SELECT ${NO_LINK.n} AS writer, ${sizeOf(IMPORTED_SIZE)} AS documents, 0 AS history, 0 AS files FROM imported`,
  `SELECT ${NO_LINK.n} AS writer, ${sizeOf(SOURCE_TEXT_SIZE)} AS documents, 0 AS history, 0 AS files FROM source_text`,
  `SELECT coalesce(writer, ${NO_LINK.n}) AS writer, 0 AS documents, ${sizeOf(CHANGE_SIZE)} AS history, 0 AS files
    FROM change WHERE call < ${RUNNING}`,
  linkRows('write_log', LOG_SIZE),
  linkRows('kept_answer', RESPONSE_SIZE),
  linkRows('proposal', PROPOSAL_SIZE, proposedFiles()),
  `SELECT coalesce(${lastRange('file', 'file.n')}, ${NO_LINK.n}) AS writer, 0 AS documents, 0 AS history, size AS files
    FROM file WHERE file.n <= (SELECT call_start.file FROM call_start) AND ${isFirstFile('file')}`,
].join('\nUNION ALL ')

/** SQL for the counts that are wrong, as they should be, on either engine. Reads all rows of the space. */
export const WRONG_BYTE_COUNTS = `WITH grouped AS MATERIALIZED (
    SELECT writer, sum(documents) AS documents, sum(history) AS history, sum(files) AS files
    FROM (${ROWS}) AS part GROUP BY writer
  ), expected AS (
    SELECT * FROM grouped
    UNION ALL SELECT ${WHOLE_SPACE.n}, sum(documents), sum(history), sum(files) FROM grouped
  ), counted AS (
    SELECT byte_count.n, byte_count.link, CAST(coalesce(expected.documents, 0) AS bigint) AS documents,
      CAST(coalesce(expected.history, 0) AS bigint) AS history, CAST(coalesce(expected.files, 0) AS bigint) AS files
    FROM byte_count LEFT JOIN expected ON expected.writer = byte_count.n
  )
  SELECT counted.* FROM counted JOIN byte_count ON byte_count.n = counted.n
  WHERE (counted.documents, counted.history, counted.files)
    <> (byte_count.documents, byte_count.history, byte_count.files) ORDER BY counted.n`

const WRONG = statement<ByteCountRow>(() => sql.raw(WRONG_BYTE_COUNTS))

/** The counts that are wrong, as they should be. Reads all rows of the space. */
export const wrongByteCounts = (tx: Transaction): Promise<ByteCountRow[]> => tx.all(WRONG)

const SET = updateWhere(byteCount, ['documents', 'history', 'files'])
const ADD_FIRST = insertInto(byteCount, undefined, (dialect) => sql`${dialect.onConflict('n')} DO NOTHING`)

/** Corrects wrong counts. Reads all rows of the space. @returns how many were wrong */
export async function repairByteCounts(tx: Transaction): Promise<number> {
  await tx.batch(
    ADD_FIRST,
    [WHOLE_SPACE, NO_LINK].map((row) => ({ ...row, ...NO_BYTES })),
  )
  const wrong = await wrongByteCounts(tx)
  await tx.batch(
    SET,
    wrong.filter(({ n }) => n !== WHOLE_SPACE.n),
  )
  // Each of these has changed the count of the whole space by its trigger.
  await tx.batch(SET, await wrongByteCounts(tx))
  return wrong.length
}
