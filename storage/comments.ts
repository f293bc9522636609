/** Queries on comments. */

import { sql } from 'drizzle-orm'
import { type CommentRow, comment } from './schema.ts'
import { insertInto, jsonList, listOf, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const INSERT = insertInto(comment, ['id', 'block', 'author', 'content', 'createdAt'])

export async function insertComments(tx: Transaction, rows: readonly Omit<CommentRow, 'n'>[]): Promise<void> {
  await tx.batch(INSERT, rows)
  tx.words.noteChanged(rows.map(({ block }) => block))
}

const OF_BLOCKS = statement<CommentRow>(
  (dialect) => sql`${selectFrom(comment)} WHERE block IN ${listOf(dialect, 'blocks', 'integer')} ORDER BY n`,
)

/** The comments on these blocks, oldest first. */
export function commentsOfBlocks(tx: Transaction, blocks: readonly number[]): Promise<CommentRow[]> {
  return tx.all(OF_BLOCKS, { blocks: jsonList(blocks) })
}

const FIRST_OF_BLOCKS = statement<CommentRow>(
  (dialect) => sql`${selectFrom(comment)} WHERE n IN (
    SELECT min(n) FROM comment WHERE block IN ${listOf(dialect, 'blocks', 'integer')} GROUP BY block) ORDER BY n`,
)

/** The first comment in the thread of each of these blocks. */
export function firstComments(tx: Transaction, blocks: readonly number[]): Promise<CommentRow[]> {
  return tx.all(FIRST_OF_BLOCKS, { blocks: jsonList(blocks) })
}
