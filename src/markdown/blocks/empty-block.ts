import type { Rule } from './parser-state.ts'

/** A text block without text. Without this mark, there would be no block; Markdown renders it as an empty line. */
export const EMPTY_BLOCK = '<br>'

const BREAK = /^<br\s*\/?>\s*$/i

/** {@link EMPTY_BLOCK} alone on a line is a block of its own, whatever follows. */
export const emptyBlock: Rule = (state, start, _end, silent) => {
  if (silent || state.src[state.at(start)] !== '<' || state.column(start) - state.blkIndent >= 4) return false
  if (!BREAK.test(state.lineText(start))) return false
  state.push('empty', '', 0)
  state.line = start + 1
  return true
}
