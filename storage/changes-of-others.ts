/** Queries on what other connections have changed lately in the rows that a call changes. */
import { type SQL, sql } from 'drizzle-orm'
import type { TableName } from './history-tables.ts'
import { integer, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Which calls of others count. */
export interface SinceThen {
  /** Those after this one. */
  seen: number
  /** Also those since this time, in milliseconds since 1970; absent if only `seen` decides. */
  recent?: number | undefined
}

/** Calls that are looked through before a write counts as one that others may have been ahead of. */
const CALLS_LOOKED_AT = 200

/** The number of the last call that does not count. */
const BOUND: SQL = sql`(SELECT min(bound.n) FROM (
    SELECT ${integer('seen')} AS n
    UNION ALL SELECT coalesce((SELECT earlier.n FROM write_log AS earlier WHERE earlier.at < ${integer('recent')}
      ORDER BY earlier.at DESC, earlier.n DESC LIMIT 1), 0) WHERE ${integer('recent')} IS NOT NULL) AS bound)`

const isOwn = (table: string): SQL =>
  sql`(${sql.raw(table)}.link IS NOT DISTINCT FROM ${param('link')}
    AND ${sql.raw(table)}.connection IS NOT DISTINCT FROM ${param('connection')})`

/**
 * SQL that is 1 if other connections may have made calls that count, else 0. Reads few rows, however many calls there
 * are.
 */
export const HAS_OTHERS: SQL = sql`(SELECT CASE WHEN count(*) = ${sql.raw(String(CALLS_LOOKED_AT))} THEN 1
      ELSE coalesce(max(CASE WHEN ${isOwn('latest')} THEN 0 ELSE 1 END), 0) END
    FROM (SELECT write_log.link, write_log.connection FROM write_log WHERE write_log.n > ${BOUND}
      ORDER BY write_log.n DESC LIMIT ${sql.raw(String(CALLS_LOOKED_AT))}) AS latest)`

/** A change that another connection made in a row. */
export interface ChangeOfOther {
  table: TableName
  row: number
  call: number
  at: number
  author: string
  client: string | null
}

/** Changed rows that are looked at, and changes of others that are read. */
const ROWS_LOOKED_AT = 500
const CHANGES_READ = 200

const OF_OTHERS = statement<ChangeOfOther>(
  (
    dialect,
  ) => sql`SELECT DISTINCT other.tbl AS "table", other.row AS "row", other.call, caller.at, caller.author, caller.client
    FROM (SELECT DISTINCT changed.tbl, changed.row FROM (SELECT tbl, row FROM change
        WHERE call = ${integer('call')} AND last IS NULL ORDER BY n LIMIT ${sql.raw(String(ROWS_LOOKED_AT))}) AS changed) AS own
      ${dialect.thenJoin} change AS other ON other.tbl = own.tbl AND other.row = own.row
      ${dialect.thenJoin} write_log AS caller ON caller.n = other.call
    WHERE other.call > ${BOUND} AND other.call < ${integer('call')} AND other.last IS NULL
      AND caller.endpoint <> ${param('endpoint')} AND NOT ${isOwn('caller')}
    ORDER BY other.call DESC, other.tbl, other.row LIMIT ${sql.raw(String(CHANGES_READ))}`,
)

/**
 * What other connections changed in the rows that a call changed, newest first. Bounded: of a call that changes very many
 * rows, the first ones are looked at.
 *
 * @param caller  the connection that made the call
 * @param endpoint  calls of it do not count
 */
export function changesOfOthers(
  tx: Transaction,
  call: number,
  { seen, recent }: SinceThen,
  caller: { link: string | null; connection: string | null },
  endpoint: string,
): Promise<ChangeOfOther[]> {
  return tx.all(OF_OTHERS, { call, seen, recent: recent ?? null, ...caller, endpoint })
}
