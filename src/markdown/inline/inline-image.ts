/** `![alt](url "title")` inside a text, and by reference like links. */

import { matchBracket } from './brackets.ts'
import { InlineState } from './inline-state.ts'

/**
 * Reads an image. What stands for `alt` is inline Markdown, whose visible characters count.
 *
 *     a ![alt](url) b
 *       ^
 */
export function readImage(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos + 1] !== '[') return false
  const image = matchBracket(state, pos + 1)
  if (!image) return false
  if (!silent) {
    const { url, title, place, labelEnd } = image
    const alt = new InlineState(src.slice(pos + 2, labelEnd), state.grammar, state.definitions).tokenize()
    state.add({ type: 'image', url, title, place, alt })
  }
  state.pos = image.end
  return true
}
