/** `![alt](url "title")` inside a text, and by reference like links. */

import type { StateInline } from 'markdown-it'
import { matchBracket } from './brackets.ts'

/**
 * Reads an image. What stands for `alt` is inline Markdown, whose visible characters count: the token has its
 * tokens as children, and in its map from where to where the destination stands.
 *
 *     a ![alt](url) b
 *       ^
 */
export function readImage(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos] !== '!' || src[pos + 1] !== '[') return false
  const image = matchBracket(state, pos + 1)
  if (!image) return false
  if (!silent) {
    const token = state.push('image', '', 0)
    token.meta = { url: image.url, title: image.title }
    token.map = image.place ?? null
    token.children = []
    state.md.inline.parse(src.slice(pos + 2, image.labelEnd), state.md, state.env, token.children)
  }
  state.pos = image.end
  return true
}
