/** Queries on the single row that identifies the space of a file. */

import { type SpaceRow, space } from './schema.ts'
import { insertInto, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const GET = statement<SpaceRow>(() => selectFrom(space))

/** The space of this file; undefined in a newly created file. */
export function getSpaceRow(tx: Transaction): Promise<SpaceRow | undefined> {
  return tx.get(GET)
}

const INSERT = insertInto(space)

export async function insertSpace(tx: Transaction, row: Omit<SpaceRow, 'n'>): Promise<void> {
  await tx.run(INSERT, { n: 1, ...row })
}
