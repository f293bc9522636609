/** The known name that was probably meant, for errors about unknown ones. */
import { distance } from 'fastest-levenshtein'

/** Longer words are compared with nothing. */
const MAX_LENGTH = 60

/** The known word that is nearest to another, if it is near. */
export function nearestName<Name extends string>(word: string, known: readonly Name[]): Name | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const [best] = ranked(word, known)
  const containing = known.filter((one) => word.length > 3 && one.toLowerCase().includes(word.toLowerCase()))
  if (containing.length === 1) return containing[0]
  const isNear = best !== undefined && best.away <= Math.max(2, Math.floor(word.length / 3))
  return isNear && !isOpposite(word, best.one) ? best.one : undefined
}

/** Words that differ by these letters mean the opposite of each other. */
const OPPOSITES = [
  ['exclude', 'include'],
  ['before', 'after'],
  ['gte', 'lte'],
  ['start', 'end'],
  ['un', ''],
  ['not', ''],
] as const

function isOpposite(word: string, other: string): boolean {
  const [one, two] = [word.toLowerCase(), other.toLowerCase()]
  return OPPOSITES.some(
    ([left, right]) =>
      (one.includes(left) && one.replace(left, right) === two) ||
      (two.includes(left) && two.replace(left, right) === one),
  )
}

function ranked<Name extends string>(word: string, known: readonly Name[]): { one: Name; away: number }[] {
  const lower = word.toLowerCase()
  return known.map((one) => ({ one, away: distance(lower, one.toLowerCase()) })).sort((a, b) => a.away - b.away)
}

/** The end of a sentence about an unknown word: a question about the nearest one, or what to do otherwise. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  const near = nearestName(word, known)
  return near === undefined ? otherwise : `did you mean ${near}?`
}
