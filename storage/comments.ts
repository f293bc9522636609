/** Queries on comments. */

import { type SQL, sql } from 'drizzle-orm'
import { documentWithinReach, type Reach } from './reach.ts'
import { type CommentRow, comment } from './schema.ts'
import {
  columnsOf,
  insertInto,
  integer,
  integerValue,
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
export type NewCommentRow = Pick<
  CommentRow,
  'id' | 'block' | 'author' | 'content' | 'createdAt' | 'unconfirmed' | 'thread' | 'words'
>

const INSERT = insertInto(comment, ['id', 'block', 'author', 'content', 'createdAt', 'unconfirmed', 'thread', 'words'])

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
    SELECT min(n) FROM comment WHERE block IN ${listOf(dialect, 'blocks', 'integer')} GROUP BY block, coalesce(thread, 0)) ORDER BY n`,
)

/** The first comment in each thread of these blocks. */
export function firstComments(tx: Transaction, blocks: readonly number[]): Promise<CommentRow[]> {
  return tx.all(FIRST_OF_BLOCKS, { blocks: jsonList(blocks) })
}

const COUNT_OF_DOCUMENTS = statement<{ count: number }>(
  (dialect) => sql`SELECT count(*) AS count FROM comment WHERE block IN (
    SELECT n FROM block WHERE document IN ${listOf(dialect, 'documents', 'integer')})`,
)

/** How many comments there are in documents. @param documents  their numbers */
export async function countComments(tx: Transaction, documents: readonly number[]): Promise<number> {
  return Number((await tx.get(COUNT_OF_DOCUMENTS, { documents: jsonList(documents) }))?.count ?? 0)
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

/** True if two comments on one block are in the same thread, as SQL. */
export const isSameThread = (one: string, other: string): SQL =>
  sql`coalesce(${sql.identifier(one)}.thread, 0) = coalesce(${sql.identifier(other)}.thread, 0)`

/** An open comment that may name somebody, and who wrote it. */
export interface OpenQuestion extends Pick<CommentRow, 'n' | 'content' | 'createdAt'> {
  /** The ID of the link that wrote it. */
  link: string
  document: number
}

/**
 * The newest comments of links within reach that are not resolved, that no one else has answered, and that may name a
 * member.
 */
export function openQuestions(tx: Transaction, reach: Reach, limit: number): Promise<OpenQuestion[]> {
  const find = statement<OpenQuestion>(
    (dialect) => sql`SELECT comment.n, comment.content, comment.created_at AS "createdAt", byte_count.link,
        block.document
      FROM comment ${dialect.thenJoin} byte_count ON byte_count.n = (SELECT written_range.writer FROM written_range
          WHERE written_range.tbl = 'comment' AND written_range.first <= comment.n
          ORDER BY written_range.first DESC LIMIT 1)
        ${dialect.thenJoin} block ON block.n = comment.block
        ${dialect.thenJoin} document AS place ON place.n = block.document
      WHERE comment.resolved_at IS NULL AND comment.content LIKE '%person:%' AND byte_count.link <> ''
        AND NOT EXISTS (SELECT 1 FROM comment AS later
          WHERE later.block = comment.block AND ${isSameThread('later', 'comment')} AND later.n > comment.n AND later.author <> comment.author)
        AND ${documentWithinReach(dialect, reach)}
      ORDER BY comment.n DESC LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

/** An open comment, and where it is. */
export interface OpenComment extends CommentRow {
  /** The ID of its block, and its text. */
  blockId: number
  text: string
  /** The number of its document. */
  document: number
  /** The ID of the oldest comment of its thread, which is that of the mark. */
  oldest: number
}

/** The newest open comments within reach. */
export function openComments(
  tx: Transaction,
  reach: Reach,
  { document, before, limit }: { document?: number | undefined; before?: number | undefined; limit: number },
): Promise<OpenComment[]> {
  const find = statement<OpenComment>(
    (dialect) => sql`SELECT ${columnsOf(comment)}, block.id AS "blockId", block.text, block.document,
        (SELECT oldest.id FROM comment AS oldest WHERE oldest.block = comment.block AND ${isSameThread('oldest', 'comment')}
          ORDER BY oldest.n LIMIT 1) AS oldest
      FROM comment ${dialect.thenJoin} block ON block.n = comment.block
        ${dialect.thenJoin} document AS place ON place.n = block.document
      WHERE comment.resolved_at IS NULL AND place.location <> 'trash' AND ${documentWithinReach(dialect, reach)}
        ${document === undefined ? sql`` : sql`AND block.document = ${integerValue(document)}`}
        ${before === undefined ? sql`` : sql`AND comment.n < ${integerValue(before)}`}
      ORDER BY comment.n DESC LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

/** A comment that waits for confirmation, and where it is. */
export interface UnconfirmedComment extends Pick<CommentRow, 'id' | 'author' | 'content'> {
  /** The ID of its block. */
  blockId: number
  /** The number of its document. */
  document: number
  /** Milliseconds since 1970. */
  at: number
}

/** The newest open comments within reach that wait for confirmation. */
export function unconfirmedComments(tx: Transaction, reach: Reach, limit: number): Promise<UnconfirmedComment[]> {
  const find = statement<UnconfirmedComment>(
    (dialect) => sql`SELECT comment.id, comment.author, comment.content, block.id AS "blockId", block.document,
        coalesce(comment.modified_at, comment.created_at) AS at
      FROM comment ${dialect.thenJoin} block ON block.n = comment.block
        ${dialect.thenJoin} document AS place ON place.n = block.document
      WHERE comment.unconfirmed = 1 AND comment.resolved_at IS NULL AND place.location <> 'trash'
        AND ${documentWithinReach(dialect, reach)}
      ORDER BY comment.n DESC LIMIT ${integerValue(limit)}`,
  )
  return tx.all(find)
}

const UPDATE = updateWhere(comment, ['content', 'modifiedAt', 'resolvedAt', 'resolvedBy', 'unconfirmed'])

export async function updateComments(tx: Transaction, rows: readonly CommentRow[]): Promise<void> {
  await tx.batch(UPDATE, rows)
  tx.words.noteChanged(rows.map(({ block }) => block))
}

const DELETE = statement((dialect) => sql`DELETE FROM comment WHERE n IN ${listOf(dialect, 'ns', 'integer')}`)

export async function deleteComments(tx: Transaction, rows: readonly CommentRow[]): Promise<void> {
  await tx.run(DELETE, { ns: jsonList(rows.map(({ n }) => n)) })
  tx.words.noteChanged(rows.map(({ block }) => block))
}
