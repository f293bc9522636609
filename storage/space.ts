/** The one row that says which space a file holds. */
import { query, type Transaction } from './connection.ts'
import { type SpaceRow, space } from './schema.ts'

const only = query((orm) => orm.select().from(space).prepare())

/** The space of this file; none in a file that was just made. */
export async function spaceRow(tx: Transaction): Promise<SpaceRow | undefined> {
  return only(tx).get()
}

export async function insertSpace(tx: Transaction, row: Omit<SpaceRow, 'n'>): Promise<void> {
  tx.orm
    .insert(space)
    .values({ n: 1, ...row })
    .run()
}
