/** The open comments of a document, by thread. It works without scripts, and for who only reads or comments. */
import { COMMENTS_PER_ANSWER_MAX } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { titleText } from '../blocks/block-writer.ts'
import { threadHtml } from '../blocks/comments-html.ts'
import { blockForms } from '../documents/block-forms.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { ToolAnswer } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { commentFormHtml } from './comment-forms.ts'

type Listed = ToolAnswer<'comments_list'>

export const openCommentsPage: Page = {
  route: 'GET /d/:id/comments',
  needs: ['comments_list'],
  async handle(call) {
    const id = call.params.id ?? ''
    const cursor = call.query.get('cursor') ?? undefined
    const listed = await call.run('comments_list', {
      ...{ documentId: id, limit: COMMENTS_PER_ANSWER_MAX },
      ...(cursor !== undefined && { cursor }),
    })
    const document = await call.run('blocks_get', { id, maxDepth: 0 })
    const name = shownTitle(titleText(document))
    const path = `/d/${id}/comments`
    const address = call.href(path, { cursor })
    const main = html`${barHtml([{ href: call.href(`/d/${id}`), name }])}
<div class="page"><h1>Open comments</h1>
${commentFormHtml(call)}
<div id="open-comments" data-stable hx-get="${address}" hx-select="#open-comments" hx-trigger="spacechange from:body" hx-swap="outerMorph">${threadsHtml(call, listed)}${
      listed.pagination !== undefined &&
      html`<p class="more"><a class="button" href="${call.href(path, listed.pagination)}">Older comments</a></p>`
    }</div></div>`
    return { title: text('Comments: {name}', { name }), main, documentId: id, scripts: ['reading'] }
  },
}

function threadsHtml(call: PageCall, { items }: Listed): Html {
  if (items.length === 0) {
    return html`<p class="empty">No comment is open. Select words in the document, or point at a block, to comment on them.</p>`
  }
  const context = { links: call.links, formats: call.formats, forms: blockForms(call), pictures: call.pictures }
  const threads = [...Map.groupBy(items, ({ blockId, threadId = '' }) => `${blockId} ${threadId}`).values()]
  return html`${threads.map((newestFirst) => {
    const thread = newestFirst.toReversed()
    const [{ id, blockId } = { id: '', blockId: '' }] = thread
    return threadHtml(blockId, thread, context, call.href(`/d/${blockId}`, { comment: id }))
  })}`
}
