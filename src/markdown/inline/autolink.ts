/** `<https://example.org>` and `<me@example.org>`. */

import type { InlineState } from './inline-state.ts'

const URL = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^<>\s\p{Cc}]*)>/uy
const LABEL = '[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?'
const EMAIL = new RegExp(`<([\\w.!#$%&'*+/=?^\`{|}~-]+@${LABEL}(?:\\.${LABEL})*)>`, 'y')

/**
 *     see <https://example.org>
 *         ^
 */
export function readAutolink(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  for (const pattern of [URL, EMAIL]) {
    pattern.lastIndex = pos
    const found = pattern.exec(src)
    if (!found) continue
    if (!silent) state.add({ type: 'autolink', content: found[1] ?? '', place: [pos + 1, pattern.lastIndex - 1] })
    state.pos = pattern.lastIndex
    return true
  }
  return false
}

/** The destination: `mailto:` for an email address. */
export function autolinkDestination(autolink: string): string {
  return /^[A-Za-z][A-Za-z\d+.-]{1,31}:/.test(autolink) ? autolink : `mailto:${autolink}`
}
