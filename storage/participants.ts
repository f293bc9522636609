/** Queries on the participants of a space. */

import { eq } from 'drizzle-orm'
import { selectColumns } from './columns.ts'
import { type ParticipantRow, participant } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

const ACTIVE = `${selectColumns(participant)} WHERE removed_at IS NULL ORDER BY n`

/** Participants who have not been removed, oldest first. */
export async function activeParticipants(tx: Transaction): Promise<ParticipantRow[]> {
  return tx.sql<ParticipantRow>(ACTIVE).all()
}

export async function insertParticipant(tx: Transaction, row: Omit<ParticipantRow, 'n' | 'removedAt'>): Promise<void> {
  tx.orm.insert(participant).values(row).run()
}

export async function removeParticipant(tx: Transaction, n: number, now: number): Promise<void> {
  tx.orm.update(participant).set({ removedAt: now }).where(eq(participant.n, n)).run()
}
