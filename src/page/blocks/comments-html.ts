/** The comments on a block: its threads, each with one way to resolve it. A script shows them beside the text. */

import { ITEMS_PER_CALL } from '../../base/limits.ts'
import { shorten } from '../../base/shorten.ts'
import type { BlockComment } from '../../space/model/json-block.ts'
import { type Html, html } from '../html.ts'
import { pictureHtml } from '../member-picture.ts'
import { commentTextHtml } from '../members/comment-mentions.ts'
import { count, text } from '../texts/text.ts'
import type { BlockContext } from './block-context.ts'

/** The ID of the form that the buttons of all comments on a page submit. */
export const COMMENT_FORM = 'comment'

type CommentContext = Pick<BlockContext, 'links' | 'formats' | 'forms' | 'pictures'>

/** A comment, as it is listed with its block or with all of its document. */
type ShownComment = { [Key in keyof BlockComment]: BlockComment[Key] | undefined } & Pick<
  BlockComment,
  'id' | 'author' | 'content' | 'createdAt'
>

/** Comments that belong together, oldest first. */
type Thread = readonly ShownComment[]

/** The threads of a block behind their number, below its text. */
export function commentsHtml(blockId: string, comments: readonly BlockComment[], context: CommentContext): Html {
  const threads = [...Map.groupBy(comments, ({ threadId = '' }) => threadId).values()]
  return html`<details class="comments" dir="ltr"><summary>${countText(comments)}</summary>${threads.map((thread) => threadHtml(blockId, thread, context))}</details>`
}

const isOpen = ({ resolvedAt }: ShownComment): boolean => resolvedAt === undefined

function countText(comments: readonly BlockComment[]): string {
  const open = comments.filter(isOpen).length
  const resolved = comments.length - open
  if (open === 0) return count(resolved, { one: '{n} resolved comment', other: '{n} resolved comments' })
  const shown = count(open, { one: '{n} comment', other: '{n} comments' })
  return resolved === 0 ? shown : text('{shown}, {resolved} resolved', { shown, resolved })
}

/**
 * A thread, with what can be done with all of it.
 *
 * @param blockId  of the block that it is about
 * @param place  the address of what it is about, if that is on another page
 */
export function threadHtml(blockId: string, thread: Thread, context: CommentContext, place?: string): Html {
  const { forms = {} } = context
  const [first = EMPTY] = thread
  const isResolved = !thread.some(isOpen)
  const answer = answerTo()
  const acts = [
    place !== undefined && html`<a class="button plain" href="${place}">Show in the text</a>`,
    answer !== undefined && html`<a class="button plain" href="${answer}" data-panel>Answer</a>`,
    forms.guestName !== undefined && html`<a class="button plain" href="${forms.guestName}">Answer</a>`,
    forms.author !== undefined &&
      html`<button class="plain" form="${COMMENT_FORM}" name="comment" value="${resolvingValue(thread)}">${isResolved ? text('Reopen') : text('Resolve')}</button>`,
  ].filter((one) => one !== false)
  return html`<section class="thread${isResolved && ' resolved'}" data-thread="${first.id}" aria-label="${labelOf(first)}">${aboutHtml(first)}<ul>${thread.map((one) => entryHtml(blockId, one, context))}</ul>${acts.length > 0 && html`<div class="says">${acts}</div>`}</section>`

  function answerTo(): string | undefined {
    const href = forms.comment?.(blockId)
    const last = thread.at(-1)
    return href === undefined || last?.threadId === undefined ? href : `${href}&comment=${last.id}`
  }
}

function entryHtml(
  blockId: string,
  { id, author, content, createdAt, resolvedAt, confirmed }: ShownComment,
  { links, formats, forms = {}, pictures }: CommentContext,
): Html {
  const own = author === forms.author && forms.ownComment?.(id, blockId)
  const acts = [
    confirmed === false &&
      forms.confirms === true &&
      html`<button class="plain" form="${COMMENT_FORM}" name="comment" value="${id} confirmed">Confirm</button>`,
    typeof own === 'string' && html`<a class="button plain" href="${own}" data-panel>Edit</a>`,
  ].filter((one) => one !== false)
  return html`<li id="c${id}"${resolvedAt !== undefined && html` class="resolved"`}>${pictureHtml(pictures?.get(author))}<b>${author}</b>, ${formats.time(createdAt)}${resolvedAt !== undefined && html`, <span>resolved</span>`}${confirmed === false && resolvedAt === undefined && html`, <span>calls no one until it is confirmed</span>`}${acts.length > 0 && html` <span class="says">${acts}</span>`}<p dir="auto">${commentTextHtml(content, links)}</p></li>`
}

/** What the button of a thread sends. It names what the person has seen: what others write meanwhile stays open. */
function resolvingValue(thread: Thread): string {
  const open = thread.filter(isOpen)
  const changed = open.length > 0 ? open : thread
  const ids = changed.slice(0, ITEMS_PER_CALL).map(({ id }) => id)
  return `${ids.join(',')} ${open.length > 0 ? 'resolved' : 'open'}`
}

/** Characters of the words in the name of a thread. */
const NAMED = 60

const labelOf = ({ words }: ShownComment): string =>
  words === undefined ? text('Comments on the block') : text('Comments on "{words}"', { words: shorten(words, NAMED) })

/** The words that a thread is about, above its comments. */
function aboutHtml({ words, areWordsGone }: ShownComment): Html | false {
  if (words === undefined) return false
  return html`<p class="about"><q dir="auto">${words}</q>${areWordsGone && html` <span>is no longer in the text</span>`}</p>`
}

const EMPTY: ShownComment = { id: '', author: '', content: '', createdAt: '' }
