/** Reads a run of `*`, `_`, `~` or `=`. */

import { classOf, firstCharacter, flanking, LONGEST_CHARACTER, lastCharacter } from './characters.ts'
import { isPairSign } from './delimiter-run.ts'
import type { InlineState } from './inline-state.ts'

/**
 *     **注意：**正文
 *            ^ closes, although punctuation is before it and a letter behind
 */
export function readRun(state: InlineState, silent: boolean): boolean {
  if (silent) return false
  const { src, pos } = state
  const sign = src.charAt(pos)
  let end = pos
  while (end < state.end && src[end] === sign) end++
  state.pos = end
  const length = end - pos
  if (isPairSign(sign) && length !== 2) {
    state.addText(src.slice(pos, end))
    return true
  }
  const before = lastCharacter(src.slice(Math.max(0, pos - LONGEST_CHARACTER), pos))
  const after = end < state.end ? firstCharacter(src.slice(end, end + LONGEST_CHARACTER)) : ''
  const { opens, closes } = flanking(classOf(before), classOf(after), sign === '_')
  state.addRun({ sign, length, opens, closes, rest: length, closing: [], opening: [] })
  return true
}
