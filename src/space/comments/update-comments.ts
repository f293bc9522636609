/** Changes, resolves and deletes comments. This extends the interface, in its style. */

import { blocksByNumbers } from '../../../storage/blocks.ts'
import * as stored from '../../../storage/comments.ts'
import type { BlockRow, CommentRow } from '../../../storage/schema.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { traitsOf } from '../../markdown/block-traits.ts'
import { replaceComment } from '../../markdown/comment-tags.ts'
import { restorePlainLinks } from '../../markdown/text-addresses.ts'
import { assertSafeText } from '../../markdown/unsafe-addresses.ts'
import { assertDeletionAllowed, mayDecide } from '../model/access.ts'
import { updateRows } from '../model/block-writes.ts'
import type { AnyId } from '../model/ids.ts'
import { InputErrors } from '../model/input-errors.ts'
import { checkUnchanged } from '../model/read-only.ts'
import type { Space } from '../model/space.ts'
import { commentAnswer, unconfirmedIn } from './block-comments.ts'
import { threadKey } from './comment-threads.ts'
import { findComments } from './find-comments.ts'

export interface CommentUpdate {
  commentId: AnyId
  content?: string | undefined
  /** False reopens the comment. */
  resolved?: boolean | undefined
  delete?: boolean | undefined
  /** True calls the members whom the comment of an author names who may not write. */
  confirmed?: boolean | undefined
  /** These fields are only accepted with the values that were read. */
  author?: unknown
  createdAt?: unknown
  modifiedAt?: unknown
  resolvedAt?: unknown
  resolvedBy?: unknown
}

const READ_ONLY = ['author', 'createdAt', 'modifiedAt', 'resolvedAt', 'resolvedBy'] as const

/**
 * Anyone who may write to a block may resolve its comments. Only the author of a comment may change or delete it.
 *
 * @throws NOT_FOUND_ERROR if an ID is not that of a comment within reach; VALIDATION_ERROR if the call changes another
 *   author's comment, names a comment twice, or contains an address with an unsafe scheme; FORBIDDEN if the call
 *   deletes and the link may not delete
 */
export async function updateComments(space: Space, updates: readonly CommentUpdate[]) {
  const comments = await findComments(
    space,
    updates.map(({ commentId }) => commentId),
  )
  const deletedCount = updates.filter((update) => update.delete).length
  assertDeletionAllowed(space.link, deletedCount, {
    expected: 'comments to change or resolve',
    found: `${deletedCount} to delete`,
    instead: 'resolve them',
  })
  await checkFieldsAsRead(space, updates, comments)
  const changed: CommentRow[] = []
  const deleted: CommentRow[] = []
  for (const [index, update] of updates.entries()) {
    const comment = comments[index]
    if (comment === undefined) throw new Error('Expected a comment for each update.')
    const content = update.content === undefined ? comment.content : restorePlainLinks(update.content, comment.content)
    if (update.delete || content !== comment.content) assertOwn(space, comment, update)
    if (update.delete) deleted.push(comment)
    else changed.push(await withChanges(space, comment, content, update))
  }
  if (deleted.length > 0) await deleteComments(space, deleted)
  if (changed.length > 0) await stored.updateComments(space.tx, changed)
  const blocks = await blocksByNumbers(
    space.tx,
    comments.map(({ block }) => block),
  )
  await space.markChanged(...blocks.map(({ document }) => document))
  const ids = new Map(blocks.map(({ n, id }) => [n, space.spellId(id)]))
  return { items: comments.map(({ id, block }) => ({ commentId: space.spellId(id), blockId: ids.get(block) ?? '' })) }
}

async function withChanges(
  space: Space,
  comment: CommentRow,
  content: string,
  { resolved, confirmed }: CommentUpdate,
): Promise<CommentRow> {
  const row = { ...comment, content }
  if (content !== comment.content) {
    assertSafeText(content)
    row.modifiedAt = space.now
    row.unconfirmed = await unconfirmedIn(space, content)
  }
  if (confirmed === true && row.unconfirmed === 1) {
    assertMayConfirm(space)
    row.unconfirmed = null
  }
  if (resolved === false) return { ...row, resolvedAt: null, resolvedBy: null }
  if (resolved !== true || row.resolvedAt !== null) return row
  return { ...row, resolvedAt: space.now, resolvedBy: space.link.author }
}

function assertMayConfirm({ link }: Space): void {
  if (mayDecide(link)) return
  throw new ScriptoriumError(
    'FORBIDDEN',
    `Expected a link whose calls take effect at once to confirm a comment, found one with access ${link.access}; ask somebody who may write.`,
  )
}

function assertOwn(space: Space, { author }: CommentRow, update: CommentUpdate): void {
  // Several guests can have the same name.
  if (space.link.isGuest) {
    throw invalid('Expected a comment to resolve or reopen, found one to change as a guest; add another comment.')
  }
  if (author === space.link.author) return
  const verb = update.delete ? 'delete' : 'change'
  // Not FORBIDDEN, since that would suggest that more access helps.
  throw invalid(
    `Expected a comment of your own (${space.link.author}) to ${verb}, found ${update.commentId} by ${author}; resolve it, or add a comment of your own.`,
  )
}

/**
 * Read-only fields may be sent back unchanged. Any other value is rejected, since the change would be lost silently.
 */
async function checkFieldsAsRead(
  space: Space,
  updates: readonly CommentUpdate[],
  comments: readonly CommentRow[],
): Promise<void> {
  const errors = new InputErrors()
  for (const [index, update] of updates.entries()) {
    const comment = comments[index]
    if (comment === undefined) continue
    const answer = commentAnswer(space, comment, comment.content)
    for (const key of READ_ONLY) {
      const advice = key.startsWith('resolved') ? 'leave it out and send resolved' : 'leave it out'
      checkUnchanged(update[key], answer[key], { key, advice, path: `comments[${index}]`, errors })
    }
  }
  errors.throwIfAny()
}

/** Deletes comments. The tag of a thread is given to the oldest remaining comment, and removed with the last one. */
async function deleteComments(space: Space, deleted: readonly CommentRow[]): Promise<void> {
  const blocks = [...new Set(deleted.map(({ block }) => block))]
  await stored.deleteComments(space.tx, deleted)
  const first = await stored.firstComments(space.tx, blocks)
  const next = new Map(first.map((row) => [threadKey(row), String(row.id)]))
  const byBlock = Map.groupBy(deleted, ({ block }) => block)
  const retagged: BlockRow[] = []
  for (const row of await blocksByNumbers(space.tx, blocks)) {
    if (!traitsOf(row.type).marksComments) continue
    const text = (byBlock.get(row.n) ?? []).reduce(
      (before, one) => replaceComment(before, String(one.id), next.get(threadKey(one))),
      row.text,
    )
    if (text !== row.text) retagged.push({ ...row, text })
  }
  await updateRows(space, retagged)
}
