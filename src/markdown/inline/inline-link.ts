/** `[label](url "title")`, and by reference `[label][ref]`, `[ref][]`, `[ref]`. */

import { matchBracket } from './brackets.ts'
import type { InlineState } from './inline-state.ts'
import { closeTagsOfLink } from './inline-tag.ts'

/**
 * Reads the label as inline Markdown, between a token that opens and one that closes.
 *
 *     a [label](url) b
 *       ^
 */
export function readLink(state: InlineState, silent: boolean): boolean {
  const link = matchBracket(state, state.pos)
  if (!link) return false
  if (!silent) {
    const { url, title, place, labelEnd } = link
    state.pos += 1
    state.open({ type: 'link_open', label: state.src.slice(state.pos, labelEnd), url, title, place })
    const { level } = state
    state.readTo(labelEnd)
    closeTagsOfLink(state, level)
    state.close({ type: 'link_close' })
  }
  state.pos = link.end
  return true
}
