import type { Rule } from './state.ts'

/**
 * `[^1]: words`: words, as we have no footnotes. Without this rule a note of one word would be a link definition, and
 * nobody would see it.
 */
export const footnote: Rule = (state, start, end, silent) => {
  if (silent || state.column(start) - state.blkIndent >= 4) return false
  NOTE.lastIndex = state.at(start)
  // The last of all rules is the paragraph's, which takes whatever is left.
  const paragraph = NOTE.test(state.src) ? state.md.block.ruler.getRules('').at(-1) : undefined
  return paragraph?.(state, start, end, false) ?? false
}

const NOTE = /\[\^[^\]\s]+\]:/y
