/** Queries on the part of history that happened in some documents, however much the same calls changed elsewhere. */
import { sql } from 'drizzle-orm'
import { yieldToEventLoop } from '../src/base/scheduling.ts'
import { type CallDocument, existingNumbers } from './history.ts'
import { isInListedRange, listedRanges, type NumberRange, splitRanges } from './history-ranges.ts'
import { TABLE_NAMES, type TableName } from './history-tables.ts'
import { integer, jsonList, listOf, param, rowsOf, type Statement, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Numbers of rows that one statement compares, which takes some milliseconds. */
const NUMBERS_PER_STATEMENT = 20_000

interface LoggedRow {
  table: TableName
  row: number
}

/** True if an entry says that a block left a document, or may say so, since its columns are not kept any more. */
const MAY_BE_MOVE = sql`change.tbl = 'block' AND change.kind = 'update'
  AND (change.before IS NULL OR change.before LIKE '%"document":%')`

const LOGGED = statement<LoggedRow>((dialect) => {
  const isAmong = sql`IN ${listOf(dialect, 'documents', 'integer')}`
  return sql`SELECT DISTINCT change.tbl AS "table", change.row FROM change
    WHERE change.call IN ${listOf(dialect, 'calls', 'integer')} AND change.last IS NULL
      AND (change.document IS NULL OR change.document ${isAmong}
        OR (change.tbl = 'value' AND change.call IN ${listOf(dialect, 'own', 'integer')})
        OR (${MAY_BE_MOVE} AND (
          EXISTS (SELECT 1 FROM block WHERE block.n = change.row AND block.document ${isAmong})
          OR EXISTS (SELECT 1 FROM change AS later WHERE later.tbl = 'block' AND later.row = change.row
            AND later.n > change.n AND later.document ${isAmong}))))
    ORDER BY 1, 2`
})

/** Blocks that left one of the documents, and all other rows that changed there. */
const CHANGED_THERE = statement<LoggedRow>(
  (dialect) => sql`SELECT DISTINCT change.tbl AS "table", change.row FROM call_document
    JOIN change ON change.call = call_document.call AND change.document = call_document.document
    WHERE call_document.document IN ${listOf(dialect, 'documents', 'integer')}
      AND call_document.call >= ${integer('since')}
      AND change.last IS NULL AND (change.tbl <> 'block' OR (${MAY_BE_MOVE}))
    ORDER BY 1, 2`,
)

/** Those of some rows that the calls changed after they were inserted. */
const CHANGED_BY = statement<{ row: number }>(
  (dialect) => sql`SELECT DISTINCT row FROM change WHERE tbl = ${param('table')}
    AND row IN ${listOf(dialect, 'rows', 'integer')} AND call IN ${listOf(dialect, 'calls', 'integer')}
    AND last IS NULL ORDER BY row`,
)

const RANGES = statement<{ table: TableName } & NumberRange>(
  (dialect) => sql`SELECT tbl AS "table", row AS first, last FROM change
    WHERE call IN ${listOf(dialect, 'calls', 'integer')} AND last IS NOT NULL ORDER BY row, n`,
)

const BLOCKS_BETWEEN = statement<{ n: number }>(
  (dialect) => sql`SELECT block.n FROM ${rowsOf(dialect, 'documents', 'integer')} AS listed
    ${dialect.thenJoin} block ${dialect.indexedBy('block_place')} ON block.document = listed.value
      AND block.n BETWEEN ${integer('first')} AND ${integer('last')}
    ORDER BY block.n`,
)

/** For each table whose inserted rows are logged as ranges, and that belong to blocks: the block of a row. */
const BLOCK_OF: Partial<Record<TableName, string>> = {
  block: 'kept.n',
  property: 'kept.collection',
  option: '(SELECT collection FROM property WHERE property.n = kept.property)',
  view: 'kept.collection',
  comment: 'kept.block',
  reminder: 'kept.block',
  element: 'kept.board',
  board_asset: 'kept.board',
}

/** For each of these tables, the rows of ranges that are in the documents now. */
const ROWS_IN_RANGES = new Map(
  Object.entries(BLOCK_OF).map(([table, block]): [string, Statement<{ n: number }>] => [
    table,
    statement(
      (dialect) => sql`SELECT kept.n FROM ${listedRanges(dialect)}
        ${dialect.thenJoin} ${sql.raw(table)} AS kept ON ${isInListedRange(sql`kept.n`)}
        ${dialect.thenJoin} block ON block.n = ${sql.raw(block)}
        WHERE block.document IN ${listOf(dialect, 'documents', 'integer')} ORDER BY kept.n`,
    ),
  ]),
)

/** What to look for: see {@link rowsChangedIn}. */
export interface ChangesInDocuments {
  documents: readonly number[]
  calls: readonly number[]
  /** The number of the first of the calls. */
  from: number
  /** Those of the calls whose changed values are included wherever they are. */
  own: readonly number[]
}

/**
 * The rows that these calls changed and that are in one of the documents, or were in it at some time since. Rows that
 * the calls only inserted are included if they still exist.
 */
export async function rowsChangedIn(
  tx: Transaction,
  { documents: some, calls, from, own }: ChangesInDocuments,
): Promise<Map<TableName, Set<number>>> {
  const documents = jsonList(some)
  const found = new Map<TableName, Set<number>>()
  const add = (table: TableName, row: number) => found.set(table, (found.get(table) ?? new Set<number>()).add(row))
  const logged = await tx.all(LOGGED, { calls: jsonList(calls), documents, own: jsonList(own) })
  for (const { table, row } of logged) add(table, row)
  const ranges = Map.groupBy(await tx.all(RANGES, { calls: jsonList(calls) }), ({ table }) => table)
  if (ranges.size === 0) return found
  const changed = Map.groupBy(await tx.all(CHANGED_THERE, { documents, since: from }), ({ table }) => table)
  for (const table of TABLE_NAMES) {
    const inserted = ranges.get(table)
    const find = ROWS_IN_RANGES.get(table)
    if (inserted === undefined || find === undefined) continue
    for (const { n } of await rowsNowIn(tx, documents, { table, find }, inserted)) add(table, n)
    const rows = (changed.get(table) ?? []).flatMap(({ row }) => (isInRange(inserted, row) ? [row] : []))
    const existing = rows.length > 0 ? await existingNumbers(tx, table, rows) : new Set<number>()
    const gone = rows.filter((row) => !existing.has(row))
    const values = { table, rows: jsonList(gone), calls: jsonList(calls) }
    const changedToo = gone.length > 0 ? await tx.all(CHANGED_BY, values) : []
    for (const row of [...existing, ...changedToo.map(({ row }) => row)]) add(table, row)
  }
  return found
}

async function rowsNowIn(
  tx: Transaction,
  documents: string,
  { table, find }: { table: TableName; find: Statement<{ n: number }> },
  ranges: readonly NumberRange[],
): Promise<{ n: number }[]> {
  const size = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const [from, to] = [ranges[0], ranges.at(-1)]
  if (table === 'block' && size > NUMBERS_PER_STATEMENT && from !== undefined && to !== undefined) {
    const blocks = await tx.all(BLOCKS_BETWEEN, { documents, first: from.first, last: to.last })
    return blocks.filter(({ n }) => isInRange(ranges, n))
  }
  const all: { n: number }[] = []
  for (const part of splitRanges(ranges, NUMBERS_PER_STATEMENT)) {
    for (const row of await tx.all(find, { documents, ranges: JSON.stringify(part) })) all.push(row)
    await yieldToEventLoop()
  }
  return all
}

/** @param ranges  in order, without overlaps */
function isInRange(ranges: readonly NumberRange[], n: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.last ?? 0) < n) low = middle + 1
    else high = middle
  }
  return (ranges[low]?.first ?? Number.POSITIVE_INFINITY) <= n
}

const PLACES = statement<CallDocument>(
  (dialect) => sql`SELECT call, document, is_marked AS "isMarked" FROM call_document
    WHERE call IN ${listOf(dialect, 'calls', 'integer')} AND document = ${integer('document')} ORDER BY call`,
)

/** Returns those of these calls that changed the document. */
export function callsInDocument(tx: Transaction, calls: readonly number[], document: number): Promise<CallDocument[]> {
  return tx.all(PLACES, { calls: jsonList(calls), document })
}

const DOCUMENT_COUNTS = statement<{ call: number; count: number }>(
  (dialect) => sql`SELECT call, count(*) AS count FROM call_document
    WHERE call IN ${listOf(dialect, 'calls', 'integer')} GROUP BY call ORDER BY call`,
)

/** How many documents each of these calls changed. */
export async function countDocumentsOfCalls(tx: Transaction, calls: readonly number[]): Promise<Map<number, number>> {
  const counts = await tx.all(DOCUMENT_COUNTS, { calls: jsonList(calls) })
  return new Map(counts.map(({ call, count }) => [call, count]))
}
