/** A suggestion below its block: who suggests it, what it does, and buttons for those who may decide. */
import { assetPath } from '../assets.ts'
import { hiddenFields } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'
import { askedSentences, changesComments, detailWords } from './detail-words.ts'
import type { DrawnSuggestion } from './drawn-suggestion.ts'

/** @param back  the page to return to @param isOffered  true if everything that accepting it takes along is shown as well */
export function suggestionHtml(
  call: PageCall,
  one: DrawnSuggestion,
  { back, isOffered }: { back: string; isOffered: boolean },
): Html {
  const { part, key, name, tone, content, does, label, isGhost } = one
  return html`<div class="suggestion by-${tone}${isGhost && ' ghost'}"${!isGhost && html` id="${elementId(key)}"`} dir="ltr" role="group" aria-label="Suggestion by ${name}: ${label}">${content !== undefined && html`<div class="proposed" dir="auto">${content}</div>`}<p class="by"><b title="${part.client === undefined ? '' : text('for {author}', { author: part.author })}">${shownText(name)}</b> ${does}${reasonHtml(one)}</p>${!isGhost && detailsHtml(one)}${!isGhost && actionsHtml(call, one, { back, isOffered })}</div>`
}

/** The ID of its element. */
export const elementId = (key: string): string => `s${key.replace(/[^\w-]/g, '-')}`

/** What the words do not show, such as dates. */
export function detailsHtml({ part: { details = '', blockId, asked } }: DrawnSuggestion): Html | false {
  const answers = asked !== undefined && changesComments(details) ? (askedSentences(asked) ?? []) : []
  const words = [...detailWords(details, blockId), ...answers]
  return (
    words.length > 0 &&
    html`<p class="details">${words.map((one, index) => html`${index > 0 && html`<br>`}${one}`)}</p>`
  )
}

function reasonHtml({ part: { refused, needs = [], waitsFor = [] } }: DrawnSuggestion): Html | false {
  const reasons = [
    ...(needs.length > 0
      ? [needs.length === 1 ? text('with another part') : text('with {needs} other parts', { needs: needs.length })]
      : []),
    ...(waitsFor.length > 0 ? [text('once an earlier suggestion is decided')] : []),
    ...(refused === undefined ? [] : [refused]),
  ]
  return reasons.length > 0 && html` <span class="about">(${shownText(reasons.join('; '))})</span>`
}

function actionsHtml(
  call: PageCall,
  one: DrawnSuggestion,
  { back, isOffered }: { back: string; isOffered: boolean },
): Html {
  const { part, isWhole, name, label } = one
  const { proposalId, fingerprint, isOwn } = part
  const named = (verb: string) => html` aria-label="${verb} the suggestion by ${name}: ${label}"`
  const form = (action: Decision, verb: string, look: string) =>
    decisionForm(call, [one], { action, back, button: html`<button class="${look}"${named(verb)}>${verb}</button>` })
  if (isOwn) return html`<div class="acts">${form('withdraw', text('Withdraw'), 'plain')}</div>`
  if (!call.may('decide')) return html``
  const accept =
    isWhole && isOffered
      ? fingerprint !== undefined && form('accept', text('Accept'), 'go')
      : html`<a class="button" href="${call.href(`/waiting/${proposalId}`)}"${named(text('Read|verb'))}>Read all of it</a>`
  return html`<div class="acts">${accept}${form('reject', text('Reject'), 'plain')}</div>`
}

type Decision = 'accept' | 'reject' | 'withdraw'

/** A form that decides on suggestions, each as it is shown. */
export const decisionForm = (
  call: PageCall,
  all: readonly DrawnSuggestion[],
  { action, back, button }: { action: Decision; back: string; button: Html },
): Html =>
  html`<form method="post" action="${call.href(`/suggestions/${action}`)}">${hiddenFields(call, back)}${all.map(
    ({ part }) =>
      html`<input type="hidden" name="part" value="${part.proposalId} ${part.fingerprint ?? ''} ${part.part}">`,
  )}${button}</form>`

interface OfferedSuggestion {
  one: DrawnSuggestion
  isOffered: boolean
}

/** A line for each author, with buttons for all that they suggest, if all of it is shown. @param others  how many are not drawn */
export function authorsHtml(
  call: PageCall,
  all: readonly OfferedSuggestion[],
  { back, others }: { back: string; others: number },
): Html {
  const authors = Map.groupBy(all, ({ one }) => `${one.name} ${one.tone}`)
  return html`${[...authors.values()].map((some) => authorHtml(call, some, back))}${others > 0 && html`<p class="about">${call.formats.number(others)} more on <a href="${call.href('/waiting')}">the page of what waits</a>.</p>`}`
}

function authorHtml(call: PageCall, some: readonly OfferedSuggestion[], back: string): Html {
  const [first] = some
  if (first === undefined) return html``
  const { name, tone, key, part } = first.one
  const count =
    some.length === 1 ? text('a change') : text('{length} changes', { length: call.formats.number(some.length) })
  const all = some.map(({ one }) => one)
  const form = (action: Decision, label: string) =>
    decisionForm(call, all, { action, back, button: html`<button class="plain">${label}</button>` })
  const isWhole = some.every(({ one, isOffered }) => one.isWhole && isOffered && one.part.fingerprint !== undefined)
  const mayDecide = call.may('decide') && !part.isOwn
  const acts = [
    some.length > 1 && mayDecide && isWhole && form('accept', text('Accept all {some}', { some: some.length })),
    some.length > 1 &&
      (mayDecide || part.isOwn === true) &&
      form(
        part.isOwn ? 'withdraw' : 'reject',
        part.isOwn
          ? text('Withdraw all {some}', { some: some.length })
          : text('Reject all {some}', { some: some.length }),
      ),
  ].filter((act) => act !== false)
  return html`<div class="author by-${tone}"><p><span class="swatch" aria-hidden="true"></span><b>${shownText(name)}</b> suggests <a href="#${elementId(key)}">${count}</a></p>${acts.length > 0 && html`<div class="acts">${acts}</div>`}</div>`
}

/** The style of suggestions, which pages without any do without. */
export const styleHtml = (call: PageCall): Html =>
  html`<link rel="stylesheet" href="${assetPath(call.request.root, 'suggestions.css')}">`
