import { z } from 'zod'
import { COMMENT_LENGTH, COMMENTS_PER_ANSWER, COMMENTS_PER_ANSWER_MAX, ITEMS_PER_CALL } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { addComments } from '../src/space/comments/block-comments.ts'
import { commentsToMarkdown } from '../src/space/comments/comments-markdown.ts'
import { listComments } from '../src/space/comments/list-comments.ts'
import { updateComments } from '../src/space/comments/update-comments.ts'
import { listedComment } from './shapes/block-output.ts'
import { cursor, format, id, limit } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { named, soleEntry } from './shapes/input-aliases.ts'

const comment = z
  .strictObject({
    // Published as required: an answer, which is rare, names a comment instead.
    blockId: id.optional(),
    content: z.string().min(1).max(COMMENT_LENGTH),
    words: z.string().min(1).max(COMMENT_LENGTH).optional(),
    start: z.int().min(0).optional().meta({ hidden: true }),
    commentId: id.optional().meta({ hidden: true }),
  })
  .superRefine(({ blockId, words, commentId }, context) => {
    if ((blockId === undefined) === (commentId === undefined)) {
      const found = blockId === undefined ? 'neither' : 'both'
      const message = `Expected blockId, or the commentId of the comment to answer, found ${found}; give one of them.`
      context.addIssue({ code: 'custom', message })
    } else if (commentId !== undefined && words !== undefined) {
      const message =
        'Expected words with blockId, found them with commentId, whose thread has words already; leave them out.'
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ component: 'NewComment' })

const add = endpoint({
  name: 'comments_add',
  title: 'Add comments',
  description: 'Comment on blocks, or words in them.',
  route: 'POST /comments',
  effect: 'comment',
  aliases: [
    { from: 'comment', to: 'comments[0].content', when: (text) => typeof text === 'string' },
    ...named('comments', 'comment items'),
    ...soleEntry('comments', 'blockId id taskId itemId pageId documentId content text body markdown'),
    ...named('blockId', 'id taskId itemId pageId documentId', 'comments[].'),
    ...named('words', 'quote text_selection selection anchor', 'comments[].'),
    ...named('commentId', 'threadId replyTo answers parentId', 'comments[].'),
    ...named('content', 'text comment markdown body', 'comments[].'),
  ],
  alsoKnownAs: ['comments_create', 'comments_reply'],
  input: byKind(() => z.strictObject({ comments: z.array(comment).min(1).max(ITEMS_PER_CALL) })),
  output: z.strictObject({ commentId: z.string(), items: z.array(z.strictObject({ commentId: z.string() })) }),
  blocks: { write: ({ comments }) => comments.length },
  parts: entryParts('comments', { kind: 'other', continues: 'blockId' }),
  handle: ({ space }, { comments }) => addComments(space, comments),
})

const list = endpoint({
  name: 'comments_list',
  title: 'List comments',
  description: 'List open comments with their words, newest first.',
  route: 'GET /comments',
  effect: 'read',
  aliases: [...named('documentId', 'id pageId document')],
  alsoKnownAs: ['comments_get', 'threads_list'],
  input: byKind(() =>
    z.strictObject({
      format,
      documentId: id.optional(),
      limit: limit(COMMENTS_PER_ANSWER_MAX, COMMENTS_PER_ANSWER).meta({ hidden: true }),
      cursor,
    }),
  ),
  output: z.strictObject({
    items: z.array(listedComment).max(COMMENTS_PER_ANSWER_MAX),
    pagination: z.strictObject({ cursor: z.string() }).optional(),
  }),
  renderMarkdown: commentsToMarkdown,
  handle: ({ space }, input) => listComments(space, input),
})

/** Fields that are returned for comments and cannot be set. */
const readOnly = z.unknown().optional().meta({ hidden: true })

const update = endpoint({
  name: 'comments_update',
  title: 'Update comments',
  description: 'Resolve or reopen comments; change or delete your own.',
  route: 'PUT /comments',
  effect: 'comment',
  hints: { destructive: true, idempotent: true },
  aliases: [
    ...named('comments', 'commentsToUpdate comment items'),
    ...soleEntry('comments', 'commentId id content text resolved delete'),
    ...named('commentId', 'id', 'comments[].'),
    ...named('content', 'text comment markdown body', 'comments[].'),
    ...named('resolved', 'resolve isResolved', 'comments[].'),
    ...named('delete', 'deleted remove', 'comments[].'),
  ],
  alsoKnownAs: ['comments_resolve', 'comments_edit', 'comments_delete'],
  input: byKind(() =>
    z.strictObject({
      comments: z
        .array(
          z
            .strictObject({
              commentId: id,
              content: z.string().min(1).max(COMMENT_LENGTH).optional(),
              resolved: z.boolean().optional(),
              delete: z.boolean().optional(),
              // Rare: the page has a button for it.
              confirmed: z.boolean().optional().meta({ hidden: true }),
              author: readOnly,
              createdAt: readOnly,
              modifiedAt: readOnly,
              resolvedAt: readOnly,
              resolvedBy: readOnly,
            })
            .superRefine(({ content, resolved, confirmed, delete: isDeleted = false }, context) => {
              const count = [content, resolved, confirmed].filter((one) => one !== undefined).length
              if (isDeleted ? count === 0 : count > 0) return
              const found = isDeleted ? 'delete with another change' : 'none of them'
              const message = `Expected content, resolved or both, or delete alone, found ${found}; give what is to change.`
              context.addIssue({ code: 'custom', message })
            })
            .meta({ component: 'CommentChange' }),
        )
        .min(1)
        .max(ITEMS_PER_CALL),
    }),
  ),
  // Includes the block, so that a retry is only answered while the block is within reach.
  output: z.strictObject({ items: z.array(z.strictObject({ commentId: z.string(), blockId: z.string() })) }),
  blocks: { write: ({ comments }) => comments.length },
  parts: entryParts('comments', { kind: 'other', subject: 'commentId' }),
  handle: ({ space }, { comments }) => updateComments(space, comments),
})

export const comments = [list, add, update]
