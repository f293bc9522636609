/**
 * Inline content as a value: what stands between the Markdown text of a block and its normal form.
 *
 *     a **b [c](u)** $x$   →   text "a " · bold text "b " · bold link(u: text "c") · text " " · formula "x"
 *
 * Bold, italic and strikethrough are bits on each span, since they may lie across each other in a title.
 * Links, highlights and comments hold spans of their own, and nest as they were written.
 */

import type { HighlightColor } from '../block.ts'

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

export interface LinkNode {
  kind: 'link'
  url: string
  title: string
  spans: InlineNode[]
}

export interface HighlightNode {
  kind: 'highlight'
  color: HighlightColor
  spans: InlineNode[]
}

export interface CommentNode {
  kind: 'comment'
  id: string
  spans: InlineNode[]
}

export type LeafNode = TextNode | EncodedNode | CodeNode | FormulaNode | ImageNode | AutolinkNode | BreakNode
export type ContainerNode = LinkNode | HighlightNode | CommentNode
export type InlineNode = (LeafNode | ContainerNode) & { marks: number }

export const isContainer = (span: InlineNode): span is ContainerNode & { marks: number } => 'spans' in span

/** The visible characters: labels of links, alternative texts of images, sources of formulas. A break is `\n`. */
export function visibleText(spans: readonly InlineNode[]): string {
  let text = ''
  for (const span of spans) {
    if (isContainer(span)) text += visibleText(span.spans)
    else if (span.kind === 'break') text += '\n'
    else text += span.kind === 'image' ? span.alt : span.text
  }
  return text
}
