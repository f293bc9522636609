/** Renders the text of a block as HTML. */
import { isPersonAddress } from '../../markdown/addresses.ts'
import { autolinkDestination } from '../../markdown/inline/autolink.ts'
import { BOLD, type InlineNode, ITALIC, isContainer, type LeafNode, STRIKE } from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { CHUNK_LENGTH, shownTextChunks } from '../../markdown/inline-text.ts'
import { findTags, type TagPlace } from '../../markdown/tags.ts'
import { type Html, html, joinHtml, NOTHING } from '../html.ts'
import type { PageLinks } from '../page-links.ts'
import { text } from '../texts/text.ts'
import type { Formulas } from './formula-html.ts'
import { pairedTags, tagHtml } from './tags-html.ts'

/** Length up to which parsing marks is fast. Longer text is shown without marks. */
const MARKED_LENGTH = 4 * CHUNK_LENGTH

/** What the text of blocks refers to. */
export interface InlineContentContext {
  links: PageLinks
  formulas: Formulas
}

/** @param text  inline Markdown */
export function inlineHtml(text: string, context: InlineContentContext): Html {
  if (text.length > MARKED_LENGTH) return joinHtml([...shownTextChunks(text)].map((part) => textHtml(part, false)))
  const spans = readInline(text)
  const tags = text.includes('#') ? findTags(spans) : NO_TAGS
  return spansHtml(spans, { links: context.links, formulas: context.formulas, tags }, false)
}

/** @param spans  a part of a text, such as the words that a suggestion strikes */
export const partHtml = (spans: readonly InlineNode[], { links, formulas }: InlineContentContext): Html =>
  spansHtml(spans, { links, formulas, tags: findTags(spans) }, false)

/** What the parts of a text refer to. */
interface SpanContext extends InlineContentContext {
  tags: ReadonlyMap<InlineNode, readonly TagPlace[]>
}

const NO_TAGS: SpanContext['tags'] = new Map()
const NO_PLACES: readonly TagPlace[] = []

function spansHtml(spans: readonly InlineNode[], context: SpanContext, isLinked: boolean): Html {
  const paired = pairedTags(spans)
  return joinHtml(
    spans.map((span) => (span.kind === 'html' ? tagHtml(span, paired.has(span)) : markedHtml(span, context, isLinked))),
  )
}

function markedHtml(span: InlineNode, context: SpanContext, isLinked: boolean): Html {
  let content = spanHtml(span, context, isLinked)
  if (span.marks & STRIKE) content = html`<s>${content}</s>`
  if (span.marks & BOLD) content = html`<strong>${content}</strong>`
  if (span.marks & ITALIC) content = html`<em>${content}</em>`
  return content
}

function spanHtml(span: InlineNode, context: SpanContext, isLinked: boolean): Html {
  if (isContainer(span)) {
    const inner = spansHtml(span.spans, context, isLinked || span.kind === 'link')
    if (span.kind === 'highlight') return html`<mark class="hl-${span.color}">${inner}</mark>`
    if (span.kind === 'comment') return html`<span class="commented" data-comment="${span.id}">${inner}</span>`
    return isLinked ? inner : linkHtml(span.url, inner, context.links)
  }
  return leafHtml(span, context, isLinked)
}

function leafHtml(span: LeafNode & { marks: number }, context: SpanContext, isLinked: boolean): Html {
  switch (span.kind) {
    case 'text':
    case 'encoded':
      return taggedHtml(span.text, context, context.tags.get(span) ?? NO_PLACES, isLinked)
    case 'code':
      return html`<code>${span.text}</code>`
    case 'formula':
      return context.formulas.html(span.text, false)
    case 'break':
      return html`<br>`
    case 'autolink':
      return isLinked ? html`${span.text}` : linkHtml(autolinkDestination(span.text), html`${span.text}`, context.links)
    case 'html':
      return tagHtml(span, false)
    case 'image':
      return imageHtml(span.url, span.alt, context.links, isLinked)
  }
}

/** Images of the space are shown. Others become links, since pages load nothing from other servers. */
function imageHtml(url: string, alt: string, links: PageLinks, isLinked: boolean): Html {
  const file = links.file(url)
  if (file !== undefined) return html`<img src="${file}" alt="${alt}" loading="lazy">`
  const name = alt === '' ? text('Picture') : alt
  return isLinked ? html`${name}` : linkHtml(url, html`${name}`, links)
}

/** @param label  the text of the link */
export function linkHtml(url: string, label: Html, links: PageLinks): Html {
  if (isPersonAddress(url)) return html`<span class="mention">${label}</span>`
  const link = links.of(url)
  if (link === undefined) return html`<span class="dead" title="This link leads nowhere from here">${label}</span>`
  if (link.isOwn) return html`<a href="${link.href}">${label}</a>`
  return html`<a class="out" href="${link.href}" rel="noopener noreferrer" target="_blank">${label}</a>`
}

/** Matches a URL in text, without trailing punctuation. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]}]/g

/** Renders text with its tags, which are links to their lists. */
function taggedHtml(text: string, { links }: SpanContext, tags: readonly TagPlace[], isLinked: boolean): Html {
  if (tags.length === 0) return textHtml(text, isLinked)
  const parts: Html[] = []
  let done = 0
  for (const { name, start, end } of tags) {
    parts.push(textHtml(text.slice(done, start), isLinked))
    parts.push(html`<a class="hashtag" href="${links.tag(name)}">${text.slice(start, end)}</a>`)
    done = end
  }
  return joinHtml([...parts, textHtml(text.slice(done), isLinked)])
}

/** Renders text with line breaks, and URLs as links. */
function textHtml(text: string, isLinked: boolean): Html {
  if (isLinked || !text.includes('://')) return linesHtml(text)
  const parts: Html[] = []
  let done = 0
  for (const { 0: url, index } of text.matchAll(ADDRESS)) {
    parts.push(linesHtml(text.slice(done, index)))
    parts.push(html`<a class="out" href="${url}" rel="noopener noreferrer" target="_blank">${url}</a>`)
    done = index + url.length
  }
  return joinHtml([...parts, linesHtml(text.slice(done))])
}

/** A single line break is shown, as authors see it in the Markdown. */
function linesHtml(text: string): Html {
  if (text === '') return NOTHING
  if (!text.includes('\n')) return html`${text}`
  return joinHtml(text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`)))
}
