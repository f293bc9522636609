/** A document that is proposed, opened as a preview: it is marked as proposed, and is no document until it is accepted. */
import type { Block } from '../../markdown/block.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { ShownPage } from '../page-declaration.ts'
import { shownText } from '../shown-text.ts'
import { text } from '../texts/text.ts'
import { toneOf } from './document-suggestions.ts'
import { type DrawnSuggestion, drawn } from './drawn-suggestion.ts'
import { blocksHtml, blocksIn } from './proposed-blocks.ts'
import { sourceHtml } from './proposed-source.ts'
import { proposedText } from './proposed-words.ts'
import { readParts } from './read-suggestions.ts'
import { decisionForm, detailsHtml, styleHtml } from './suggestion-html.ts'

/** @returns undefined if no proposal that the connection sees would add such a document */
export async function showProposedDocument(call: PageCall, id: string): Promise<ShownPage | undefined> {
  const part = (await readParts(call, id)).find(({ kind, documentId }) => kind === 'document' && documentId === id)
  if (part === undefined || typeof part.after !== 'string') return undefined
  const one = drawn(part, toneOf(part), id)
  const { title, content } = contentOf(part.after)
  const main = html`${styleHtml(call)}${barHtml([], html`<span class="tag">Proposed</span>`)}
<article class="by-${one.tone}">
<h1 dir="auto">${title}</h1>
<section class="suggestions" aria-label="Suggestion by ${one.name}"><div class="author"><p><span class="swatch" aria-hidden="true"></span><b>${shownText(one.name)}</b> suggests this document. It is not there until somebody accepts it.</p>${actionsHtml(call, one)}</div>${detailsHtml(one)}</section>
${one.isWhole ? html`<div class="proposed">${content}</div>` : html`<p class="about">It is long. <a href="${call.href(`/waiting/${part.proposalId}`)}">Read all of it</a></p>`}
</article>
`
  return { title: text('A proposed document'), main, current: '/waiting' }
}

/** After it is rejected, there is nothing to return to. */
function actionsHtml(call: PageCall, one: DrawnSuggestion): Html {
  const { isOwn, documentId = '', fingerprint } = one.part
  if (isOwn || !call.may('decide'))
    return html`<div class="acts">${isOwn && decisionForm(call, [one], { action: 'withdraw', back: '/', button: html`<button class="plain">Withdraw</button>` })}</div>`
  const accept = one.isWhole && fingerprint !== undefined
  return html`<div class="acts">${accept && decisionForm(call, [one], { action: 'accept', back: `/d/${documentId}`, button: html`<button class="go">Accept</button>` })}${decisionForm(call, [one], { action: 'reject', back: '/waiting', button: html`<button class="plain">Reject</button>` })}</div>`
}

const OF_PAGE: ReadonlySet<string> = new Set(['id', 'type', 'text', 'content'])

/** The title and the blocks of a document, or its Markdown where that says more than they show. */
function contentOf(markdown: string): { title: Html; content: Html } {
  const blocks = blocksIn(markdown) ?? []
  const [page] = blocks
  if (page === undefined || blocks.length > 1 || page.type !== 'page')
    return { title: html`Untitled`, content: sourceHtml(markdown) }
  const isPlain = Object.entries(page).every(([name, value]) => value === undefined || OF_PAGE.has(name))
  const { text, content = [] as Block[] } = page
  return { title: proposedText(text), content: isPlain ? blocksHtml(content) : sourceHtml(markdown) }
}
