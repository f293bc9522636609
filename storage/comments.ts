/** Queries on comments. */

import { asc, eq, inArray, sql } from 'drizzle-orm'
import { type CommentRow, comment } from './schema.ts'
import { noteChanged } from './search/word-index.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const param = sql.placeholder

const firstCommentQuery = query((orm) =>
  orm
    .select()
    .from(comment)
    .where(eq(comment.block, param('block')))
    .orderBy(asc(comment.n))
    .limit(1)
    .prepare(),
)
const commentsQuery = query((orm) =>
  orm
    .select()
    .from(comment)
    .where(inArray(comment.block, sql`(SELECT value FROM json_each(${param('blocks')}))`))
    .orderBy(asc(comment.n))
    .prepare(),
)

export async function insertComment(tx: Transaction, row: Omit<CommentRow, 'n'>): Promise<void> {
  tx.orm.insert(comment).values(row).run()
  noteChanged(tx, [row.block])
}

/** The first comment in the thread of a block. */
export async function firstComment(tx: Transaction, block: number): Promise<CommentRow | undefined> {
  return firstCommentQuery(tx).get({ block })
}

/** The comments on these blocks, oldest first. */
export async function commentsOfBlocks(tx: Transaction, blocks: readonly number[]): Promise<CommentRow[]> {
  return commentsQuery(tx).all({ blocks: JSON.stringify(blocks) })
}
