import type { BlockFields } from '../block.ts'
import type { Rule } from './state.ts'

const STARS = { extraLight: '***', light: '****', strong: '******', pageBreak: '*******' } as const

/** A line by its number of stars; the regular one has five. */
export const writeLine = ({ lineStyle }: BlockFields): string => (lineStyle === undefined ? '*****' : STARS[lineStyle])

/** The style of a line of stars; dashes, underscores, stars with spaces and eight stars or more are the regular one. */
export function lineStyleOf(words: string): BlockFields['lineStyle'] {
  const stars = words.trim()
  for (const [style, mark] of Object.entries(STARS)) if (stars === mark) return style as BlockFields['lineStyle']
  return undefined
}

const LINE = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/

/** Three dashes, stars or underscores and more, alone on a line. */
export const line: Rule = (state, start, _end, silent) => {
  if (state.column(start) - state.blkIndent >= 4 || !/[-*_]/.test(state.src[state.at(start)] ?? '')) return false
  const words = state.words(start)
  if (!LINE.test(words)) return false
  if (silent) return true
  state.push('hr', 'hr', 0).content = words
  state.line = start + 1
  return true
}
