/**
 * Queries on history: what each call changed. Triggers write it: see the migration that created the tables.
 *
 * Rows that a call inserts into a numbered table are logged as one range of numbers. Every other change is one entry
 * per row.
 */
import { sql } from 'drizzle-orm'
import { yieldToEventLoop } from '../src/base/scheduling.ts'
import { historyTable, type TableName } from './history-tables.ts'
import { documentWithinReach, type Reach } from './reach.ts'
import { block, type CHANGE_KINDS, type ChangeRow, change } from './schema.ts'
import {
  columnsByName,
  DeleteStatement,
  InsertStatement,
  integer,
  integerValue,
  jsonList,
  listOf,
  param,
  type Statement,
  selectFrom,
  statement,
  updateWhere,
} from './statement.ts'
import { tableByName } from './tables.ts'
import type { Transaction } from './transaction.ts'

/** A change of a row, or the insertion of a range of rows. */
export interface Change extends Omit<ChangeRow, 'table' | 'kind'> {
  table: TableName
  kind: (typeof CHANGE_KINDS)[number]
}

/** The columns of a row by their names in the database, including its key. */
export type HistoryRow = Record<string, string | number | null>

/** Rows that one statement reads, which takes some milliseconds. */
export const ROWS_PER_STATEMENT = 2_000

const OF_CALLS = statement<Change>(
  (
    dialect,
  ) => sql`${selectFrom(change)} WHERE call IN ${listOf(dialect, 'calls', 'integer')} AND n > ${integer('after')}
    ORDER BY call, n LIMIT ${integerValue(ROWS_PER_STATEMENT)}`,
)

/**
 * The changes that these calls made, oldest first. Yields to other calls if there are many.
 *
 * @param perCall  stops reading the changes of a call after about this many
 */
export async function changesOfCalls(
  tx: Transaction,
  calls: readonly number[],
  perCall = Number.POSITIVE_INFINITY,
): Promise<Change[]> {
  let left = calls
  let started = { call: 0, at: 0 }
  const all: Change[] = []
  for (;;) {
    const part = await tx.all(OF_CALLS, { calls: jsonList(left), after: all.at(-1)?.n ?? 0 })
    for (const one of part) {
      if (one.call !== started.call) started = { call: one.call, at: all.length }
      all.push(one)
    }
    if (part.length < ROWS_PER_STATEMENT) return all
    if (all.length - started.at > perCall) left = left.filter((call) => call > started.call)
    await yieldToEventLoop()
  }
}

const SIZES = statement<{ call: number; size: number }>(
  (dialect) => sql`SELECT call, count(*) + coalesce(sum(last - row), 0) AS size FROM (
      SELECT call, row, last FROM change WHERE call IN ${listOf(dialect, 'calls', 'integer')}
      ORDER BY call DESC, n DESC LIMIT ${integer('limit')}) AS latest
    GROUP BY call ORDER BY call DESC`,
)

/**
 * How many rows each of these calls added, changed or deleted, newest call first. Counts `limit` entries of the change
 * log, and leaves out calls whose entries are beyond that.
 */
export function sizesOfCalls(
  tx: Transaction,
  calls: readonly number[],
  limit: number,
): Promise<{ call: number; size: number }[]> {
  return tx.all(SIZES, { calls: jsonList(calls), limit })
}

const IN_DOCUMENTS = statement<Change>(
  (dialect) => sql`${selectFrom(change)} WHERE call IN ${listOf(dialect, 'calls', 'integer')}
    AND (document IS NULL OR document IN ${listOf(dialect, 'documents', 'integer')}
      OR (tbl = 'value' AND call IN ${listOf(dialect, 'own', 'integer')})) ORDER BY n`,
)

/**
 * The changes that these calls made in these documents, or to rows whose document is not logged, oldest first.
 *
 * @param own  calls whose changes of values are included in all documents
 */
export function changesInDocuments(
  tx: Transaction,
  calls: readonly number[],
  documents: readonly number[],
  own: readonly number[],
): Promise<Change[]> {
  return tx.all(IN_DOCUMENTS, { calls: jsonList(calls), documents: jsonList(documents), own: jsonList(own) })
}

const DOCUMENT_MOVES = statement<Change>(
  (dialect) => sql`${selectFrom(change)} WHERE call IN ${listOf(dialect, 'calls', 'integer')}
    AND tbl = 'document' AND kind = 'update' ORDER BY n`,
)

/** The documents that these calls moved to another location, oldest first. */
export function documentMoves(tx: Transaction, calls: readonly number[]): Promise<Change[]> {
  return tx.all(DOCUMENT_MOVES, { calls: jsonList(calls) })
}

const COUNT = statement<{ count: number }>(
  (dialect) => sql`SELECT count(*) AS count FROM change WHERE call IN ${listOf(dialect, 'calls', 'integer')}`,
)

const COUNT_IN_DOCUMENTS = statement<{ count: number }>(
  (dialect) => sql`SELECT count(*) AS count FROM change WHERE call IN ${listOf(dialect, 'calls', 'integer')}
    AND document IN ${listOf(dialect, 'documents', 'integer')}`,
)

/**
 * The number of change entries of these calls.
 *
 * @param documents  restricts the result to changes in these documents
 */
export async function countChanges(
  tx: Transaction,
  calls: readonly number[],
  documents?: readonly number[],
): Promise<number> {
  const found =
    documents === undefined
      ? await tx.get(COUNT, { calls: jsonList(calls) })
      : await tx.get(COUNT_IN_DOCUMENTS, { calls: jsonList(calls), documents: jsonList(documents) })
  return found?.count ?? 0
}

const OF_ROWS = statement<Change>(
  (dialect) => sql`${selectFrom(change)} WHERE tbl = ${param('table')} AND last IS NULL
    AND row IN ${listOf(dialect, 'rows', 'integer')} AND call >= ${integer('since')} ORDER BY n`,
)

/**
 * The changes that calls from the number `from` on made to rows whose key begins with one of these numbers, oldest
 * first.
 */
export function changesOfRows(
  tx: Transaction,
  table: TableName,
  rows: readonly number[],
  from: number,
): Promise<Change[]> {
  return tx.all(OF_ROWS, { table, rows: jsonList(rows), since: from })
}

const LAST_CALL = statement<{ call: number }>(() => sql`SELECT call - 1 AS call FROM call_start`)

/** The number of the last call that was logged. */
export async function lastCall(tx: Transaction): Promise<number> {
  return (await tx.get(LAST_CALL))?.call ?? 0
}

const CALLS_ON_DOCUMENTS = statement<{ call: number; document: number }>(
  (dialect) => sql`SELECT call, document FROM call_document
    WHERE document IN ${listOf(dialect, 'documents', 'integer')} AND call > ${integer('after')} ORDER BY call, document`,
)

/** The calls after the number `after` that changed these documents. */
export function callsOnDocuments(
  tx: Transaction,
  documents: readonly number[],
  after: number,
): Promise<{ call: number; document: number }[]> {
  return tx.all(CALLS_ON_DOCUMENTS, { documents: jsonList(documents), after })
}

/** A document that a call changed. */
export interface CallDocument {
  call: number
  document: number
  /** 0 if the call only updated something in the document to match what it changed elsewhere, else 1. */
  isMarked: number
}

const DOCUMENTS_OF_CALLS = statement<CallDocument>(
  (dialect) => sql`SELECT call, document, is_marked AS "isMarked" FROM call_document
    WHERE call IN ${listOf(dialect, 'calls', 'integer')} ORDER BY call, document`,
)

/** The documents that these calls changed. */
export function documentsOfCalls(tx: Transaction, calls: readonly number[]): Promise<CallDocument[]> {
  return tx.all(DOCUMENTS_OF_CALLS, { calls: jsonList(calls) })
}

/** The documents within reach that these calls changed. */
export function reachedDocumentsOfCalls(
  tx: Transaction,
  calls: readonly number[],
  reach: Reach,
): Promise<CallDocument[]> {
  if (reach === 'all') return documentsOfCalls(tx, calls)
  const find = statement<CallDocument>(
    (dialect) => sql`SELECT call, document, is_marked AS "isMarked" FROM call_document
      ${dialect.thenJoin} document AS place ON place.n = call_document.document
      WHERE call IN ${listOf(dialect, 'calls', 'integer')} AND ${documentWithinReach(dialect, reach)}
      ORDER BY call, document`,
  )
  return tx.all(find, { calls: jsonList(calls) })
}

/** Statements on the rows of one table. Table and column names come from HISTORY_TABLES, never from a caller. */
function statementsFor(name: TableName) {
  const { key, columns } = historyTable(name)
  const all = [...key, ...columns]
  const table = sql.raw(name)
  const [first = 'n'] = key
  const set = sql.raw(columns.map((column) => `${column} = excluded.${column}`).join(', '))
  const select = sql`SELECT ${sql.raw(all.join(', '))} FROM ${table}`
  const declared = tableByName(name)
  const inserted = columnsByName(declared, all)
  return {
    read: statement<HistoryRow>(
      (dialect) =>
        sql`${select} WHERE ${sql.raw(first)} IN ${listOf(dialect, 'rows', 'integer')} ORDER BY ${sql.raw(key.join(', '))}`,
    ),
    between: statement<HistoryRow>(
      () =>
        sql`${select} WHERE ${sql.raw(first)} BETWEEN ${integer('first')} AND ${integer('last')}
          ORDER BY ${sql.raw(key.join(', '))} LIMIT ${integer('limit')}`,
    ),
    insert: new InsertStatement(name, inserted, () => sql``),
    upsert: new InsertStatement(name, inserted, (dialect) => sql`${dialect.onConflict(...key)} DO UPDATE SET ${set}`),
    remove: new DeleteStatement(name, columnsByName(declared, key)),
  }
}

const STATEMENTS = new Map<TableName, ReturnType<typeof statementsFor>>()

function statementsOf(table: TableName): ReturnType<typeof statementsFor> {
  const found = STATEMENTS.get(table) ?? statementsFor(table)
  STATEMENTS.set(table, found)
  return found
}

/** The rows of a table whose key begins with one of these numbers. */
export function rowsByNumbers(tx: Transaction, table: TableName, rows: readonly number[]): Promise<HistoryRow[]> {
  return tx.all(statementsOf(table).read, { rows: jsonList(rows) })
}

/** The first `limit` rows of a table whose key begins with a number between these two, both included. */
export function rowsBetween(
  tx: Transaction,
  table: TableName,
  first: number,
  last: number,
  limit: number,
): Promise<HistoryRow[]> {
  return tx.all(statementsOf(table).between, { first, last, limit })
}

export async function insertRows(tx: Transaction, table: TableName, rows: readonly HistoryRow[]): Promise<void> {
  await tx.batch(statementsOf(table).insert, rows)
}

/** Inserts or replaces rows. A row may be gone already, since it is deleted together with a row that it refers to. */
export async function putRows(tx: Transaction, table: TableName, rows: readonly HistoryRow[]): Promise<void> {
  await tx.batch(statementsOf(table).upsert, rows)
}

export async function deleteRows(tx: Transaction, table: TableName, rows: readonly HistoryRow[]): Promise<void> {
  await tx.batch(statementsOf(table).remove, rows)
}

const REFERRING = new Map<string, Statement<HistoryRow>>()

/** The rows of a table that refer to one of these rows by a column. */
export function rowsReferringTo(
  tx: Transaction,
  table: TableName,
  column: string,
  rows: readonly number[],
): Promise<HistoryRow[]> {
  const { key, columns } = historyTable(table)
  const name = `${table}.${column}`
  let found = REFERRING.get(name)
  if (found === undefined) {
    found = statement<HistoryRow>(
      (dialect) => sql`SELECT ${sql.raw([...key, ...columns].join(', '))} FROM ${sql.raw(table)}
        WHERE ${sql.raw(column)} IN ${listOf(dialect, 'rows', 'integer')} ORDER BY ${sql.raw(key.join(', '))}`,
    )
    REFERRING.set(name, found)
  }
  return tx.all(found, { rows: jsonList(rows) })
}

const EXISTING = new Map<TableName, Statement<{ n: number }>>()

/** Returns those of the given numbers that rows of the table have. */
export async function existingNumbers(
  tx: Transaction,
  table: TableName,
  numbers: readonly number[],
): Promise<Set<number>> {
  let found = EXISTING.get(table)
  if (found === undefined) {
    const column = sql.raw(historyTable(table).key[0] ?? 'n')
    found = statement<{ n: number }>(
      (dialect) => sql`SELECT DISTINCT ${column} AS n FROM ${sql.raw(table)}
        WHERE ${column} IN ${listOf(dialect, 'numbers', 'integer')} ORDER BY 1`,
    )
    EXISTING.set(table, found)
  }
  return new Set((await tx.all(found, { numbers: jsonList(numbers) })).map(({ n }) => n))
}

const SET_POSITION = updateWhere(block, ['position'])

/** Sets the positions of blocks among their siblings. Like renumbering, this is not logged. */
export async function setPositions(tx: Transaction, places: readonly { n: number; position: number }[]): Promise<void> {
  await tx.batch(SET_POSITION, places)
}
