/** The end of a line: a soft break, or a hard one after two spaces. */

import type { InlineState } from './inline-state.ts'

/** The spaces before it stay in their token. */
export function readLineBreak(state: InlineState, silent: boolean): boolean {
  if (!silent) state.add({ type: state.endsWithSpaces ? 'hardbreak' : 'softbreak' })
  state.pos = skipIndentation(state.src, state.pos + 1)
  return true
}

/** The index of the first character of a line that is neither a space nor a tab. */
export function skipIndentation(text: string, at: number): number {
  let end = at
  while (text[end] === ' ' || text[end] === '\t') end++
  return end
}
