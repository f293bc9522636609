/** Responses stored by idempotency key, for callers who retry because they do not know whether a call succeeded. */

import { sql } from 'drizzle-orm'
import { type StoredResponseRow, storedResponse } from './schema.ts'
import { insertInto, integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const BY_KEY = statement<StoredResponseRow>(
  () => sql`${selectFrom(storedResponse)} WHERE link = ${param('link')} AND key = ${param('key')}`,
)

/** The response stored under a caller's key. It may have expired. */
export function storedResponseByKey(
  tx: Transaction,
  link: string,
  key: string,
): Promise<StoredResponseRow | undefined> {
  return tx.get(BY_KEY, { link, key })
}

/** Placeholder for an erased response: JSON `null`. */
export const ERASED_RESPONSE = 'null'

const ERASE = statement(() => sql`UPDATE kept_answer SET answer = ${ERASED_RESPONSE}`)

/** Erases the content of responses but keeps the rows: a retry still learns that the call was carried out. */
export async function eraseStoredResponses(tx: Transaction): Promise<void> {
  await tx.run(ERASE)
}

const HAS_BEFORE = statement(() => sql`SELECT 1 FROM kept_answer WHERE created_at <= ${integer('since')} LIMIT 1`)

export async function hasStoredResponsesBefore(tx: Transaction, since: number): Promise<boolean> {
  return (await tx.get(HAS_BEFORE, { since })) !== undefined
}

const DELETE_BEFORE = statement(() => sql`DELETE FROM kept_answer WHERE created_at <= ${integer('since')}`)

/** Deletes the responses stored before `since`. */
export async function deleteStoredResponsesBefore(tx: Transaction, since: number): Promise<void> {
  await tx.run(DELETE_BEFORE, { since })
}

const STORE = insertInto(
  storedResponse,
  undefined,
  (dialect) => sql`${dialect.onConflict('link', 'key')} DO UPDATE SET call = excluded.call, answer = excluded.answer,
    created_at = excluded.created_at, number = excluded.number`,
)

export async function insertStoredResponse(tx: Transaction, row: StoredResponseRow): Promise<void> {
  await tx.run(STORE, row)
}
