/** Queries on links between blocks. The index of words keeps the table, since it reads every text that changes. */

import { sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { integerValue, jsonList, rowsOf, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A block with a link to another. */
export interface BacklinkRecord {
  /** The ID of the other. */
  target: number
  id: number
  /** The number of its document. */
  document: number
}

/**
 * The blocks within reach, outside of the trash, that link to these IDs: for each ID the newest, at most `limit`. Values of
 * type `blockLink` are links of their item.
 */
export function linksTo(
  tx: Transaction,
  reach: Reach,
  targets: readonly number[],
  limit: number,
): Promise<BacklinkRecord[]> {
  const find = statement<BacklinkRecord>(
    (dialect) => sql`SELECT one.value AS target, source.id, source.document
      FROM ${rowsOf(dialect, 'targets', 'integer')} AS one ${dialect.thenJoin} block AS source ON source.n IN (
        SELECT link.block FROM (
          SELECT block FROM block_link WHERE target = one.value
          UNION SELECT value.item FROM block ${dialect.thenJoin} value ON value.target = block.n
            ${dialect.thenJoin} property ON property.n = value.property
            WHERE block.id = one.value AND property.type = 'blockLink'
        ) AS link
        ${dialect.thenJoin} block ON block.n = link.block
        ${dialect.thenJoin} document AS place ON place.n = block.document
        WHERE place.location <> 'trash' AND ${documentWithinReach(dialect, reach)}
        ORDER BY link.block DESC LIMIT ${integerValue(limit)}
      )
      ORDER BY one.id, source.n DESC`,
  )
  return tx.all(find, { targets: jsonList(targets) })
}
