/** The single row that identifies the space of a file. */

import { type SpaceRow, space } from './schema.ts'
import type { Transaction } from './sqlite/connection.ts'

/** The space of this file; undefined in a newly created file. */
export async function getSpaceRow(tx: Transaction): Promise<SpaceRow | undefined> {
  // Read at every start, and drizzle takes several milliseconds to build the first query of a process.
  return tx.sql<SpaceRow>('SELECT n, id, name, timezone, secret, created_at AS createdAt FROM space').get()
}

export async function insertSpace(tx: Transaction, row: Omit<SpaceRow, 'n'>): Promise<void> {
  tx.orm
    .insert(space)
    .values({ n: 1, ...row })
    .run()
}
