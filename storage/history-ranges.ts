/** Queries on the ranges of numbers that history keeps of inserted rows. */
import { type SQL, sql } from 'drizzle-orm'
import { yieldToEventLoop } from '../src/base/scheduling.ts'
import { type Change, type HistoryRow, ROWS_PER_STATEMENT } from './history.ts'
import { historyTable, type TableName } from './history-tables.ts'
import { documentWithinReach, type Reach } from './reach.ts'
import { change } from './schema.ts'
import {
  columnsOf,
  type Dialect,
  integer,
  integerValue,
  param,
  recordsOf,
  type Statement,
  selectFrom,
  statement,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Numbers from `first` to `last`. */
export interface NumberRange {
  first: number
  last: number
}

/** The ranges of the list parameter `ranges` as rows of the table `listed`. */
export const listedRanges = (dialect: Dialect): SQL =>
  sql`${recordsOf(dialect, 'ranges', { first: 'integer', last: 'integer' })} AS listed`

/** @param number  a column */
export const isInListedRange = (number: SQL): SQL => sql`${number} BETWEEN listed."first" AND listed."last"`

const RANGES = statement<Change>(
  () => sql`${selectFrom(change)} WHERE tbl = ${param('table')} AND last IS NOT NULL AND last >= ${integer('first')}
    AND row <= ${integer('last')} AND call >= ${integer('since')} ORDER BY n`,
)

/**
 * The ranges of rows that calls from the number `from` on inserted and that overlap the numbers `first` to `last`,
 * oldest first.
 */
export function insertedRanges(
  tx: Transaction,
  table: TableName,
  first: number,
  last: number,
  from: number,
): Promise<Change[]> {
  return tx.all(RANGES, { table, first, last, since: from })
}

const FIRST_CHANGES = statement<Change>(
  (dialect) => sql`SELECT ${columnsOf(change, 'later')} FROM change AS later WHERE later.n IN (
      SELECT min(log.n) FROM ${recordsOf(dialect, 'ranges', { table: 'text', first: 'integer', last: 'integer' })} AS listed
      ${dialect.thenJoin} change AS log ON log.tbl = listed."table" AND ${isInListedRange(sql`log.row`)}
      WHERE log.last IS NULL GROUP BY log.tbl, log.row)
    ORDER BY later.n`,
)

/**
 * For each row whose number is in one of these ranges, the first change after it was inserted, if any. Yields to other
 * calls if there are many.
 */
export async function firstChangesInRanges(
  tx: Transaction,
  ranges: readonly ({ table: TableName } & NumberRange)[],
): Promise<Change[]> {
  const all: Change[] = []
  for (const some of splitRanges(ranges, ROWS_PER_STATEMENT)) {
    for (const one of await tx.all(FIRST_CHANGES, { ranges: JSON.stringify(some) })) all.push(one)
    await yieldToEventLoop()
  }
  return all.sort((one, other) => one.n - other.n)
}

/** The columns that say where a row belongs, and no texts. */
const PLACE_COLUMNS = ['document', 'block', 'board', 'collection', 'property', 'participant']

const PLACES = new Map<TableName, Statement<HistoryRow>>()

function placesStatement(table: TableName): Statement<HistoryRow> {
  const { key, columns } = historyTable(table)
  const picked = [...key, ...columns].filter((column) => key.includes(column) || PLACE_COLUMNS.includes(column))
  const listOf = (names: readonly string[]) => sql.raw(names.map((column) => `kept.${column}`).join(', '))
  const found =
    PLACES.get(table) ??
    statement<HistoryRow>(
      (dialect) => sql`SELECT ${listOf(picked)} FROM ${listedRanges(dialect)}
        ${dialect.thenJoin} ${sql.raw(table)} AS kept ON ${isInListedRange(sql.raw(`kept.${key[0] ?? 'n'}`))}
        ORDER BY ${listOf(key)}`,
    )
  PLACES.set(table, found)
  return found
}

/**
 * Where the rows of a table belong whose key begins with a number in one of these ranges: their keys and {@link
 * PLACE_COLUMNS}, in order of their keys. Yields to other calls if there are many.
 */
export async function placesInRanges(
  tx: Transaction,
  table: TableName,
  ranges: readonly NumberRange[],
): Promise<HistoryRow[]> {
  const all: HistoryRow[] = []
  for (const some of splitRanges(ranges, ROWS_PER_STATEMENT)) {
    for (const row of await tx.all(placesStatement(table), { ranges: JSON.stringify(some) })) all.push(row)
    await yieldToEventLoop()
  }
  return all
}

/**
 * The first `limit` blocks with these numbers that are in documents within reach, in order of their numbers. Reads only
 * those documents, however many blocks have such numbers.
 */
export function blocksWithinReach(
  tx: Transaction,
  reach: Reach,
  { first, last }: NumberRange,
  limit: number,
): Promise<HistoryRow[]> {
  const find = statement<HistoryRow>(
    (dialect) => sql`SELECT kept.n, kept.document FROM document AS place
      ${dialect.thenJoin} block AS kept ${dialect.indexedBy('block_place')} ON kept.document = place.n
        AND kept.n BETWEEN ${integerValue(first)} AND ${integerValue(last)}
      WHERE ${documentWithinReach(dialect, reach)} ORDER BY kept.n LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

/** Splits ranges so that those of each list have at most `most` numbers together. */
export function* splitRanges<Range extends NumberRange>(
  ranges: readonly Range[],
  most: number,
): Generator<Range[], void> {
  let some: Range[] = []
  let left = most
  for (const range of ranges) {
    for (let { first } = range; first <= range.last; ) {
      const last = Math.min(range.last, first + left - 1)
      some.push({ ...range, first, last })
      left -= last - first + 1
      first = last + 1
      if (left > 0) continue
      yield some
      some = []
      left = most
    }
  }
  if (some.length > 0) yield some
}
