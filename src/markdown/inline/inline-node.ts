/**
 * Inline content as a value: what stands between the Markdown text of a block and its normal form.
 *
 *     a **b [c](u)** $x$   →   text "a " · bold text "b " · bold link(u: text "c") · text " " · formula "x"
 *
 * Bold, italic and strikethrough are bits on each span, since they may lie across each other in a title.
 * Links, highlights and comments hold spans of their own, and nest as they were written.
 */

import type { HighlightColor } from '../block.ts'
import { isLineBreak } from './html-tags.ts'

export const ITALIC = 1
export const BOLD = 2
export const STRIKE = 4
/** In the order in which marks of the same length open: `***both***` is italic outside, bold inside. */
export const MARKS = [ITALIC, BOLD, STRIKE] as const

export interface TextNode {
  kind: 'text'
  text: string
}

/** Characters that need character references at their place, such as a space at the end of a line. */
export interface EncodedNode {
  kind: 'encoded'
  text: string
}

export interface CodeNode {
  kind: 'code'
  text: string
}

export interface FormulaNode {
  kind: 'formula'
  text: string
  fence: '$' | '$$'
}

export interface ImageNode {
  kind: 'image'
  alt: string
  url: string
  title: string
}

/** `<https://example.org>` or `<me@example.org>`; `text` is the part between the angle brackets. */
export interface AutolinkNode {
  kind: 'autolink'
  text: string
}

/** A hard line break. A soft one is a `\n` in a text. */
export interface BreakNode {
  kind: 'break'
}

/** A tag or comment of HTML that is kept as it was written: see html-tags.ts. It has no line end. */
export interface HtmlNode {
  kind: 'html'
  source: string
}

export interface LinkNode {
  kind: 'link'
  url: string
  title: string
  spans: InlineNode[]
}

export interface HighlightNode {
  kind: 'highlight'
  color: HighlightColor
  /** True if it is written `==yellow==`. */
  isPair?: true
  spans: InlineNode[]
}

export interface CommentNode {
  kind: 'comment'
  id: string
  spans: InlineNode[]
}

export type LeafNode = TextNode | EncodedNode | CodeNode | FormulaNode | ImageNode | AutolinkNode | BreakNode | HtmlNode
export type ContainerNode = LinkNode | HighlightNode | CommentNode
export type InlineNode = (LeafNode | ContainerNode) & { marks: number }

export const isContainer = (span: InlineNode): span is ContainerNode & { marks: number } => 'spans' in span

/**
 * The visible characters: labels of links, alternative texts of images, sources of formulas. A break is `\n`, and tags
 * and comments have none.
 */
export const visibleText = (spans: readonly InlineNode[]): string =>
  charactersOf(spans, (source) => (isLineBreak(source) ? '\n' : ''))

/** The same with tags and comments as they are written. */
export const shownCharacters = (spans: readonly InlineNode[]): string => charactersOf(spans, (source) => source)

function charactersOf(spans: readonly InlineNode[], htmlText: (source: string) => string): string {
  let text = ''
  for (const span of spans) {
    if (isContainer(span)) text += charactersOf(span.spans, htmlText)
    else if (span.kind === 'break') text += '\n'
    else if (span.kind === 'html') text += htmlText(span.source)
    else text += span.kind === 'image' ? span.alt : span.text
  }
  return text
}
