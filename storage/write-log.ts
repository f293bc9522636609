/** The log of writes: one row for each call that wrote. */
import type { Transaction } from './connection.ts'
import type { WriteLogRow } from './schema.ts'

export async function insertWrite(tx: Transaction, row: Omit<WriteLogRow, 'n'>): Promise<void> {
  tx.sql('INSERT INTO write_log (at, link, author, client, endpoint, ids) VALUES (?, ?, ?, ?, ?, ?)').run(
    row.at,
    row.link,
    row.author,
    row.client,
    row.endpoint,
    row.ids,
  )
}

/** The writes after the number `after`, the first first, at most `limit`. */
export async function writesAfter(tx: Transaction, after: number, limit: number): Promise<WriteLogRow[]> {
  return tx.sql<WriteLogRow>('SELECT * FROM write_log WHERE n > ? ORDER BY n LIMIT ?').all(after, limit)
}
