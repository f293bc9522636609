/** Queries on items, the children of a collection's block, in order. */

import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { type BlockRow, block } from './schema.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const param = sql.placeholder

const itemsAfterQuery = query((orm) =>
  orm
    .select()
    .from(block)
    .where(
      and(
        eq(block.document, param('document')),
        eq(block.parent, param('parent')),
        gt(block.position, param('position')),
      ),
    )
    .orderBy(asc(block.position))
    .limit(param('limit'))
    .prepare(),
)

/** The first items after a position. */
export async function itemsAfter(
  tx: Transaction,
  { document, n }: Pick<BlockRow, 'document' | 'n'>,
  position: number,
  limit: number,
): Promise<BlockRow[]> {
  return itemsAfterQuery(tx).all({ document, parent: n, position, limit })
}

/** The number of items after a position; by default, of all items. */
export async function countItems(
  tx: Transaction,
  { document, n }: Pick<BlockRow, 'document' | 'n'>,
  position = Number.MIN_SAFE_INTEGER,
): Promise<number> {
  const count = tx.sql<{ count: number }>(
    `SELECT count(*) AS count FROM block
     WHERE document = CAST(? AS INTEGER) AND parent = CAST(? AS INTEGER) AND position > ?`,
  )
  return count.get(document, n, position)?.count ?? 0
}
