/** Queries on tags. The word index maintains their table, since it reads every text that changes. */

import { type SQL, sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { SYSTEM_DOCUMENTS } from './schema.ts'
import { integerValue, quoted, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/**
 * Condition on rows of `block_tag` and `block`: front matter is the first block of a document, and only counts there,
 * wherever the block has been moved.
 */
const COUNTS = sql`(block_tag.is_property = 0 OR block.parent = block.document AND NOT EXISTS (
  SELECT 1 FROM block AS earlier WHERE earlier.document = block.document AND earlier.parent = block.document
    AND earlier.position < block.position))`

/** Conditions on a document's number: the document has each of these tags. */
export const documentHasTags = (document: SQL, tags: readonly string[]): SQL[] =>
  tags.map(
    (tag) => sql`${document} IN (SELECT block.document FROM block_tag INNER JOIN block ON block.n = block_tag.block
      WHERE block_tag.tag = ${tag} AND ${COUNTS})`,
  )

/** Conditions on a block's number: the block has each of these tags in its text. */
export const blockHasTags = (block: SQL, tags: readonly string[]): SQL[] =>
  tags.map((tag) => sql`${block} IN (SELECT block_tag.block FROM block_tag WHERE block_tag.tag = ${tag})`)

/** A tag, and how much there is of it within reach. */
export interface TagCount {
  /** In the form in which tags are compared. */
  tag: string
  /** As it is written somewhere. */
  name: string
  /** Documents with the tag, or one within it, outside of the trash. The inbox and the logbook are none. */
  documents: number
  /** Open tasks with the tag, or one within it. */
  tasks: number
}

/** The tags within reach, in order, after a given one: at most `limit`. The trash does not count. */
export function listTagCounts(tx: Transaction, reach: Reach, after: string, limit: number): Promise<TagCount[]> {
  const find = statement<TagCount>((dialect) => {
    const isDocument = sql`place.location NOT IN (${quoted(SYSTEM_DOCUMENTS)})`
    return sql`SELECT block_tag.tag, min(block_tag.name) AS name,
        count(DISTINCT CASE WHEN ${isDocument} THEN block.document END) AS documents,
        count(CASE WHEN block.task_open = 1 THEN 1 END) AS tasks
      FROM block_tag INNER JOIN block ON block.n = block_tag.block
        INNER JOIN document AS place ON place.n = block.document
      WHERE block_tag.tag > ${after} AND place.location <> 'trash' AND ${documentWithinReach(dialect, reach)} AND ${COUNTS}
      GROUP BY block_tag.tag ORDER BY block_tag.tag LIMIT ${integerValue(limit)}`
  })
  return tx.all(find)
}
