/**
 * A call that answers a comment resolves its thread, together with what else it changes: at once, or when the proposal
 * that it became is approved. One undo takes both back.
 */
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { commentsOfBlocks, setCommentsResolved } from '../../../storage/comments.ts'
import type { CommentRow } from '../../../storage/schema.ts'
import { invalid } from '../../base/errors.ts'
import type { GivenId } from '../model/ids.ts'
import type { Space } from '../model/space.ts'
import { findComments } from './find-comments.ts'

/** The comment that a call answers, as it was before the call. */
export interface AnsweredComment {
  given: GivenId
  comment: CommentRow
  /** The number of its document. */
  document: number
}

/** @throws NOT_FOUND_ERROR if it is not the ID of a comment within reach */
export async function findAnsweredComment(space: Space, given: GivenId): Promise<AnsweredComment> {
  const [comment] = await findComments(space, [given])
  const [block] = comment === undefined ? [] : await blocksByNumbers(space.tx, [comment.block])
  if (comment === undefined || block === undefined) throw new Error(`Expected the comment ${given} and its block.`)
  return { given, comment, document: block.document }
}

/**
 * Resolves the comment, those before it in its thread, and what the caller itself wrote there. What others wrote after
 * it stays open. If the call has deleted the block, its thread is gone with it.
 *
 * @throws VALIDATION_ERROR if the call has not changed the document of the comment
 */
export async function resolveAnsweredComment(space: Space, answered: AnsweredComment): Promise<void> {
  const { given, document } = answered
  if (!space.hasChanged(document)) {
    throw invalid(
      `Expected answers to name a comment in a document that the call changes, found ${given}, which is in another; leave it out, and resolve the comment with comments_update.`,
    )
  }
  await resolveThread(space, answered)
}

/** Resolves the thread of a comment up to it, whatever else was changed. */
export async function resolveThread(space: Space, { comment }: AnsweredComment): Promise<void> {
  const { author } = space.link
  const thread = (await commentsOfBlocks(space.tx, [comment.block])).filter((one) => one.thread === comment.thread)
  const resolved = thread.filter((one) => one.resolvedAt === null && (one.n <= comment.n || one.author === author))
  await setCommentsResolved(
    space.tx,
    resolved.map(({ id }) => ({ id, resolvedAt: space.now, resolvedBy: author })),
  )
}
