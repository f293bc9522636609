/**
 * Comments on blocks, and on words in them. The tag of the first comment of a thread encloses what it is about; later
 * comments join the thread. Source: the interface, "Comments and connection info", and its shapes, 1 and
 * 4.
 */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import { commentsOfBlocks, insertComments, type NewCommentRow } from '../../../storage/comments.ts'
import type { BlockRow, CommentRow } from '../../../storage/schema.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { markedWords } from '../../markdown/comment-words.ts'
import { assertSafeText } from '../../markdown/unsafe-addresses.ts'
import { namedMembers } from '../members/named-members.ts'
import { canWrite } from '../model/access.ts'
import { visiblePlainText } from '../model/block-links.ts'
import { updateRows } from '../model/block-writes.ts'
import { formatTimestamp } from '../model/dates.ts'
import { type AnyId, idNumber } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { commentTagKeeper, keptWords, markThread, threadKey } from './comment-threads.ts'
import { findComments } from './find-comments.ts'

export interface NewComment {
  /** The block; absent for an answer. */
  blockId?: AnyId | undefined
  content: string
  /** The words of the block that it is about. They begin a thread of their own. */
  words?: string | undefined
  start?: number | undefined
  /** The comment that it answers, in whose thread it is. */
  commentId?: AnyId | undefined
}

export interface CommentAnswer {
  id: string
  author: string
  content: string
  createdAt: string
  modifiedAt?: string | undefined
  /** Present if the comment is resolved. */
  resolvedAt?: string | undefined
  resolvedBy?: string | undefined
  /** Present if it waits for somebody who may write to confirm it. */
  confirmed?: false | undefined
  /** For a thread about words: its first comment, as it was, and the words. */
  threadId?: string | undefined
  words?: string | undefined
  /** Present if the words are gone; `words` are those of the beginning then. */
  areWordsGone?: true | undefined
}

/**
 * @throws NOT_FOUND_ERROR that names the first ID without a block or a comment within reach; VALIDATION_ERROR if the
 *   text contains an address with an unsafe scheme such as `javascript:`, and for words that are not in the block, or
 *   stand there several times
 */
export async function addComments(space: Space, comments: readonly NewComment[]) {
  const answered = await findAnswered(space, comments)
  const blockIds = comments.flatMap(({ blockId, commentId }) => (commentId === undefined ? (blockId ?? []) : []))
  const rows = new Map((await space.getBlocks(blockIds)).map((row) => [row.id, row]))
  const texts = new Map([...rows.values()].map(({ n, text }) => [n, text]))
  for (const { content } of comments) assertSafeText(content)
  const ids = await space.newIds(comments.length)
  const added: NewCommentRow[] = []
  for await (const comment of iterateCooperatively(comments)) {
    const before = answered.get(idNumber(comment.commentId ?? 0))
    const row = before === undefined ? rows.get(idNumber(comment.blockId ?? 0)) : undefined
    const block = before?.block ?? row?.n
    if (block === undefined) throw new Error(`Expected block ${comment.blockId} among those found.`)
    const [id = 0, { content, words }] = [ids[added.length], comment]
    const isOnWords = row !== undefined && words !== undefined
    if (isOnWords) texts.set(row.n, markThread({ ...row, text: texts.get(row.n) ?? '' }, id, { ...comment, words }))
    const thread = isOnWords ? { thread: id, words: keptWords(words) } : { thread: null, words: null }
    added.push({
      ...{ id, block, author: space.link.author, content, createdAt: space.now },
      ...{ unconfirmed: await unconfirmedIn(space, content), ...(before ?? thread), block },
    })
  }
  await insertComments(space.tx, added)
  const known = new Set([...rows.values()].map(({ n }) => n))
  const others = [...new Set(added.map(({ block }) => block))].filter((n) => !known.has(n))
  const commented = [...rows.values(), ...(others.length > 0 ? await blocksByNumbers(space.tx, others) : [])]
  await markCommented(space, commented, texts)
  const items = added.map(({ id }) => ({ commentId: space.spellId(id) }))
  return { commentId: items[0]?.commentId ?? '', items }
}

/** The blocks and threads of the comments that these answer, by ID. */
async function findAnswered(space: Space, comments: readonly NewComment[]) {
  const ids = new Map(
    comments.flatMap(({ commentId }) => (commentId === undefined ? [] : [[idNumber(commentId), commentId]])),
  )
  const found = ids.size === 0 ? [] : await findComments(space, [...ids.values()])
  return new Map(found.map(({ id, block, thread, words }) => [id, { block, thread, words }]))
}

/**
 * 1 if a comment that the connection writes names members who are not called yet: it may not write, so somebody who may
 * has to confirm it.
 */
export const unconfirmedIn = async ({ link }: Space, content: string): Promise<1 | null> =>
  !canWrite(link) && (await namedMembers(content)).size > 0 ? 1 : null

/**
 * Marks what comments are about in the texts of the blocks, and changes the revisions of their documents.
 *
 * @param texts  texts with the marks of new threads, by the number of the block
 */
export async function markCommented(
  space: Space,
  rows: readonly BlockRow[],
  texts: ReadonlyMap<number, string> = new Map(),
): Promise<void> {
  const preserveTag = await commentTagKeeper(space, rows)
  const tagged = rows.flatMap((row) => {
    const text = preserveTag(row, texts.get(row.n) ?? row.text)
    return text === row.text ? [] : [{ ...row, text }]
  })
  await updateRows(space, tagged)
  await space.markChanged(...rows.map(({ document }) => document))
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
  return ({ n, text }) => {
    const all = byBlock.get(n) ?? []
    const wordsOf = threadWords(text, all)
    return all.map((comment) => ({
      ...commentAnswer(space, comment, visible.text(comment.content)),
      ...(comment.thread !== null && { threadId: space.spellId(comment.thread), ...wordsOf(comment) }),
    }))
  }
}

/** The words that the threads of a block are about, as they stand in its text now. */
export function threadWords(text: string, comments: readonly CommentRow[]) {
  const known = new Map<string, Pick<CommentAnswer, 'words' | 'areWordsGone'>>()
  for (const comment of comments) {
    const key = threadKey(comment)
    // The oldest one's ID is that of the mark.
    if (comment.words === null || known.has(key)) continue
    const marked = markedWords(text, String(comment.id))
    known.set(key, marked === undefined ? { words: comment.words, areWordsGone: true } : { words: keptWords(marked) })
  }
  return (comment: CommentRow) => known.get(threadKey(comment))
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
