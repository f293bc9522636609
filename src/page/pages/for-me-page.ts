/** What waits for the member who uses the pages: tasks, mentions, answers, proposals, and what it has claimed. */
import { FOR_ME_PER_ANSWER } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { buttonForm, fieldOf, goTo } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { linkNames } from '../link-names.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { ForMeEntry, ToolAnswer } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { confirmButton } from './comment-forms.ts'

const needs = ['for_me_list'] as const

export const forMePage: Page = {
  route: 'GET /for-me',
  needs,
  async handle(call) {
    const main = html`<div class="page"><h1>For me</h1>
<div id="for-me" data-stable hx-get="${call.href('/for-me')}" hx-select="#for-me" hx-trigger="spacechange from:body" hx-swap="outerMorph">${listHtml(call, await call.run('for_me_list', { limit: FOR_ME_PER_ANSWER }))}</div></div>`
    return { title: text('For me'), main, current: '/for-me' }
  },
}

function listHtml(call: PageCall, { items, unread, more = 0, memberId, dailyLine }: ToolAnswer<'for_me_list'>): Html {
  if (memberId === undefined) {
    return html`<p class="empty">This list belongs to a member of the space. Sign in as one to see yours.</p>`
  }
  if (items.length === 0) {
    return html`<p class="empty">Nothing waits for you. Tasks that you are given, texts and comments that name you, answers to what you wrote, and proposals to decide show up here.</p>${choicesHtml(call, dailyLine)}`
  }
  const mayMark = call.may('change') && call.edits
  return html`${mayMark && unread > 0 && buttonForm(call, { action: '/for-me', label: text('Mark all as read'), back: '/for-me' })}
<ul class="documents">${items.map((item) => itemHtml(call, item, mayMark))}</ul>${
    more > 0 && html`<p class="about">${call.formats.number(more)} more are not shown.</p>`
  }${choicesHtml(call, dailyLine)}`
}

/** What a person can choose: notifications of this browser, and a line in the daily note. */
const choicesHtml = (call: PageCall, isOn: boolean): Html =>
  html`<p class="about js" data-notifications="for-me" hidden><button>Show them as notifications</button> of this browser, while a page of this space is open.</p>${dailyLineHtml(call, isOn)}`

/** Turns the line in the daily note on and off. */
const dailyLineHtml = (call: PageCall, isOn: boolean): Html | false =>
  call.edits &&
  call.request.caller.link.kind !== 'selected' &&
  html`<div class="about">${
    isOn
      ? text('Each day, a line in the daily note says what waits for you.')
      : text('The daily note can have a line that says what waits for you.')
  } ${buttonForm(call, { action: '/for-me', label: isOn ? text('No daily line') : text('Daily line'), back: '/for-me', fields: { line: isOn ? 'off' : 'on' }, variant: 'plain' })}</div>`

/** What an item is, before the name of who wrote it. */
const WORDS: Readonly<Record<ForMeEntry['kind'], TextKey>> = {
  task: textKey('Task'),
  mention: textKey('Names you'),
  comment: textKey('Comment for you'),
  request: textKey('Names members'),
  proposal: textKey('Waits for your decision'),
  claim: textKey('You hold it'),
}

function itemHtml(call: PageCall, item: ForMeEntry, mayMark: boolean): Html {
  const { kind, id, blockId, title, text: line, author, at, isRead = false } = item
  const href = blockId === undefined ? call.href(`/waiting/${id}`) : call.links.block(blockId)
  const label = line === '' ? text('Without text') : shownText(linkNames(line))
  const fields = { ids: id, read: isRead ? 'false' : 'true' }
  const mayConfirm = kind === 'request' && mayMark
  return html`<li data-for-me="${id}"${!isRead && html` data-unread`}><a href="${href}">${isRead ? label : html`<b>${label}</b>`}</a> <small>${WORDS[kind]}${author !== undefined && html`, ${author}`}${title !== undefined && html` in ${shownTitle(title)}`}, ${call.formats.time(at)}</small>${
    mayConfirm && html`<span class="right">${confirmButton(call, id, '/for-me')}</span>`
  }${
    mayMark &&
    !mayConfirm &&
    kind !== 'claim' &&
    html`<span class="right">${buttonForm(call, { action: '/for-me', label: isRead ? text('Unread') : text('Read'), back: '/for-me', fields, variant: 'plain' })}</span>`
  }</li>
`
}

/** Marks one thing, or all, as read or unread. */
export const markForMe: Page = {
  route: 'POST /for-me',
  needs: ['for_me_update'],
  async handle(call) {
    const [id, line] = [fieldOf(call, 'ids'), fieldOf(call, 'line')]
    if (line !== '') await call.run('for_me_update', { dailyLine: line === 'on' })
    else await call.run('for_me_update', { ...(id !== '' && { ids: [id] }), read: fieldOf(call, 'read') !== 'false' })
    return goTo('/for-me')
  },
}
