/** Queries on items, the children of a collection's block, in order. */

import { sql } from 'drizzle-orm'
import { type BlockRow, block } from './schema.ts'
import { integer, jsonList, param, rowsOf, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const ITEMS_AFTER = sql`WHERE document = ${integer('document')} AND parent = ${integer('parent')}
  AND position > ${param('position')}`

const LIST = statement<BlockRow>(
  () => sql`${selectFrom(block)} ${ITEMS_AFTER} ORDER BY position, n LIMIT ${integer('limit')}`,
)

/** The first items after a position. */
export function itemsAfter(
  tx: Transaction,
  { document, n }: Pick<BlockRow, 'document' | 'n'>,
  position: number,
  limit: number,
): Promise<BlockRow[]> {
  return tx.all(LIST, { document, parent: n, position, limit })
}

const COUNT = statement<{ count: number }>(() => sql`SELECT count(*) AS count FROM block ${ITEMS_AFTER}`)

const COUNT_OF = statement<{ n: number; count: number }>(
  (dialect) => sql`SELECT collection.n, count(item.n) AS count
    FROM ${rowsOf(dialect, 'ns', 'integer')} AS one ${dialect.thenJoin} block AS collection ON collection.n = one.value
      ${dialect.thenJoin} block AS item ON item.document = collection.document AND item.parent = collection.n
    GROUP BY collection.n ORDER BY collection.n`,
)

/** How many items each of these collections has, by number. Those without items are missing. */
export async function countItemsOf(
  tx: Transaction,
  collections: readonly { n: number }[],
): Promise<Map<number, number>> {
  const counts = await tx.all(COUNT_OF, { ns: jsonList(collections.map(({ n }) => n)) })
  return new Map(counts.map(({ n, count }) => [n, count]))
}

/** The number of items after a position; by default, of all items. */
export async function countItems(
  tx: Transaction,
  { document, n }: Pick<BlockRow, 'document' | 'n'>,
  position = Number.MIN_SAFE_INTEGER,
): Promise<number> {
  return (await tx.get(COUNT, { document, parent: n, position }))?.count ?? 0
}
