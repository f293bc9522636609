/**
 * Text that is proposed, as a person must see it before deciding: with its marks, with the address of each link beside
 * its words, and with tags and characters that are not seen otherwise. It loads nothing and leads nowhere.
 */
import {
  BOLD,
  type ContainerNode,
  type InlineNode,
  ITALIC,
  isContainer,
  type LeafNode,
  STRIKE,
} from '../../markdown/inline/inline-node.ts'
import { readInline } from '../../markdown/inline/read-inline.ts'
import { type Html, html, joinHtml } from '../html.ts'
import { shownText } from '../shown-text.ts'

/** @param text  inline Markdown */
export const proposedText = (text: string): Html => proposedSpans(readInline(text))

export const proposedSpans = (spans: readonly InlineNode[]): Html => joinHtml(spans.map(markedHtml))

function markedHtml(span: InlineNode): Html {
  let content = spanHtml(span)
  if (span.marks & STRIKE) content = html`<s>${content}</s>`
  if (span.marks & BOLD) content = html`<strong>${content}</strong>`
  if (span.marks & ITALIC) content = html`<em>${content}</em>`
  return content
}

const spanHtml = (span: InlineNode): Html => (isContainer(span) ? containerHtml(span) : leafHtml(span))

function containerHtml(span: ContainerNode): Html {
  const inner = proposedSpans(span.spans)
  switch (span.kind) {
    case 'highlight':
      return html`<mark class="hl-${span.color}">${inner}</mark>`
    case 'comment':
      return html`<span class="commented">${inner}</span>`
    case 'link':
      return html`<span class="target">${inner} ${addressHtml(span.url, span.title)}</span>`
  }
}

function leafHtml(span: LeafNode): Html {
  switch (span.kind) {
    case 'text':
    case 'encoded':
      return linesHtml(span.text)
    case 'code':
      return html`<code>${shownText(span.text)}</code>`
    case 'formula':
      return html`<code>${shownText(`${span.fence}${span.text}${span.fence}`)}</code>`
    case 'break':
      return html`<br>`
    case 'autolink':
      return shownText(span.text)
    case 'html':
      return html`<code>${shownText(span.source)}</code>`
    case 'image':
      return html`<span class="target">Picture${span.alt !== '' && html`: ${shownText(span.alt)}`} ${addressHtml(span.url, span.title)}</span>`
  }
}

const addressHtml = (url: string, title: string): Html =>
  html`<span class="address">(${shownText(title === '' ? url : `${url} "${title}"`)})</span>`

const linesHtml = (text: string): Html =>
  joinHtml(text.split('\n').map((line, index) => (index === 0 ? shownText(line) : html`<br>${shownText(line)}`)))
