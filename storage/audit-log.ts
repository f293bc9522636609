/** The audit log: one row per call that wrote. */

import { sql } from 'drizzle-orm'
import { type AuditRow, writeLog } from './schema.ts'
import { insertInto, integer, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const INSERT = insertInto(writeLog, ['at', 'link', 'author', 'client', 'endpoint', 'ids'])

export async function insertAuditRow(tx: Transaction, row: Omit<AuditRow, 'n'>): Promise<void> {
  await tx.run(INSERT, row)
}

const OLDEST = statement<{ at: number }>(() => sql`SELECT at FROM write_log ORDER BY n LIMIT 1`)

/** True if the oldest row is from before a time, in milliseconds since 1970. */
export async function hasAuditRowsBefore(tx: Transaction, before: number): Promise<boolean> {
  const oldest = await tx.get(OLDEST)
  return oldest !== undefined && oldest.at < before
}

// Rows are in order of time, unless the clock was set back.
const LAST_OLD = statement<{ n: number | null }>(
  () => sql`SELECT max(n) AS n FROM (SELECT n, at FROM write_log ORDER BY n LIMIT ${integer('limit')}) AS oldest
    WHERE at < ${integer('before')}`,
)
const DELETE = statement(() => sql`DELETE FROM write_log WHERE n <= ${integer('last')} AND at < ${integer('before')}`)

/**
 * Deletes up to `limit` of the oldest rows, if they are from before a time, in milliseconds since 1970.
 *
 * @returns the number of deleted rows
 */
export async function deleteAuditRowsBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  const last = (await tx.get(LAST_OLD, { before, limit }))?.n ?? undefined
  return last === undefined ? 0 : tx.run(DELETE, { last, before })
}

const AFTER = statement<AuditRow>(
  () => sql`${selectFrom(writeLog)} WHERE n > ${integer('after')} ORDER BY n LIMIT ${integer('limit')}`,
)

/** At most `limit` rows after the number `after`, oldest first. */
export function auditRowsAfter(tx: Transaction, after: number, limit: number): Promise<AuditRow[]> {
  return tx.all(AFTER, { after, limit })
}
