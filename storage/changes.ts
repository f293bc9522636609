/** Detects changes in a space, made by any process. */

import { SYSTEM_DOCUMENTS } from './documents.ts'
import { boundValue, documentWithinReach, queryAll, type Reach, rawSql, sql } from './item-filter-sql.ts'
import type { Transaction } from './sqlite/connection.ts'

/** The numbers of documents changed by transactions after this one, in no particular order. */
export async function documentsChangedAfter(tx: Transaction, change: number): Promise<number[]> {
  return tx
    .sql<number>('SELECT n FROM document WHERE change_number > CAST(? AS INTEGER)')
    .pluck()
    .all(change) as number[]
}

/** A fingerprint of the documents, files and whiteboards listed within reach. It changes whenever the list changes. */
export async function listingState(tx: Transaction, reach: Reach): Promise<string> {
  const isListed = sql`place.location NOT IN (${rawSql(UNLISTED_LOCATIONS)}) AND ${documentWithinReach(reach)}`
  const row = queryAll(
    tx,
    sql`SELECT
      (SELECT json_group_array(n) FROM (SELECT place.n FROM document AS place WHERE ${isListed} ORDER BY place.n)) AS documents,
      (SELECT json_group_array(file) FROM (SELECT DISTINCT block_file.file FROM block_file
        CROSS JOIN block ON block.n = block_file.block CROSS JOIN document AS place ON place.n = block.document
        WHERE ${isListed} ORDER BY block_file.file)) AS files,
      (SELECT json_group_array(n) FROM (SELECT block.n FROM block CROSS JOIN document AS place ON place.n = block.document
        WHERE block.type = 'whiteboard' AND ${isListed} ORDER BY block.n)) AS boards`,
  )
  return JSON.stringify(row)
}

const UNLISTED_LOCATIONS = ['trash', ...SYSTEM_DOCUMENTS].map((location) => `'${location}'`).join(', ')

/** The IDs of the whiteboards in these documents. */
export async function whiteboardsIn(tx: Transaction, documents: readonly number[]): Promise<string[]> {
  const find = tx.sql<{ id: string }>(
    `SELECT block.id FROM json_each(?) AS one CROSS JOIN block ON block.document = one.value
     WHERE block.type = 'whiteboard'`,
  )
  return find.all(JSON.stringify(documents)).map(({ id }) => id)
}

export interface WhiteboardPlace {
  n: number
  id: string
  document: number
}

/** Whiteboards within reach and not in the trash, after the number `after`, oldest first. */
export async function whiteboardsAfter(
  tx: Transaction,
  reach: Reach,
  after: number,
  limit: number,
): Promise<WhiteboardPlace[]> {
  return queryAll<WhiteboardPlace>(
    tx,
    sql`SELECT block.n, block.id, block.document FROM block CROSS JOIN document AS place ON place.n = block.document
    WHERE block.type = 'whiteboard' AND block.n > ${boundValue(after)} AND place.location <> 'trash' AND ${documentWithinReach(reach)}
    ORDER BY block.n LIMIT ${boundValue(limit)}`,
  )
}
