/** A backslash, which makes punctuation literal, and the end of a line a hard break. */

import { firstCharacter, isAsciiPunctuation } from './characters.ts'
import type { InlineState } from './inline-state.ts'
import { skipIndentation } from './line-break.ts'

/**
 * Before other characters it stays, and is read together with them, unless a space follows.
 *
 *     a \* b
 *       ^
 */
export function readBackslash(state: InlineState, silent: boolean): boolean {
  const { src, pos, end } = state
  if (pos + 1 >= end) return false
  if (src[pos + 1] === '\n') {
    if (!silent) state.add({ type: 'hardbreak' })
    state.pos = skipIndentation(src, pos + 2)
    return true
  }
  const next = src[pos + 1] === ' ' ? '' : firstCharacter(src.slice(pos + 1, pos + 3))
  if (!silent) state.add({ type: 'literal', content: isAsciiPunctuation(next) ? next : `\\${next}` })
  state.pos = pos + 1 + next.length
  return true
}
