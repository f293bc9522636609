/** HTML other than our own tags. It binds tighter than emphasis, as in standard Markdown, and is shown as text. */

import type { InlineState } from './inline-state.ts'

const TAG =
  /<(?:[A-Za-z][A-Za-z\d-]*(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[A-Za-z][A-Za-z\d-]*\s*)>/y

/** Comments, processing instructions, CDATA and declarations: their beginnings and ends. */
const SPECIAL = [
  { begin: /<!--/y, end: '-->' },
  { begin: /<\?/y, end: '?>' },
  { begin: /<!\[CDATA\[/y, end: ']]>' },
  { begin: /<![A-Za-z]/y, end: '>' },
] as const

/** The last index of each ending, so that no text is searched for one that does not follow. */
const lasts = new WeakMap<InlineState, Map<string, number>>()

/**
 *     a <b title="*"> c
 *       ^
 */
export function readInlineHtml(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  const end = tagEnd(src, pos) ?? specialEnd(state)
  if (end === undefined || end > state.end) return false
  if (!silent) state.add({ type: 'html', content: src.slice(pos, end) })
  state.pos = end
  return true
}

function tagEnd(text: string, at: number): number | undefined {
  TAG.lastIndex = at
  return TAG.test(text) ? TAG.lastIndex : undefined
}

function specialEnd(state: InlineState): number | undefined {
  const { src, pos } = state
  for (const { begin, end } of SPECIAL) {
    begin.lastIndex = pos
    if (!begin.test(src)) continue
    // <!--> and <!---> are complete comments.
    if (end === '-->' && /^-?>/.test(src.slice(pos + 4, pos + 6))) return src.indexOf('>', pos) + 1
    const last = lasts.get(state) ?? new Map<string, number>()
    lasts.set(state, last)
    const final = last.get(end) ?? src.lastIndexOf(end)
    last.set(end, final)
    return final < begin.lastIndex ? undefined : src.indexOf(end, begin.lastIndex) + end.length
  }
  return undefined
}
