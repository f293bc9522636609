/**
 * The grammar of inline Markdown: markdown-it's rules, with our own for links, images, autolinks, tags,
 * formulas, and pairs of `~~` and `==`.
 */

import MarkdownIt, { type Token } from 'markdown-it'
import { readAutolink } from './autolink.ts'
import type { Definitions } from './brackets.ts'
import { closePairs, readPair } from './delimiter-pair.ts'
import { InlineState } from './delimiter-run.ts'
import { readFormula } from './formula.ts'
import { readInlineHtml } from './inline-html.ts'
import { readImage } from './inline-image.ts'
import { readLink } from './inline-link.ts'
import { closeTags, readTag } from './inline-tag.ts'

/** Tags nested deeper than this are text, which bounds the stack. */
const MAX_NESTING = 100

const grammar = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING })
grammar.inline.State = InlineState
grammar.inline.ruler.before('emphasis', 'pair', readPair)
grammar.inline.ruler.before('autolink', 'formula', readFormula)
grammar.inline.ruler.before('autolink', 'tag', readTag)
grammar.inline.ruler.at('autolink', readAutolink)
grammar.inline.ruler.at('html_inline', readInlineHtml)
grammar.inline.ruler.at('link', readLink)
grammar.inline.ruler.at('image', readImage)
grammar.inline.ruler2.before('emphasis', 'pair', closePairs)
grammar.inline.ruler2.push('tag', closeTags)

/** Tokenizes a text. The result is flat: containers have an opening and a closing token. */
export function tokenizeInline(text: string, definitions?: Definitions): Token[] {
  const tokens: Token[] = []
  grammar.inline.parse(text, grammar, { definitions }, tokens)
  return tokens
}
