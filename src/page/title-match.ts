/** Finds titles by what is typed of them. */

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** 0 for a title that begins with the words, 1 where a word does, 2 where they stand inside; nothing for the others. */
export function matchRank(title: string, query: string): number | undefined {
  const [where, what] = [fold(title), fold(query)]
  if (where.startsWith(what)) return 0
  if (where.includes(` ${what}`)) return 1
  return what.split(/\s+/).every((word) => where.includes(word)) ? 2 : undefined
}
