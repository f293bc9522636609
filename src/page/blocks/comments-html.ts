/** The comments on a block, with their actions. */

import type { BlockComment } from '../../space/model/json-block.ts'
import { type Html, html } from '../html.ts'
import { pictureHtml } from '../member-picture.ts'
import { text } from '../texts/text.ts'
import type { BlockContext } from './block-context.ts'

/** The ID of the form that the buttons of all comments on a page submit. */
export const COMMENT_FORM = 'comment'

export function commentsHtml(
  blockId: string,
  comments: readonly BlockComment[],
  { formats, forms = {}, pictures }: Pick<BlockContext, 'formats' | 'forms' | 'pictures'>,
): Html {
  const entry = ({ id, author, content, createdAt, resolvedAt, confirmed }: BlockComment, answer?: string) => {
    const isLast = answer !== undefined
    const isOpen = resolvedAt === undefined
    const own = author === forms.author && forms.ownComment?.(id, blockId)
    const acts = [
      isLast && answer !== '' && html`<a class="button plain" href="${answer}" data-panel>Answer</a>`,
      isLast && forms.guestName !== undefined && html`<a class="button plain" href="${forms.guestName}">Answer</a>`,
      confirmed === false &&
        forms.confirms === true &&
        html`<button class="plain" form="${COMMENT_FORM}" name="comment" value="${id} confirmed">Confirm</button>`,
      forms.author !== undefined &&
        html`<button class="plain" form="${COMMENT_FORM}" name="comment" value="${id} ${isOpen ? 'resolved' : 'open'}">${isOpen ? text('Resolve') : text('Reopen')}</button>`,
      typeof own === 'string' && html`<a class="button plain" href="${own}" data-panel>Edit</a>`,
    ].filter((one) => one !== false)
    return html`<li id="c${id}"${!isOpen && html` class="resolved"`}>${pictureHtml(pictures?.get(author))}<b>${author}</b>, ${formats.time(createdAt)}${!isOpen && html`, <span>resolved</span>`}${confirmed === false && isOpen && html`, <span>calls no one until it is confirmed</span>`}<p dir="auto">${content}</p>${acts.length > 0 && html`<div class="says">${acts}</div>`}</li>`
  }
  const threads = [...Map.groupBy(comments, ({ threadId = '' }) => threadId).values()]
  return html`<ul class="comments" dir="ltr" aria-label="Comments">${threads.map((thread) => html`${wordsHtml(thread[0])}${thread.map((one, index) => entry(one, index < thread.length - 1 ? undefined : (answerTo(one) ?? '')))}`)}</ul>`

  function answerTo({ id, threadId }: BlockComment): string | undefined {
    const href = forms.comment?.(blockId)
    return href === undefined || threadId === undefined ? href : `${href}&comment=${id}`
  }
}

/** The words that a thread is about, above its comments. */
function wordsHtml({ words, areWordsGone }: BlockComment = EMPTY): Html | false {
  if (words === undefined) return false
  return html`<li class="about"><q dir="auto">${words}</q>${areWordsGone && html` <span>is no longer in the text</span>`}</li>`
}

const EMPTY: BlockComment = { id: '', author: '', content: '', createdAt: '' }
