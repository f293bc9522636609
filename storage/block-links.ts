/** Queries on links between blocks. The word index maintains their table, since it reads every text that changes. */

import { sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { integer, integerValue, jsonList, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A block that links to another block. */
export interface BacklinkRecord {
  /** The ID of the block that it links to. */
  target: number
  id: number
  /** The number of the document that contains the linking block. */
  document: number
}

/**
 * The blocks within reach and not in the trash that link to these IDs: for each ID at most `limit`, newest first. A
 * value of type `blockLink` counts as a link from its item.
 */
export function linksTo(
  tx: Transaction,
  reach: Reach,
  targets: readonly number[],
  limit: number,
): Promise<BacklinkRecord[]> {
  const find = statement<BacklinkRecord>((dialect) => {
    const { thenJoin, thenLookUp } = dialect
    const one = sql`${rowsOf(dialect, 'targets', 'integer')} AS one`
    return sql`SELECT target, id, document FROM (
        SELECT link.*, block.id, block.document, row_number() OVER (PARTITION BY link.place ORDER BY link.n DESC) AS rank
        FROM (
          SELECT one.id AS place, one.value AS target, block_link.block AS n
          FROM ${one} ${thenJoin} block_link ON block_link.target = one.value
          UNION SELECT one.id, one.value, value.item
          FROM ${one} ${thenJoin} block ON block.id = one.value ${thenJoin} value ON value.target = block.n
            ${thenJoin} property ON property.n = value.property
          WHERE property.type = 'blockLink'
        ) AS link
        ${thenLookUp('block', 'block', sql`block.n = link.n`)}
        ${thenLookUp('document', 'place', sql`place.n = block.document`)}
        WHERE place.location <> 'trash' AND ${documentWithinReach(dialect, reach)}
      ) AS ranked
      WHERE rank <= ${integerValue(limit)} ORDER BY place, n DESC`
  })
  return tx.all(find, { targets: jsonList(targets) })
}

const TARGETS = statement<{ target: number }>(
  () => sql`SELECT DISTINCT target FROM block_link WHERE target > ${integer('after')}
    ORDER BY target LIMIT ${integer('limit')}`,
)

/**
 * IDs that blocks link to, including IDs that no block has: at most `limit` of them, in ascending order, above `after`.
 */
export async function linkedTargets(tx: Transaction, after: number, limit: number): Promise<number[]> {
  return (await tx.all(TARGETS, { after, limit })).map(({ target }) => target)
}
