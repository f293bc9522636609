/** Finds titles by words with typing errors. */
import { distance } from 'fastest-levenshtein'
import { foldText } from './fold-text.ts'

/** Letters of a word, from which on it may have an error, and two. */
const ONE_ERROR = 4
const TWO_ERRORS = 8

/** How many letters differ, if each typed word is nearly a word of the title, or its beginning; otherwise undefined. */
export function mistypedRank(title: string, query: string): number | undefined {
  const words = foldText(title).split(/[^\p{L}\p{N}]+/u)
  let errors = 0
  for (const typed of foldText(query).split(/\s+/).filter(Boolean)) {
    const least = Math.min(...words.map((word) => errorsIn(typed, word)))
    if (least > (typed.length >= TWO_ERRORS ? 2 : typed.length >= ONE_ERROR ? 1 : 0)) return undefined
    errors += least
  }
  return errors
}

/** Two letters in each other's place are one error. */
function errorsIn(typed: string, word: string): number {
  const beginnings = [word, word.slice(0, typed.length)]
  const turned = Array.from({ length: Math.max(0, typed.length - 1) }, (_, at) => {
    const [one = '', other = ''] = [typed[at], typed[at + 1]]
    return `${typed.slice(0, at)}${other}${one}${typed.slice(at + 2)}`
  })
  if (beginnings.includes(typed)) return 0
  if (turned.some((one) => beginnings.includes(one))) return 1
  return Math.min(...beginnings.map((one) => distance(typed, one)))
}
