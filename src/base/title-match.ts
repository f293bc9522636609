/** Matches titles against typed text. */

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * 0 if the title begins with the words, 1 if a word does, 2 if they occur elsewhere; undefined if there is no match.
 */
export function matchRank(title: string, query: string): number | undefined {
  const [where, what] = [fold(title), fold(query)]
  if (where.startsWith(what)) return 0
  if (where.includes(` ${what}`)) return 1
  return what.split(/\s+/).every((word) => where.includes(word)) ? 2 : undefined
}
