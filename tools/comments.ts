import { z } from 'zod'
import { COMMENT_LENGTH, ITEMS_PER_CALL } from '../src/base/limits.ts'
import { byKind, endpoint } from '../src/endpoint.ts'
import { addComments } from '../src/space/comments/block-comments.ts'
import { updateComments } from '../src/space/comments/update-comments.ts'
import { id } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { named, soleEntry } from './shapes/input-aliases.ts'

const comment = z
  .strictObject({ blockId: id, content: z.string().min(1).max(COMMENT_LENGTH) })
  .meta({ component: 'NewComment' })

const add = endpoint({
  name: 'comments_add',
  title: 'Add comments',
  description: 'Comment on blocks.',
  route: 'POST /comments',
  effect: 'comment',
  aliases: [
    { from: 'comment', to: 'comments[0].content', when: (text) => typeof text === 'string' },
    ...named('comments', 'comment items'),
    ...soleEntry('comments', 'blockId id taskId itemId pageId documentId content text body markdown'),
    ...named('blockId', 'id taskId itemId pageId documentId', 'comments[].'),
    ...named('content', 'text comment markdown body', 'comments[].'),
  ],
  alsoKnownAs: ['comments_create', 'comments_reply'],
  input: byKind(() => z.strictObject({ comments: z.array(comment).min(1).max(ITEMS_PER_CALL) })),
  output: z.strictObject({ commentId: z.string(), items: z.array(z.strictObject({ commentId: z.string() })) }),
  blocks: { write: ({ comments }) => comments.length },
  parts: entryParts('comments', { kind: 'other' }),
  handle: ({ space }, { comments }) => addComments(space, comments),
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

export const comments = [add, update]
