/**
 * Inline Markdown as a flat list. What holds other things has a token that opens and one that closes.
 *
 *     a **b [c](u)**   →   text "a " · mark_open bold · text "b " · link_open u · text "c" · link_close · mark_close bold
 */

import type { HighlightColor } from '../block.ts'

/** A range of the text, from its first index to the one after its last. */
export type Place = readonly [start: number, end: number]

export interface Destination {
  url: string
  title: string
  /** Where the destination stands, with its angle brackets. Undefined for a reference and for a tag. */
  place?: Place | undefined
}

/** The destinations of reference links, by normalized label. */
export type Definitions = ReadonlyMap<string, { url: string; title?: string }>

export interface TextToken {
  type: 'text'
  content: string
}

export interface HtmlToken {
  type: 'html'
  content: string
}

export type InlineToken =
  | TextToken
  | HtmlToken
  /** What a backslash or a character reference stands for. White space in it is part of the text. */
  | { type: 'literal'; content: string }
  | { type: 'code'; content: string }
  | { type: 'formula'; content: string; fence: '$' | '$$' }
  | { type: 'softbreak' | 'hardbreak' }
  /** `content` stands between the angle brackets, at `place`. */
  | { type: 'autolink'; content: string; place: Place }
  | ({ type: 'image'; alt: readonly InlineToken[] } & Destination)
  /** `label` is the source of what the link holds. */
  | ({ type: 'link_open'; label: string } & Destination)
  | { type: 'highlight_open'; color: HighlightColor; isPair?: true }
  /** `place` is that of the tag. */
  | { type: 'comment_open'; id: string; place: Place }
  | { type: 'link_close' | 'highlight_close' | 'comment_close' }
  /** Bold, italic or strikethrough, as a bit of inline-node.ts. */
  | { type: 'mark_open' | 'mark_close'; mark: number }

export const opensAnything = ({ type }: InlineToken): boolean => type.endsWith('_open')
export const closesAnything = ({ type }: InlineToken): boolean => type.endsWith('_close')
