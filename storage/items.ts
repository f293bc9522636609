/** Queries on items, the children of a collection's block, in order. */

import { sql } from 'drizzle-orm'
import { type BlockRow, block } from './schema.ts'
import { integer, param, selectFrom, statement } from './statement.ts'
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

/** The number of items after a position; by default, of all items. */
export async function countItems(
  tx: Transaction,
  { document, n }: Pick<BlockRow, 'document' | 'n'>,
  position = Number.MIN_SAFE_INTEGER,
): Promise<number> {
  return (await tx.get(COUNT, { document, parent: n, position }))?.count ?? 0
}
