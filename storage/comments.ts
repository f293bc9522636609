/** Queries on comments. */

import { sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { type CommentRow, comment } from './schema.ts'
import {
  columnsOf,
  insertInto,
  integer,
  jsonList,
  listOf,
  listOfValues,
  param,
  selectFrom,
  statement,
  updateWhere,
} from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A new comment, not changed or resolved yet. */
export type NewCommentRow = Pick<CommentRow, 'id' | 'block' | 'author' | 'content' | 'createdAt'>

const INSERT = insertInto(comment, ['id', 'block', 'author', 'content', 'createdAt'])

export async function insertComments(tx: Transaction, rows: readonly NewCommentRow[]): Promise<void> {
  await tx.batch(INSERT, rows)
  tx.words.noteChanged(rows.map(({ block }) => block))
}

const SET_RESOLVED = statement(
  () => sql`UPDATE comment SET resolved_at = ${param('resolvedAt')}, resolved_by = ${param('resolvedBy')}
    WHERE id = ${integer('id')}`,
)

/** Sets when comments were resolved, and by whom. */
export async function setCommentsResolved(
  tx: Transaction,
  rows: readonly Pick<CommentRow, 'id' | 'resolvedAt' | 'resolvedBy'>[],
): Promise<void> {
  await tx.batch(SET_RESOLVED, rows)
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

/** The comments with these IDs that are within reach, oldest first. */
export function commentsByIds(tx: Transaction, reach: Reach, ids: readonly number[]): Promise<CommentRow[]> {
  const find = statement<CommentRow>(
    (dialect) => sql`SELECT ${columnsOf(comment)} FROM comment
      ${dialect.thenJoin} block ON block.n = comment.block
      ${dialect.thenJoin} document AS place ON place.n = block.document
      WHERE comment.id IN ${listOfValues(dialect, ids, 'integer')} AND ${documentWithinReach(dialect, reach)}
      ORDER BY comment.n`,
  )
  return tx.all(find)
}

const UPDATE = updateWhere(comment, ['content', 'modifiedAt', 'resolvedAt', 'resolvedBy'])

export async function updateComments(tx: Transaction, rows: readonly CommentRow[]): Promise<void> {
  await tx.batch(UPDATE, rows)
  tx.words.noteChanged(rows.map(({ block }) => block))
}

const DELETE = statement((dialect) => sql`DELETE FROM comment WHERE n IN ${listOf(dialect, 'ns', 'integer')}`)

export async function deleteComments(tx: Transaction, rows: readonly CommentRow[]): Promise<void> {
  await tx.run(DELETE, { ns: jsonList(rows.map(({ n }) => n)) })
  tx.words.noteChanged(rows.map(({ block }) => block))
}
