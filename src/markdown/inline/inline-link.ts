/** `[label](url "title")`, and by reference `[label][ref]`, `[ref][]`, `[ref]`. */

import type { StateInline } from 'markdown-it'
import { matchBracket } from './brackets.ts'

/**
 * Reads the label as inline Markdown, between a token that opens and one that closes. The token that opens has
 * the source of the label as its content, and in its map from where to where the destination stands.
 *
 *     a [label](url) b
 *       ^
 */
export function readLink(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '[') return false
  const link = matchBracket(state, state.pos)
  if (!link) return false
  if (!silent) {
    const { posMax } = state
    state.pos += 1
    state.posMax = link.labelEnd
    const token = state.push('link_open', '', 1)
    token.content = state.src.slice(state.pos, link.labelEnd)
    token.meta = { url: link.url, title: link.title }
    token.map = link.place ?? null
    state.md.inline.tokenize(state)
    state.push('link_close', '', -1)
    state.posMax = posMax
  }
  state.pos = link.end
  return true
}
