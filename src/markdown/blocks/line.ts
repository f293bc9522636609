import type { BlockFields } from '../block.ts'

const STARS = { extraLight: '***', light: '****', strong: '******', pageBreak: '*******' } as const

/** A line by its number of stars; the regular one has five. */
export const writeLine = ({ lineStyle }: BlockFields): string => (lineStyle === undefined ? '*****' : STARS[lineStyle])

/** The style of a line of stars; dashes, underscores, stars with spaces and eight stars or more are the regular one. */
export function lineStyleOf(words: string): BlockFields['lineStyle'] {
  const stars = words.trim()
  for (const [style, mark] of Object.entries(STARS)) if (stars === mark) return style as BlockFields['lineStyle']
  return undefined
}
