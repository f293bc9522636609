/** Renders the tags and comments of HTML that a text keeps. Each element is written here, without attributes. */
import { allowedTag, commentText, isComment } from '../../markdown/inline/html-tags.ts'
import type { HtmlNode, InlineNode } from '../../markdown/inline/inline-node.ts'
import { type Html, html } from '../html.ts'
import { shownText } from '../shown-text.ts'

/** Elements with words inside, by the names of their tags. */
const ELEMENTS: ReadonlyMap<string, { start: Html; end: Html }> = new Map(
  Object.entries({
    sub: { start: html`<sub>`, end: html`</sub>` },
    sup: { start: html`<sup>`, end: html`</sup>` },
    kbd: { start: html`<kbd>`, end: html`</kbd>` },
    u: { start: html`<u>`, end: html`</u>` },
    mark: { start: html`<mark>`, end: html`</mark>` },
  }),
)

/** The tags among these spans that open and close an element there. No element crosses another. */
export function pairedTags(spans: readonly InlineNode[]): ReadonlySet<InlineNode> {
  const paired = new Set<InlineNode>()
  const open: { name: string; span: InlineNode }[] = []
  const count = new Map<string, number>()
  const add = (name: string, step: 1 | -1) => count.set(name, (count.get(name) ?? 0) + step)
  for (const span of spans) {
    const tag = span.kind === 'html' ? allowedTag(span.source) : undefined
    if (tag === undefined || !ELEMENTS.has(tag.name)) continue
    if (!tag.isClosing) {
      open.push({ name: tag.name, span })
      add(tag.name, 1)
    } else if ((count.get(tag.name) ?? 0) > 0) {
      let last = open.pop()
      for (; last !== undefined && last.name !== tag.name; last = open.pop()) add(last.name, -1)
      if (last === undefined) continue
      add(last.name, -1)
      paired.add(last.span).add(span)
    }
  }
  return paired
}

/**
 * A comment is a mark that opens. Tags that open or close no element are shown as they are written.
 *
 * @param isPaired  true for one of {@link pairedTags}
 */
export function tagHtml({ source }: HtmlNode, isPaired: boolean): Html {
  if (isComment(source)) return commentHtml(commentText(source))
  const { name = '', isClosing } = allowedTag(source) ?? {}
  if (name === 'br' && !isClosing) return html`<br>`
  const element = ELEMENTS.get(name)
  if (element !== undefined && isPaired) return isClosing ? element.end : element.start
  return html`<span class="tag">${source}</span>`
}

/** Its words show while it has the focus or the pointer, without a script. */
export const commentHtml = (text: string): Html =>
  html`<span class="remark" tabindex="0" role="note"><span class="remark-name">comment</span> <span class="remark-text">${shownText(text)}</span></span>`
