/** Collections: the rows beside their blocks. */
import { query, type Transaction } from './connection.ts'
import { eq, sql } from './drizzle.ts'
import { type CollectionRow, collection } from './schema.ts'

const byNumber = query((orm) =>
  orm
    .select()
    .from(collection)
    .where(eq(collection.n, sql.placeholder('n')))
    .prepare(),
)

/** The collection that the block of this number is. */
export async function collectionByNumber(tx: Transaction, n: number): Promise<CollectionRow | undefined> {
  return byNumber(tx).get({ n })
}

export async function insertCollection(tx: Transaction, row: CollectionRow): Promise<void> {
  tx.orm.insert(collection).values(row).run()
}

/** Name the column of titles. */
export async function setTitleName(tx: Transaction, n: number, titleName: string): Promise<void> {
  tx.orm.update(collection).set({ titleName }).where(eq(collection.n, n)).run()
}
