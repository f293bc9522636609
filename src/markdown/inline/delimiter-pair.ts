/** `~~struck~~` and `==highlighted==`: a run of exactly two, opening and closing like `**`. */

import type { StateInline, Token } from 'markdown-it'

const NAMES: Readonly<Record<number, string>> = { 126: 'strike', 61: 'pair' }

/**
 * Notes a run of two as a delimiter; shorter and longer runs are text.
 *
 *     a ~~b~~ c
 *       ^
 */
export function readPair(state: StateInline, silent: boolean): boolean {
  const marker = state.src.charCodeAt(state.pos)
  if (silent || NAMES[marker] === undefined) return false
  const { can_open: open, can_close: close, length } = state.scanDelims(state.pos, true)
  const token = state.push('text', '', 0)
  token.content = state.src.slice(state.pos, state.pos + length)
  state.pos += length
  // Length 0 excludes the pair from the rule of three, which only applies to `*` and `_`.
  if (length === 2) state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close })
  return true
}

/** Creates tokens for matched delimiters. */
export function closePairs(state: StateInline): void {
  turnPairs(state, state.delimiters)
  for (const meta of state.tokens_meta) if (meta?.delimiters) turnPairs(state, meta.delimiters)
}

function turnPairs(state: StateInline, delimiters: StateInline['delimiters']): void {
  for (const { marker, end, token } of delimiters) {
    const name = NAMES[marker]
    const partner = delimiters[end]
    if (name === undefined || partner === undefined) continue
    turn(state.tokens[token], `${name}_open`, 1)
    turn(state.tokens[partner.token], `${name}_close`, -1)
  }
}

function turn(token: Token | undefined, type: string, nesting: 1 | -1): void {
  if (token) Object.assign(token, { type, nesting, content: '' })
}
