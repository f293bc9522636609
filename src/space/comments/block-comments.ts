/**
 * Comments on blocks. Those on one block are a thread: the first one's tag stands around the block's text, the further
 * ones join it. Source: the interface, "Comments and connection info", and its shapes, 1 and 4.
 */

import { commentsOfBlocks, firstComments, insertComments } from '../../../storage/comments.ts'
import { documentByNumber } from '../../../storage/documents.ts'
import type { BlockRow, CommentRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { hasComment, withComment } from '../../markdown/comment-tags.ts'
import { assertSafeText } from '../../markdown/unsafe-addresses.ts'
import { visiblePlainText } from '../model/block-links.ts'
import { updateRow } from '../model/block-writes.ts'
import { formatTimestamp } from '../model/dates.ts'
import type { Space } from '../model/space.ts'

export interface NewComment {
  blockId: string
  content: string
}

export interface CommentAnswer {
  id: string
  author: string
  content: string
  createdAt: string
}

/** @throws NOT_FOUND_ERROR that names the first ID without a block within reach; VALIDATION_ERROR for an address that runs something */
export async function addComments(space: Space, comments: readonly NewComment[]) {
  const rows = new Map((await space.getBlocks(comments.map(({ blockId }) => blockId))).map((row) => [row.id, row]))
  for (const { content } of comments) assertSafeText(content)
  const items: { commentId: string }[] = []
  const added: Omit<CommentRow, 'n'>[] = []
  for await (const { blockId, content } of iterateCooperatively(comments)) {
    const row = rows.get(blockId)
    if (row === undefined) throw new Error(`Expected block ${blockId} among those found.`)
    const commentId = space.newId()
    const { author } = space.link
    added.push({ id: commentId, block: row.n, author, content, createdAt: space.now })
    items.push({ commentId })
  }
  await insertComments(space.tx, added)
  for await (const row of iterateCooperatively(rows.values())) await markCommented(space, row)
  return { commentId: items[0]?.commentId ?? '', items }
}

/** Show in the text that the block has comments, and in its document's revision that there is something new to read. */
async function markCommented(space: Space, row: BlockRow): Promise<void> {
  const text = await preserveCommentTag(space, row, row.text)
  if (text !== row.text) {
    row.text = text
    await updateRow(space, row)
  }
  await space.markChanged(row.document)
}

/** What has inline text for a tag to stand in. */
const TYPES_WITH_INLINE_TEXT: ReadonlySet<string> = new Set(['text', 'page', 'collectionItem'])

/**
 * A block's text after a change, with the tag of its comments. Where the new text lacks it the tag stands around all
 * of it: a thread is never lost by editing what it is about.
 */
export async function preserveCommentTag(space: Space, row: BlockRow, text: string): Promise<string> {
  if (!TYPES_WITH_INLINE_TEXT.has(row.type)) return text
  const [thread] = await firstComments(space.tx, [row.n])
  if (thread === undefined || hasComment(text, thread.id) || (await isDailyNote(space, row))) return text
  return withComment(text, thread.id)
}

/** The title of a daily note is its day, and nothing else. */
async function isDailyNote({ tx }: Space, { parent, document }: BlockRow): Promise<boolean> {
  return parent === null && (await documentByNumber(tx, document))?.location === 'daily_notes'
}

/** The comments on each of these blocks, the oldest first. */
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
    (byBlock.get(n) ?? []).map(({ id, author, content, createdAt }) => {
      return { id, author, content: visible.text(content), createdAt: formatTimestamp(createdAt) }
    })
}
