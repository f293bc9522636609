/**
 * Comments on blocks. All comments on one block form a thread. The tag of the first comment encloses the text of the
 * block; later comments join the thread. Source: the interface, "Comments and connection info", and its shapes, 1 and
 * 4.
 */

import { commentsOfBlocks, firstComments, insertComments, type NewCommentRow } from '../../../storage/comments.ts'
import type { BlockRow, CommentRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { hasComment, withComment } from '../../markdown/comment-tags.ts'
import { assertSafeText } from '../../markdown/unsafe-addresses.ts'
import { namedMembers } from '../members/named-members.ts'
import { canWrite } from '../model/access.ts'
import { visiblePlainText } from '../model/block-links.ts'
import { updateRows } from '../model/block-writes.ts'
import { formatTimestamp } from '../model/dates.ts'
import { type AnyId, idNumber } from '../model/ids.ts'
import type { Space } from '../model/space.ts'

export interface NewComment {
  blockId: AnyId
  content: string
}

export interface CommentAnswer {
  id: string
  author: string
  content: string
  createdAt: string
  modifiedAt?: string
  /** Present if the comment is resolved. */
  resolvedAt?: string
  resolvedBy?: string
  /** Present if it waits for somebody who may write to confirm it. */
  confirmed?: false
}

/**
 * @throws NOT_FOUND_ERROR that names the first ID without a block within reach; VALIDATION_ERROR if the text contains
 *   an address with an unsafe scheme such as `javascript:`
 */
export async function addComments(space: Space, comments: readonly NewComment[]) {
  const rows = new Map((await space.getBlocks(comments.map(({ blockId }) => blockId))).map((row) => [row.id, row]))
  for (const { content } of comments) assertSafeText(content)
  const ids = await space.newIds(comments.length)
  const items: { commentId: string }[] = []
  const added: NewCommentRow[] = []
  for await (const { blockId, content } of iterateCooperatively(comments)) {
    const row = rows.get(idNumber(blockId))
    if (row === undefined) throw new Error(`Expected block ${blockId} among those found.`)
    const commentId = ids[added.length] ?? 0
    const { author } = space.link
    const unconfirmed = await unconfirmedIn(space, content)
    added.push({ id: commentId, block: row.n, author, content, createdAt: space.now, unconfirmed })
    items.push({ commentId: space.spellId(commentId) })
  }
  await insertComments(space.tx, added)
  await markCommented(space, [...rows.values()])
  return { commentId: items[0]?.commentId ?? '', items }
}

/**
 * 1 if a comment that the connection writes names members who are not called yet: it may not write, so somebody who may
 * has to confirm it.
 */
export const unconfirmedIn = async ({ link }: Space, content: string): Promise<1 | null> =>
  !canWrite(link) && (await namedMembers(content)).size > 0 ? 1 : null

/** Adds comment tags to the texts of the blocks, and changes the revisions of their documents. */
export async function markCommented(space: Space, rows: readonly BlockRow[]): Promise<void> {
  const preserveTag = await commentTagKeeper(space, rows)
  const tagged = rows.filter((row) => preserveTag(row, row.text) !== row.text)
  for (const row of tagged) row.text = preserveTag(row, row.text)
  await updateRows(space, tagged)
  await space.markChanged(...rows.map(({ document }) => document))
}

/** Returns the text of a block after a change, including the tag of its comments. */
export type CommentTagKeeper = (row: BlockRow, text: string) => string

/**
 * Prepares to keep the comment tags of these blocks when their texts change. If a new text lacks the tag of the block's
 * comments, the tag is put around all of it, so that editing a block never loses its thread.
 */
export async function commentTagKeeper(space: Space, rows: readonly BlockRow[]): Promise<CommentTagKeeper> {
  const inline = rows.filter(({ type }) => traitsOf(type).marksComments)
  const comments =
    inline.length === 0
      ? []
      : await firstComments(
          space.tx,
          inline.map(({ n }) => n),
        )
  const threads = new Map(comments.map(({ block, id }) => [block, String(id)]))
  const roots = inline.filter(({ n, parent }) => parent === null && threads.has(n))
  const documents = await space.documentRows(roots.map(({ document }) => document))
  return ({ n, parent, document }, text) => {
    const thread = threads.get(n)
    if (thread === undefined || hasComment(text, thread)) return text
    // The title of a daily note must be just its day, so it gets no tag.
    const isDailyNote = parent === null && documents.get(document)?.location === 'daily_notes'
    return isDailyNote ? text : withComment(text, thread)
  }
}

/** Like {@link commentTagKeeper}, for one block. */
export async function preserveCommentTag(space: Space, row: BlockRow, text: string): Promise<string> {
  return (await commentTagKeeper(space, [row]))(row, text)
}

/** Reads the comments on these blocks, oldest first. */
export async function getComments(
  space: Space,
  rows: readonly BlockRow[],
): Promise<(row: BlockRow) => CommentAnswer[]> {
  const comments = await commentsOfBlocks(
    space.tx,
    rows.map(({ n }) => n),
  )
  const visible = await visiblePlainText(
    space,
    comments.map(({ content }) => content),
  )
  const byBlock = Map.groupBy(comments, ({ block }) => block)
  return ({ n }) =>
    (byBlock.get(n) ?? []).map((comment) => commentAnswer(space, comment, visible.text(comment.content)))
}

/** @param content  with addresses out of reach hidden */
export function commentAnswer(
  space: Space,
  { id, author, createdAt, modifiedAt, resolvedAt, resolvedBy, unconfirmed }: CommentRow,
  content: string,
): CommentAnswer {
  return {
    id: space.spellId(id),
    author,
    content,
    createdAt: formatTimestamp(createdAt),
    ...(modifiedAt !== null && { modifiedAt: formatTimestamp(modifiedAt) }),
    ...(resolvedAt !== null && { resolvedAt: formatTimestamp(resolvedAt) }),
    ...(resolvedBy !== null && { resolvedBy }),
    ...(unconfirmed === 1 && { confirmed: false as const }),
  }
}
