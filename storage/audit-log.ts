/** The log of writes: one row for each call that wrote. */

import type { WriteLogRow } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

export async function insertAuditRow(tx: Transaction, row: Omit<WriteLogRow, 'n'>): Promise<void> {
  tx.sql('INSERT INTO write_log (at, link, author, client, endpoint, ids) VALUES (?, ?, ?, ?, ?, ?)').run(
    row.at,
    row.link,
    row.author,
    row.client,
    row.endpoint,
    row.ids,
  )
}

/** Whether the oldest write is from before a time: milliseconds since 1970. */
export async function hasAuditRowsBefore(tx: Transaction, before: number): Promise<boolean> {
  const oldest = tx.sql<number>('SELECT at FROM write_log ORDER BY n LIMIT 1').pluck().get()
  return oldest !== undefined && oldest < before
}

/**
 * Forget the oldest writes, of `limit` at most, that are from before a time: milliseconds since 1970.
 *
 * @returns how many were forgotten
 */
export async function deleteAuditRowsBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  const oldest = 'SELECT n, at FROM write_log ORDER BY n LIMIT CAST(? AS INTEGER)'
  // They come in the order of their time, but for a clock that was set back.
  const find = tx.sql<number | null>(`SELECT max(n) FROM (${oldest}) WHERE at < ?`).pluck()
  const last = find.get(limit, before) ?? undefined
  if (last === undefined) return 0
  return tx.sql('DELETE FROM write_log WHERE n <= CAST(? AS INTEGER) AND at < ?').run(last, before).changes
}

/** The writes after the number `after`, the first first, at most `limit`. */
export async function auditRowsAfter(tx: Transaction, after: number, limit: number): Promise<WriteLogRow[]> {
  return tx.sql<WriteLogRow>('SELECT * FROM write_log WHERE n > ? ORDER BY n LIMIT ?').all(after, limit)
}
