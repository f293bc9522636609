/** The audit log: one row per call that wrote. */

import type { AuditRow } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

export async function insertAuditRow(tx: Transaction, row: Omit<AuditRow, 'n'>): Promise<void> {
  tx.sql('INSERT INTO write_log (at, link, author, client, endpoint, ids) VALUES (?, ?, ?, ?, ?, ?)').run(
    row.at,
    row.link,
    row.author,
    row.client,
    row.endpoint,
    row.ids,
  )
}

/** True if the oldest row is from before a time, in milliseconds since 1970. */
export async function hasAuditRowsBefore(tx: Transaction, before: number): Promise<boolean> {
  const oldest = tx.sql<number>('SELECT at FROM write_log ORDER BY n LIMIT 1').pluck().get()
  return oldest !== undefined && oldest < before
}

/**
 * Deletes up to `limit` of the oldest rows, if they are from before a time, in milliseconds since 1970.
 *
 * @returns the number of deleted rows
 */
export async function deleteAuditRowsBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  const oldest = 'SELECT n, at FROM write_log ORDER BY n LIMIT CAST(? AS INTEGER)'
  // Rows are in order of time, unless the clock was set back.
  const find = tx.sql<number | null>(`SELECT max(n) FROM (${oldest}) WHERE at < ?`).pluck()
  const last = find.get(limit, before) ?? undefined
  if (last === undefined) return 0
  return tx.sql('DELETE FROM write_log WHERE n <= CAST(? AS INTEGER) AND at < ?').run(last, before).changes
}

/** At most `limit` rows after the number `after`, oldest first. */
export async function auditRowsAfter(tx: Transaction, after: number, limit: number): Promise<AuditRow[]> {
  return tx.sql<AuditRow>('SELECT * FROM write_log WHERE n > ? ORDER BY n LIMIT ?').all(after, limit)
}
