/** Who takes part in the space. */
import { query, type Transaction } from './connection.ts'
import { asc, eq, isNull } from './drizzle.ts'
import { type ParticipantRow, participant } from './schema.ts'

const active = query((orm) =>
  orm.select().from(participant).where(isNull(participant.removedAt)).orderBy(asc(participant.n)).prepare(),
)

/** Those who have not left, in the order they came. */
export async function activeParticipants(tx: Transaction): Promise<ParticipantRow[]> {
  return active(tx).all()
}

export async function insertParticipant(tx: Transaction, row: Omit<ParticipantRow, 'n' | 'removedAt'>): Promise<void> {
  tx.orm.insert(participant).values(row).run()
}

export async function removeParticipant(tx: Transaction, n: number, now: number): Promise<void> {
  tx.orm.update(participant).set({ removedAt: now }).where(eq(participant.n, n)).run()
}
