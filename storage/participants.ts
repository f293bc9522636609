/** Queries on the participants of a space. */

import { sql } from 'drizzle-orm'
import { type ParticipantRow, participant } from './schema.ts'
import { insertInto, integer, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const ACTIVE = statement<ParticipantRow>(() => sql`${selectFrom(participant)} WHERE removed_at IS NULL ORDER BY n`)

/** Participants who have not been removed, oldest first. */
export function activeParticipants(tx: Transaction): Promise<ParticipantRow[]> {
  return tx.all(ACTIVE)
}

const NAME = statement<{ name: string }>(() => sql`SELECT name FROM participant WHERE n = ${integer('n')}`)

const SET_ACCESS = statement(() => sql`UPDATE participant SET access = ${param('access')} WHERE n = ${integer('n')}`)

/** Changes the most that the links of a participant allow, and those that they made. */
export async function setParticipantAccess(
  tx: Transaction,
  n: number,
  access: ParticipantRow['access'],
): Promise<void> {
  await tx.run(SET_ACCESS, { n, access })
}

/** The name of a participant, removed or not. */
export async function participantName(tx: Transaction, n: number): Promise<string | undefined> {
  return (await tx.get(NAME, { n }))?.name
}

const INSERT = insertInto(participant, ['id', 'name', 'createdAt'])

export async function insertParticipant(
  tx: Transaction,
  row: Omit<ParticipantRow, 'n' | 'removedAt' | 'access'>,
): Promise<void> {
  await tx.run(INSERT, row)
}

const REMOVE = statement(() => sql`UPDATE participant SET removed_at = ${param('now')} WHERE n = ${integer('n')}`)

export async function removeParticipant(tx: Transaction, n: number, now: number): Promise<void> {
  await tx.run(REMOVE, { n, now })
}
