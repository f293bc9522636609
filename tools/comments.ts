import { z } from 'zod'
import { COMMENT_LENGTH, ITEMS_PER_CALL } from '../src/base/limits.ts'
import { byKind, endpoint, type ShortAnswer } from '../src/endpoint.ts'
import { addComments } from '../src/space/comments/block-comments.ts'
import { id } from './shapes/block-shapes.ts'
import { named, soleEntry } from './shapes/input-aliases.ts'
import { answer } from './shapes/short-answers.ts'

const comment = z.strictObject({ blockId: id, content: z.string().min(1).max(COMMENT_LENGTH) })

/** The interface names the first twice. */
const commentIds: ShortAnswer<{ items: { commentId: string }[] }> = {
  output: z.looseObject({ items: z.array(z.looseObject({ commentId: z.string() })) }),
  make: ({ items }) => ({ items }),
}

const add = endpoint({
  name: 'comments_add',
  title: 'Add comments',
  description: 'Comment on blocks. Reading with fetchMetadata shows comments.',
  route: 'POST /comments',
  effect: 'add',
  aliases: [
    ...named('comments', 'comment items'),
    ...soleEntry('comments', 'blockId id content text body'),
    ...named('blockId', 'id pageId documentId', 'comments[].'),
    ...named('content', 'text comment markdown body', 'comments[].'),
  ],
  alsoKnownAs: ['comments_create', 'comments_reply'],
  input: byKind(() => z.strictObject({ comments: z.array(comment).min(1).max(ITEMS_PER_CALL), answer })),
  output: z.strictObject({ commentId: z.string(), items: z.array(z.strictObject({ commentId: z.string() })) }),
  shorten: commentIds,
  blocks: { write: ({ comments }) => comments.length },
  handle: ({ space }, { comments }) => addComments(space, comments),
})

export const comments = [add]
