/** Queries on the passwords of participants. */

import { sql } from 'drizzle-orm'
import { type PasswordRow, password } from './schema.ts'
import { insertInto, integer, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const GET = statement<PasswordRow>(() => sql`${selectFrom(password)} WHERE participant = ${integer('participant')}`)

export function passwordOfParticipant(tx: Transaction, participant: number): Promise<PasswordRow | undefined> {
  return tx.get(GET, { participant })
}

const SET = insertInto(
  password,
  undefined,
  (dialect) =>
    sql`${dialect.onConflict('participant')} DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at`,
)

export async function setPassword(tx: Transaction, row: PasswordRow): Promise<void> {
  await tx.run(SET, row)
}

const DELETE = statement(() => sql`DELETE FROM password WHERE participant = ${integer('participant')}`)

export async function deletePassword(tx: Transaction, participant: number): Promise<void> {
  await tx.run(DELETE, { participant })
}
