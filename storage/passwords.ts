/** Queries on the passwords of participants. */

import { eq, sql } from 'drizzle-orm'
import { type PasswordRow, password } from './schema.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const passwordQuery = query((orm) =>
  orm
    .select()
    .from(password)
    .where(eq(password.participant, sql.placeholder('participant')))
    .prepare(),
)

export async function passwordOfParticipant(tx: Transaction, participant: number): Promise<PasswordRow | undefined> {
  return passwordQuery(tx).get({ participant })
}

export async function setPassword(tx: Transaction, row: PasswordRow): Promise<void> {
  tx.orm.insert(password).values(row).onConflictDoUpdate({ target: password.participant, set: row }).run()
}

export async function deletePassword(tx: Transaction, participant: number): Promise<void> {
  tx.orm.delete(password).where(eq(password.participant, participant)).run()
}
