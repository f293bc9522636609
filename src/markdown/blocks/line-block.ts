import type { BlockFields } from '../block.ts'
import type { Rule } from './parser-state.ts'

const LINE_STARS = { extraLight: '***', light: '****', strong: '******', pageBreak: '*******' } as const

/** Writes a line style as a number of stars. The regular one has five. */
export const writeLine = ({ lineStyle }: BlockFields): string =>
  lineStyle === undefined ? '*****' : LINE_STARS[lineStyle]

/**
 * The style of a line of stars. Dashes, underscores, stars with spaces, and eight or more stars are the regular style.
 */
export function parseLineStyle(text: string): BlockFields['lineStyle'] {
  const stars = text.trim()
  for (const [style, mark] of Object.entries(LINE_STARS)) if (stars === mark) return style as BlockFields['lineStyle']
  return undefined
}

/** Three or more dashes, stars or underscores alone on a line. */
export const lineBlock: Rule = (state, start, _end, silent) => {
  if (state.column(start) - state.blkIndent >= 4 || !isLine(state.src, state.at(start), state.end(start))) return false
  if (silent) return true
  state.push('hr', 'hr', 0).content = state.lineText(start)
  state.line = start + 1
  return true
}

/**
 * True if a part of a text is such a line. Hand-written, since a pattern would need stack space for each mark of a long
 * run.
 */
export function isLine(text: string, start = 0, end = text.length): boolean {
  const mark = text[start]
  if (mark !== '-' && mark !== '*' && mark !== '_') return false
  let count = 0
  for (let at = start; at < end; at++) {
    const char = text[at]
    if (char === mark) count++
    else if (char !== ' ' && char !== '\t') return false
  }
  return count >= 3
}
