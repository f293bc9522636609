/** Matches titles against typed text. */

import { foldText } from './fold-text.ts'

/**
 * 0 if the title begins with the words, 1 if a word does, 2 if they occur elsewhere; undefined if there is no match.
 */
export function matchRank(title: string, query: string): number | undefined {
  const [where, what] = [foldText(title), foldText(query)]
  if (where.startsWith(what)) return 0
  if (where.includes(` ${what}`)) return 1
  return what.split(/\s+/).every((word) => where.includes(word)) ? 2 : undefined
}
