/** The one row that says which space a file holds. */

import { type SpaceRow, space } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

/** The space of this file; none in a file that was just made. */
export async function spaceRow(tx: Transaction): Promise<SpaceRow | undefined> {
  // Each start asks for it, and drizzle takes some milliseconds to build the first query of a process.
  return tx.sql<SpaceRow>('SELECT n, id, name, timezone, secret, created_at AS createdAt FROM space').get()
}

export async function insertSpace(tx: Transaction, row: Omit<SpaceRow, 'n'>): Promise<void> {
  tx.orm
    .insert(space)
    .values({ n: 1, ...row })
    .run()
}
