/** Responses stored by idempotency key, for callers who retry because they do not know whether a call succeeded. */

import type { StoredResponseRow } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

/** The response stored under a caller's key after `since`. */
export async function storedResponseByKey(
  tx: Transaction,
  link: string,
  key: string,
  since: number,
): Promise<StoredResponseRow | undefined> {
  const find = tx.sql<StoredResponseRow>(
    'SELECT link, key, call, answer, created_at AS createdAt FROM kept_answer WHERE link = ? AND key = ? AND created_at > ?',
  )
  return find.get(link, key, since)
}

/** Erases the content of responses but keeps the rows: a retry still learns that the call was carried out. */
export async function eraseStoredResponses(tx: Transaction): Promise<void> {
  tx.sql(`UPDATE kept_answer SET answer = '${ERASED_RESPONSE}'`).run()
}

/** Placeholder for an erased response: JSON `null`. */
export const ERASED_RESPONSE = 'null'

export async function hasStoredResponsesBefore(tx: Transaction, since: number): Promise<boolean> {
  return tx.sql('SELECT 1 FROM kept_answer WHERE created_at <= ? LIMIT 1').get(since) !== undefined
}

/** Deletes the responses stored before `since`. */
export async function deleteStoredResponsesBefore(tx: Transaction, since: number): Promise<void> {
  tx.sql('DELETE FROM kept_answer WHERE created_at <= ?').run(since)
}

/** Stores a response, and deletes those from before `since`. */
export async function insertStoredResponse(tx: Transaction, row: StoredResponseRow, since: number): Promise<void> {
  await deleteStoredResponsesBefore(tx, since)
  tx.sql('INSERT OR REPLACE INTO kept_answer (link, key, call, answer, created_at) VALUES (?, ?, ?, ?, ?)').run(
    row.link,
    row.key,
    row.call,
    row.answer,
    row.createdAt,
  )
}
