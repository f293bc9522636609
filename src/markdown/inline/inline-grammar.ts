/** The grammar of inline Markdown: that of CommonMark, with formulas, tags, and pairs of `~~` and `==`. */

import { readAutolink } from './autolink.ts'
import { readBackslash } from './backslash.ts'
import { readReference } from './character-reference.ts'
import { readCodeSpan } from './code-span.ts'
import { readFormula } from './formula.ts'
import { readInlineHtml } from './inline-html.ts'
import { readImage } from './inline-image.ts'
import { readLink } from './inline-link.ts'
import { type InlineGrammar, type InlineRule, InlineState } from './inline-state.ts'
import { closeTags, readTag } from './inline-tag.ts'
import type { Definitions, InlineToken } from './inline-token.ts'
import { readLineBreak } from './line-break.ts'
import { readRun } from './read-run.ts'

const RULES: ReadonlyMap<string, readonly InlineRule[]> = new Map(
  Object.entries({
    '\n': [readLineBreak],
    '\\': [readBackslash],
    '`': [readCodeSpan],
    '~': [readRun],
    '=': [readRun],
    '*': [readRun],
    _: [readRun],
    '[': [readLink],
    '!': [readImage],
    $: [readFormula],
    '<': [readTag, readAutolink, readInlineHtml],
    '&': [readReference],
  }),
)

const GRAMMAR: InlineGrammar = { rules: RULES, atEnd: closeTags }

/** Tokenizes a text in linear time. */
export const tokenizeInline = (text: string, definitions?: Definitions): InlineToken[] =>
  new InlineState(text, GRAMMAR, definitions).tokenize()
