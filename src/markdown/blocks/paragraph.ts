import type { Rule } from './parser-state.ts'

/**
 * Text that other rules would take: it is read by the rules for text alone, which are the last two.
 *
 * - `[^1]: note`, as we have no footnotes, and a note of one word would be an invisible definition;
 * - `<highlight>` and `<comment>` alone on a line, which are tags of the inline level and no foreign HTML.
 */
export const paragraph: Rule = (state, start, end, silent) => {
  if (silent || state.column(start) - state.blkIndent >= 4) return false
  PLAIN.lastIndex = state.at(start)
  if (!PLAIN.test(state.src)) return false
  return state.md.block.ruler
    .getRules('')
    .slice(-2)
    .some((rule) => rule(state, start, end, false))
}

const PLAIN = /\[\^[^\]\s]+\]:|<\/?(?:highlight|comment)[\s>]/y
