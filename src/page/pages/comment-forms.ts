/** Comments: adding, answering, changing, resolving and reopening them. */

import type { BlockComment, JsonBlock } from '../../space/model/json-block.ts'
import { textOfBlock } from '../blocks/block-writer.ts'
import { COMMENT_FORM } from '../blocks/comments-html.ts'
import { inlineHtml } from '../blocks/inline-content-html.ts'
import {
  addressOf,
  backOf,
  buttonForm,
  deleteButton,
  fieldOf,
  formPage,
  goTo,
  hiddenFields,
  isProposed,
  submitForm,
} from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { commentTextHtml, withMentions } from '../members/comment-mentions.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { text } from '../texts/text.ts'

/** The form that the buttons of comments submit. */
export const commentFormHtml = (call: PageCall): Html | false =>
  call.may('comment') &&
  call.has('comments_update') &&
  html`<form id="${COMMENT_FORM}" method="post" action="${call.href('/comments')}" hx-post="${call.href('/comments')}" hx-swap="none">${hiddenFields(call, addressOf(call))}</form>`

/** Calls the members whom a comment names, whose author may not write. */
export const confirmButton = (call: PageCall, id: string, back: string): Html =>
  buttonForm(call, {
    action: '/comments',
    label: text('Confirm'),
    back,
    fields: { comment: `${id} confirmed` },
  })

/** Maximum length of the quotation above a form. */
const QUOTED = 300

export const commentFormPage: Page = {
  route: 'GET /comments/new',
  needs: ['comments_add'],
  effect: 'comment',
  handle: (call) => commentForm(call, aboutOf(call.query), ''),
}

/** What a comment is about: a block, words in it, or another comment. */
interface About {
  blockId: string
  words: string
  start: string
  commentId: string
}

const aboutOf = (fields: URLSearchParams): About => ({
  blockId: fields.get('block') ?? '',
  words: fields.get('words') ?? '',
  start: fields.get('start') ?? '',
  commentId: fields.get('comment') ?? '',
})

async function commentForm(call: PageCall, about: About, typed: string, fault?: string): Promise<ShownPage> {
  const { blockId, words, start, commentId } = about
  const block = await call.run('blocks_get', { id: blockId, maxDepth: 0, fetchMetadata: true })
  const all = block.metadata?.comments ?? []
  const answered = all.find(({ id }) => id === commentId)
  const comments = words === '' ? all.filter(({ threadId }) => threadId === answered?.threadId) : []
  return formPage(call, {
    title: comments.length > 0 ? text('Answer') : text('Comment'),
    action: '/comments/new',
    fields: html`<blockquote class="about" dir="auto">${words === '' && answered?.words === undefined ? inlineHtml(quoteOf(block), call) : (answered?.words ?? words)}</blockquote>
${comments.length > 0 && html`<section class="thread" aria-label="The thread"><ul>${comments.map(({ author, content }) => html`<li><b>${author}</b><p dir="auto">${commentTextHtml(content, call.links)}</p></li>`)}</ul></section>`}
<input type="hidden" name="block" value="${blockId}"><input type="hidden" name="words" value="${words}"><input type="hidden" name="start" value="${start}"><input type="hidden" name="comment" value="${answered?.id ?? ''}">
<label>What you say <textarea dir="auto" name="text" rows="4" placeholder="${text('Type @ and a handle to ask somebody')}" data-mentions required autofocus>${typed}</textarea></label>`,
    submit: text('Comment'),
    back: backOf(call, `/d/${blockId}`),
    fault,
  })
}

function quoteOf(block: JsonBlock): string {
  const shown = textOfBlock(block) || text('This block')
  return shown.length > QUOTED ? `${shown.slice(0, QUOTED)}…` : shown
}

export const addComment: Page = {
  route: 'POST /comments/new',
  needs: ['comments_add'],
  async handle(call) {
    const text = textOf(call)
    const about = aboutOf(call.form)
    const { blockId, words, start, commentId } = about
    const place =
      commentId === ''
        ? { blockId, ...(words !== '' && { words, ...(start !== '' && { start: Number(start) }) }) }
        : { commentId }
    return submitForm(
      async () => {
        const answer = await call.run('comments_add', {
          comments: [{ ...place, content: await withMentions(call, text) }],
        })
        return goTo(backOf(call, `/d/${blockId}`), isProposed(answer) ? 'proposed' : undefined)
      },
      (fault) => commentForm(call, about, text, fault),
    )
  },
}

/** Browsers send line breaks of a text field as CRLF. */
const textOf = (call: PageCall): string => fieldOf(call, 'text').replace(/\r\n/g, '\n')

/** Resolves or reopens a thread, or confirms a comment, depending on the button: `100000000004,100000000005 resolved`. */
export const resolveComment: Page = {
  route: 'POST /comments',
  needs: ['comments_update'],
  async handle(call) {
    const [ids = '', state = ''] = fieldOf(call, 'comment').split(' ')
    const change = state === 'confirmed' ? { confirmed: true } : { resolved: state === 'resolved' }
    const answer = await call.run('comments_update', {
      comments: ids.split(',').map((commentId) => ({ commentId, ...change })),
    })
    return goTo(backOf(call, '/'), isProposed(answer) ? 'proposed' : undefined)
  },
}

export const editCommentPage: Page = {
  route: 'GET /comments/:id/edit',
  needs: ['comments_update'],
  effect: 'comment',
  async handle(call) {
    const id = call.params.id ?? ''
    const block = await call.run('blocks_get', {
      id: call.query.get('block') ?? '',
      maxDepth: 0,
      fetchMetadata: true,
    })
    const comment = block.metadata?.comments?.find((one) => one.id === id)
    return editComment(call, { id, content: comment?.content ?? '' })
  },
}

async function editComment(
  call: PageCall,
  { id, content }: Pick<BlockComment, 'id' | 'content'>,
  fault?: string,
): Promise<ShownPage> {
  const back = backOf(call, '/')
  return formPage(call, {
    title: text('Your comment'),
    action: `/comments/${id}/edit`,
    fields: html`<label>What you say <textarea dir="auto" name="text" rows="4" data-mentions required autofocus>${content}</textarea></label>`,
    submit: text('Save'),
    back,
    fault,
    // Only one's own comment; comments_update also deletes it.
    below: deleteButton(call, 'comments_update', {
      action: `/comments/${id}/delete`,
      label: text('Delete the comment'),
      back,
    }),
  })
}

export const changeComment: Page = {
  route: 'POST /comments/:id/edit',
  needs: ['comments_update'],
  async handle(call) {
    const [id, content] = [call.params.id ?? '', textOf(call)]
    return submitForm(
      async () => {
        const answer = await call.run('comments_update', {
          comments: [{ commentId: id, content: await withMentions(call, content) }],
        })
        return goTo(backOf(call, '/'), isProposed(answer) ? 'proposed' : undefined)
      },
      (fault) => editComment(call, { id, content }, fault),
    )
  },
}

export const deleteComment: Page = {
  route: 'POST /comments/:id/delete',
  needs: ['comments_update'],
  async handle(call) {
    const answer = await call.run('comments_update', { comments: [{ commentId: call.params.id ?? '', delete: true }] })
    return goTo(backOf(call, '/'), isProposed(answer) ? 'proposed' : undefined)
  },
}
